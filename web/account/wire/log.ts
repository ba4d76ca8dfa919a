import type { Book } from "./reports.ts";

/** One call of the merchant's server. */
export type CallRow = {
  readonly id: string;
  readonly at: string;
  readonly project_id: string;
  readonly book: Book;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly code: string | null;
  readonly message: string | null;
  readonly latency_ms: number;
  readonly address: string;
  readonly key: { readonly id: string; readonly label: string } | null;
  /** Whether a key of the project signed it. */
  readonly is_signed: boolean;
  readonly is_replay: boolean;
  readonly payment_id: string | null;
  readonly request_id: string | null;
};

export type CallList = {
  readonly rows: readonly CallRow[];
  readonly next: string | null;
  /** How far the search came before it stopped to answer. */
  readonly stopped_at: string | null;
  readonly missed: number;
};

export type CallDetail = {
  readonly call: CallRow & { readonly request_size: number; readonly answer_size: number };
  readonly request: string;
  readonly answer: string;
  readonly curl: string;
};
