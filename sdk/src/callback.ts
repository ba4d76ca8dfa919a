import { TillgateSignatureError } from "./errors.ts";
import { findMisfit } from "./shape.ts";

/** `success` and `decline` are final. Treat a word that you do not know as not final. */
export type PaymentStatus = "processing" | "dispute" | "decline" | "success" | (string & {});

export type Requisites = {
  readonly type: "card" | "phone" | "account" | "link" | (string & {});
  readonly pan?: string;
  readonly phone?: string;
  readonly account_number?: string;
  readonly url?: string;
  readonly holder?: string;
  readonly bank?: string;
  readonly bank_name?: string;
  readonly amount?: number;
  readonly currency?: string;
};

export type ThreeDs = {
  readonly version: string;
  readonly acs_url: string;
  readonly creq?: string;
  readonly three_ds_session_data?: string;
  readonly pa_req?: string;
  readonly md?: string;
  readonly term_url?: string;
};

export type Integration = {
  readonly form_url?: string;
  readonly redirect_url?: string;
  readonly three_ds?: ThreeDs;
};

export type TillgateCallback = {
  readonly project_id: string;
  readonly general: { readonly request_id: string; readonly payment_id: string };
  readonly status: {
    readonly status: PaymentStatus;
    readonly sub_status: string | null;
    readonly status_description: string | null;
    readonly decline_code: string | null;
  };
  readonly payment_info: {
    readonly type: "payin" | "payout" | (string & {});
    readonly method?: string;
    readonly amount: number;
    readonly requested_amount: number;
    readonly received_amount?: number;
    readonly currency: string;
    readonly fee?: number;
    readonly net?: number;
  };
  readonly requisites?: Requisites;
  readonly integration?: Integration;
  /** The same event may come again: keep the ids that were handled. A lower `sequence` than the last one is old news. */
  readonly event: { readonly id: string; readonly sequence: number; readonly created_at: string };
};

const CALLBACK_SHAPE = {
  project_id: "string",
  general: { request_id: "string", payment_id: "string" },
  status: {
    status: "string",
    sub_status: "string|null",
    status_description: "string|null",
    decline_code: "string|null",
  },
  payment_info: {
    type: "string",
    "method?": "string",
    amount: "integer",
    requested_amount: "integer",
    "received_amount?": "integer",
    currency: "string",
    "fee?": "integer",
    "net?": "integer",
  },
  "requisites?": {
    type: "string",
    "pan?": "string",
    "phone?": "string",
    "account_number?": "string",
    "url?": "string",
    "holder?": "string",
    "bank?": "string",
    "bank_name?": "string",
    "amount?": "integer",
    "currency?": "string",
  },
  "integration?": {
    "form_url?": "string",
    "redirect_url?": "string",
    "three_ds?": {
      version: "string",
      acs_url: "string",
      "creq?": "string",
      "three_ds_session_data?": "string",
      "pa_req?": "string",
      "md?": "string",
      "term_url?": "string",
    },
  },
  event: { id: "string", sequence: "integer", created_at: "string" },
} as const;

/** The names a line of scheme 1 can begin with. */
export const CALLBACK_MEMBERS: readonly string[] = Object.keys(CALLBACK_SHAPE).map((key) => key.replace(/\?$/, ""));

export function asCallback(value: unknown): TillgateCallback {
  const misfit = findMisfit(value, CALLBACK_SHAPE);
  if (misfit === undefined) return value as TillgateCallback;
  throw new TillgateSignatureError("body_malformed", `the body is not a callback: ${misfit} is missing or wrong`);
}
