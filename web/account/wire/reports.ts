/** What `/account/api` says of payments and money. Amounts are integers in minor units. */
export type Book = "test" | "live";
export type Direction = "payin" | "payout";

export type Project = {
  readonly id: string;
  readonly name: string;
  readonly book: Book;
  /** Of all methods that it has or had. */
  readonly currencies: readonly string[];
};

/** A sum of many amounts: beyond what JavaScript holds exactly, its digits come as text. */
export type BigSum = number | string;

export type PaymentRow = {
  readonly request_id: string;
  readonly payment_id: string;
  readonly project_id: string;
  readonly book: Book;
  readonly type: Direction;
  readonly method: string | null;
  readonly status: string;
  readonly sub_status: string | null;
  readonly decline_code: string | null;
  readonly amount: number;
  readonly received_amount: number;
  readonly fee: number | null;
  readonly net: number | null;
  readonly currency: string;
  readonly customer_id: string;
  readonly created_at: string;
};

export type PaymentList = {
  readonly rows: readonly PaymentRow[];
  readonly next: string | null;
  readonly totals: {
    readonly count: number;
    readonly sums: readonly { readonly book: Book; readonly currency: string; readonly amount: BigSum }[];
  };
};

type Status = { readonly status: string; readonly sub_status: string | null };

export type TimelineLine = {
  readonly number: number;
  readonly at: string;
  readonly event: string;
  readonly actor: string;
  readonly to: Status;
};

export type CallbackAttempt = {
  readonly number: number;
  readonly at: string;
  readonly latency_ms: number;
  readonly status: number | null;
  readonly failure: string | null;
  readonly answer: string | null;
};

export type PaymentCallback = {
  readonly id: string;
  readonly url: string;
  readonly state: string;
  readonly body: unknown;
  readonly attempts: readonly CallbackAttempt[];
};

export type LedgerLine = {
  readonly id: string;
  readonly at: string;
  readonly kind: string;
  readonly from: string;
  readonly to: string;
  readonly amount: number;
  readonly currency: string;
};

/** One choice of the payer of a hosted page. */
export type PayerAttempt = {
  readonly number: number;
  readonly method: string;
  readonly bank?: string;
  readonly card?: { readonly pan: string; readonly brand: string };
  readonly status: string;
  readonly decline_code: string | null;
  readonly created_at: string;
  readonly ended_at: string | null;
};

export type PaymentDetail = {
  readonly project: Pick<Project, "id" | "name" | "book">;
  readonly payment: PaymentRow & { readonly description: string | null };
  /** Masked. */
  readonly requisites: {
    readonly type: string;
    readonly value: string;
    readonly bank?: string;
    readonly brand?: string;
  } | null;
  readonly attempts: readonly PayerAttempt[];
  readonly timeline: readonly TimelineLine[];
  readonly callbacks: readonly PaymentCallback[];
  readonly ledger: readonly LedgerLine[];
  readonly curl: string;
  /** Who made it by hand; null where the merchant's server did. */
  readonly made_by: { readonly batch_id: string; readonly author: string; readonly approved_by: string | null } | null;
};

/** What a project holds of one currency. */
export type Standing = { readonly available: number; readonly locked: number };

export type StatementLine = {
  readonly id: string;
  readonly at: string;
  readonly kind: string;
  /** The payment, where there is one, or the adjustment or move that it belongs to. */
  readonly subject_id: string;
  readonly type: Direction | null;
  readonly payment_id: string | null;
  /** Of an adjustment by hand. */
  readonly reference: string | null;
  readonly change: Standing;
  readonly after: Standing;
};

export type Statement = {
  readonly opening: Standing;
  readonly closing: Standing;
  readonly lines: readonly StatementLine[];
  readonly next: string | null;
};

export type RegisterDay = {
  readonly day: string;
  readonly opening: Standing;
  readonly received: BigSum;
  readonly spent: BigSum;
  readonly closing: Standing;
};

export type Register = {
  readonly opening: Standing;
  readonly closing: Standing;
  readonly days: readonly RegisterDay[];
};

export type Balance = Standing & {
  readonly project_id: string;
  readonly book: Book;
  readonly currency: string;
};

/** Payments that were created in one stretch of time. */
export type Figures = {
  readonly count: number;
  readonly success_count: number;
  readonly volume: BigSum;
  /** Of those that have ended; null where none has. */
  readonly success_rate: number | null;
  readonly average_success_s: number | null;
};

/** Of which payments figures are. */
export type FlowKey = { readonly book: Book; readonly type: Direction; readonly currency: string };

export type Flow = FlowKey & { readonly points: readonly (Figures & { readonly at: string })[] };

type CountedKind = "disputes" | "dead_callbacks" | "disabled_callback_urls" | "waiting_batches";

export type AttentionItem =
  | { readonly kind: CountedKind; readonly project_id: string; readonly count: number }
  | {
      readonly kind: "key_expires";
      readonly key_id: string;
      readonly label: string;
      readonly project_id: string | null;
      readonly not_after: string;
    }
  | {
      readonly kind: "limit_near";
      readonly project_id: string;
      readonly type: Direction;
      readonly currency: string;
    };

export type Overview = {
  readonly balances: readonly Balance[];
  readonly totals: readonly (FlowKey & Figures)[];
  readonly series: readonly Flow[];
  readonly attention: readonly AttentionItem[];
};
