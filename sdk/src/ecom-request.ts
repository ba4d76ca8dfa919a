import type { Customer, General, Terms } from "./request-blocks.ts";

/**
 * The payer's card, as it stands on it. These are plain members that print like any other: hand them over and let go of
 * them, and never log the request.
 */
export type Card = {
  /** 12 to 19 digits, without spaces or dashes. */
  readonly pan: string;
  /** 3 or 4 digits. */
  readonly cvv: string;
  /** The name on the card, 2 to 64 characters. */
  readonly card_holder: string;
  readonly expiry_month: number;
  /** With its four digits. */
  readonly expiry_year: number;
};

/** What the issuer judges the payer's browser by. The more of it there is, the fewer payers are asked for a code. */
export type Browser = {
  readonly accept_header?: string | undefined;
  readonly user_agent?: string | undefined;
  readonly language?: string | undefined;
  readonly color_depth?: number | undefined;
  readonly screen_width?: number | undefined;
  readonly screen_height?: number | undefined;
  /** In minutes, as `getTimezoneOffset()` gives it. */
  readonly timezone_offset?: number | undefined;
  readonly java_enabled?: boolean | undefined;
};

export type EcomMethod = "card-ecom";

export type EcomPayinRequest = {
  readonly general: General;
  readonly payment: Terms<EcomMethod> & {
    readonly type?: "payin" | undefined;
    /** Seconds to pay in, from 300 to 600; 600 when absent. */
    readonly lifetime?: number | undefined;
  };
  readonly card: Card;
  readonly customer: Customer & { readonly browser?: Browser | undefined };
};

export type EcomPayoutRequest = {
  readonly general: General;
  readonly payment: Terms<EcomMethod> & { readonly type?: "payout" | undefined };
  readonly receiver: { readonly pan: string; readonly card_holder?: string | undefined };
  readonly customer: Customer;
};

/** What the payer's browser brought back from the issuer: of 3-D Secure 2, or of 3-D Secure 1. */
export type ThreeDsResult = { readonly cres: string } | { readonly pa_res: string; readonly md: string };
