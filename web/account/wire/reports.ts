/** What `/account/api` says of payments and money. Amounts are integers in minor units. */
export type Book = "test" | "live";
export type Direction = "payin" | "payout";

export type Project = { readonly id: string; readonly name: string; readonly book: Book };

export type Sum = { readonly currency: string; readonly amount: number };

export type PaymentRow = {
  readonly request_id: string;
  readonly payment_id: string;
  readonly project_id: string;
  readonly book: Book;
  readonly direction: Direction;
  readonly method: string | null;
  readonly status: string;
  readonly sub_status: string | null;
  readonly amount: number;
  readonly currency: string;
  readonly customer_id: string;
  readonly created_at: string;
};

export type PaymentList = {
  readonly rows: readonly PaymentRow[];
  readonly next: string | null;
  readonly totals: { readonly count: number; readonly sums: readonly (Sum & { readonly book: Book })[] };
};

export type TimelineLine = {
  readonly at: string;
  readonly event: string;
  readonly actor: string;
  readonly status: string;
  readonly sub_status: string | null;
};

export type CallbackAttempt = {
  readonly at: string;
  readonly status: number | null;
  readonly error: string | null;
  readonly ms: number | null;
};

export type PaymentCallback = {
  readonly id: string;
  readonly url: string;
  readonly state: string;
  readonly created_at: string;
  readonly body: string | null;
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

export type PaymentDetail = PaymentRow & {
  readonly fee: number | null;
  readonly net: number | null;
  readonly received: number | null;
  readonly decline_code: string | null;
  readonly description: string | null;
  readonly requisites: Readonly<Record<string, string>> | null;
  readonly timeline: readonly TimelineLine[];
  readonly callbacks: readonly PaymentCallback[];
  readonly ledger: readonly LedgerLine[];
  readonly curl: string;
};

/** What a project holds of one currency. */
export type Standing = { readonly available: number; readonly locked: number };

export type StatementLine = {
  readonly id: string;
  readonly created_at: string;
  readonly kind: string;
  readonly direction: Direction | null;
  readonly request_id: string | null;
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
  readonly received: number;
  readonly spent: number;
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
  readonly volume: number;
  /** Of those that have ended; null where none has. */
  readonly success_rate: number | null;
  readonly average_success_s: number | null;
};

export type Series = {
  readonly book: Book;
  readonly direction: Direction;
  readonly currency: string;
  readonly total: Figures;
  readonly points: readonly (Figures & { readonly at: string })[];
};

type ProjectCount = { readonly project_id: string; readonly count: number };

export type Attention = {
  readonly disputes: readonly ProjectCount[];
  readonly dead_callbacks: readonly ProjectCount[];
  readonly disabled_urls: readonly ProjectCount[];
  readonly expiring_keys: readonly {
    readonly id: string;
    readonly label: string;
    readonly project_id: string | null;
    readonly not_after: string;
  }[];
  readonly near_limits: readonly {
    readonly project_id: string;
    readonly direction: Direction;
    readonly currency: string;
  }[];
};

export type Overview = {
  readonly balances: readonly Balance[];
  readonly series: readonly Series[];
  readonly attention: Attention;
};
