import type { BigSum, Book } from "./reports.ts";

/** What `/account/api` says of payouts that people make by hand. */
export type BatchState = "checked" | "awaiting_approval" | "making" | "done" | "refused" | "withdrawn";
export type RowState = "waiting" | "made" | "refused" | "failed";

export type PayoutOption = {
  readonly method: string;
  readonly currency: string;
  readonly required: readonly string[];
  readonly optional: readonly string[];
  readonly min: number;
  readonly max: number;
  /** Symbols of the banks that it takes; empty where it needs none. */
  readonly banks: readonly string[];
};

export type PayoutOptions = {
  readonly methods: readonly PayoutOption[];
  readonly banks: readonly { readonly symbol: string; readonly name: string }[];
};

export type BatchFault = {
  readonly line: number;
  readonly column: string | null;
  readonly code: string;
  readonly message: string;
};

export type CheckAnswer =
  | { readonly result: "faults"; readonly fault_count: number; readonly faults: readonly BatchFault[] }
  | { readonly result: "same_file" | "checked"; readonly id: string };

export type Batch = {
  readonly id: string;
  readonly project_id: string;
  readonly book: Book;
  readonly source: "form" | "file" | "retry";
  readonly state: BatchState;
  readonly file_name: string | null;
  readonly row_count: number;
  readonly author: { readonly id: string; readonly name: string; readonly email: string };
  readonly created_at: string;
  readonly confirmed_at: string | null;
  readonly approved_by: string | null;
  readonly approved_at: string | null;
  readonly refused_by: string | null;
  readonly refused_at: string | null;
  readonly refusal: string | null;
  readonly ended_at: string | null;
  readonly totals: readonly {
    readonly currency: string;
    readonly count: number;
    readonly amount: BigSum;
    readonly fee: BigSum;
  }[];
  readonly progress: Readonly<Record<RowState, number>>;
};

export type BatchList = { readonly batches: readonly Batch[]; readonly next: string | null };

export type BatchRow = {
  readonly line: number;
  readonly payment_id: string;
  readonly method: string;
  readonly currency: string;
  readonly amount: number;
  /** Masked. */
  readonly receiver: string;
  readonly bank: string | null;
  readonly description: string | null;
  readonly state: RowState;
  readonly request_id: string | null;
  readonly payment: { readonly status: string; readonly sub_status: string | null } | null;
  readonly error_code: string | null;
  readonly error: string | null;
};

export type BatchView = {
  readonly batch: Batch;
  readonly repeated_count: number;
  readonly available: readonly { readonly currency: string; readonly amount: BigSum }[];
  readonly exceeded: readonly { readonly currency: string; readonly limit: BigSum; readonly sum: BigSum }[];
  readonly approver_count: number;
  readonly may: {
    readonly confirm: boolean;
    readonly withdraw: boolean;
    readonly decide: boolean;
    readonly retry: boolean;
  };
  readonly rows: readonly BatchRow[];
  readonly next: string | null;
};

export type ApprovalLimits = {
  readonly currencies: readonly string[];
  readonly limits: readonly { readonly currency: string; readonly amount: number }[];
};
