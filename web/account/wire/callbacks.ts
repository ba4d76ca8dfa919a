import type { Book, Direction, Project } from "./reports.ts";

/** What `/account/api/callbacks` says. */
export type CallbackState = "dead" | "failing" | "waiting" | "held" | "delivered" | "dismissed";
export const CALLBACK_STATES: readonly CallbackState[] = [
  "dead",
  "failing",
  "waiting",
  "held",
  "delivered",
  "dismissed",
];

/** A project's scheme, host and port: what was written in the period, and what stands undelivered now. */
export type Endpoint = {
  readonly project_id: string;
  readonly origin: string;
  readonly written: number;
  readonly delivered: number;
  readonly attempts: number;
  readonly failed_attempts: number;
  readonly average_ms: number | null;
  readonly p95_ms: number | null;
  readonly last_error: string | null;
  readonly last_error_at: string | null;
  readonly waiting: number;
  readonly failing: number;
  readonly held: number;
  readonly dead: number;
};

export type CallbackHealth = { readonly endpoints: readonly Endpoint[]; readonly others: number };

export type CallbackRow = {
  readonly id: string;
  readonly project_id: string;
  readonly book: Book;
  readonly request_id: string;
  readonly payment_id: string;
  readonly type: Direction;
  readonly status: string;
  readonly sub_status: string | null;
  readonly url: string;
  readonly state: CallbackState;
  readonly attempts: number;
  readonly last_status: number | null;
  readonly last_failure: string | null;
  readonly created_at: string;
  readonly due_at: string | null;
};

export type CallbackList = {
  readonly rows: readonly CallbackRow[];
  readonly next: string | null;
  /** One more than `count_max` where there are more than that. */
  readonly count: number;
  readonly count_max: number;
};

export type Replayed = {
  readonly replayed: number;
  readonly last_due_in_s: number;
  readonly left_under_way: number;
  readonly left_disabled: number;
};

export type SecretKind = "webhook" | "hmac";

export type CallbackKey = {
  readonly id: string;
  readonly kind: "rsa" | SecretKind;
  readonly signs: string | null;
  readonly public_key_pem: string | null;
  readonly created_at: string;
  readonly retires_at: string | null;
};

export type UrlName = "callback_url" | "success_callback_url" | "decline_callback_url";
export const URL_NAMES: readonly UrlName[] = ["callback_url", "success_callback_url", "decline_callback_url"];

type DisabledUrl = { readonly url: string; readonly disabled_at: string; readonly held: number };

export type CallbackSettings = Readonly<Record<UrlName, string | null>> & {
  readonly project: Project;
  readonly callback_signing: "rsa" | "hmac";
  readonly keys: readonly CallbackKey[];
  readonly disabled_urls: readonly DisabledUrl[];
};

export const TEST_EVENTS = [
  "payin_success",
  "payin_decline",
  "payin_awaiting_confirm",
  "payin_different_amount",
  "payout_success",
  "payout_decline",
] as const;
export type TestEvent = (typeof TEST_EVENTS)[number];

type Header = readonly [string, string];

export type TestedCallback = {
  readonly request: { readonly url: string; readonly headers: readonly Header[]; readonly body: string };
  readonly verdict: "delivered" | "retried" | "disables_url";
  readonly latency_ms: number;
  readonly failure: string | null;
  readonly answer: {
    readonly status: number;
    readonly headers: readonly Header[];
    readonly body: string;
    readonly truncated: boolean;
  } | null;
};
