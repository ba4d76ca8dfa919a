import type { Currency } from "./currency.ts";
import type { Minor } from "./money.ts";
import type { RequestCustomer } from "./request-customer.ts";

/**
 * What a provider that charges cards is to us; a connector that has one shows it as `cards`. The rules of every
 * connector hold here too: a time-out is "unknown", a word that is not known is "unknown", and one reference makes one
 * charge however often it is sent.
 */
export type CardAcquirer = {
  /** Whether it refuses a card without its holder's name. Where none of a project's does, payers are not asked for the name. */
  readonly needsHolder: boolean;
  readonly charge: (request: ChargeRequest) => Promise<ChargeOutcome>;
  /** Passes on what the payer's browser brought back from the issuer. Only the acquirer can tell whether it is true. */
  readonly passAuthentication: (reference: string, result: AuthenticationResult) => Promise<AuthenticationOutcome>;
  readonly askChargeState: (reference: string) => Promise<ChargeState>;
  /**
   * Gives an approved charge back to the payer, once. A charge that was never approved stays what it is. Absent: the acquirer
   * cannot, and an operator must give the money back by other means.
   */
  readonly reverse?: (reference: string) => Promise<ChargeState>;
  /**
   * Ends a charge that still waits for the payer: afterwards it is declined for certain. One that is decided, or being
   * decided, answers what it is. A reference that the acquirer never saw is used up: no charge is made under it later. An
   * acquirer that cannot promise both has no `cancel`.
   */
  readonly cancel?: (reference: string) => Promise<ChargeState>;
};

export type ReversingAcquirer = CardAcquirer & Required<Pick<CardAcquirer, "reverse">>;

/** The card's number and CVV go to the acquirer and nowhere else: neither is stored, logged or put into an error. */
export type ChargeRequest = {
  readonly reference: string;
  readonly projectId: string;
  /** What the issuer shows to the payer as the receiver of the money. */
  readonly merchantName: string | undefined;
  readonly amount: Minor;
  readonly currency: Currency;
  readonly card: ChargedCard;
  /** Where the issuer sends the browser back to: an address of ours. */
  readonly returnUrl: string;
  readonly browser: Browser | undefined;
  readonly expiresAt: Date;
  /** How long the payment lives, from its creation. */
  readonly lifetimeS: number;
  readonly customer: RequestCustomer;
};

export type ChargedCard = {
  readonly pan: string;
  readonly cvv: string;
  /** Undefined: the payer was not asked, because no acquirer of the route needs it. */
  readonly holder: string | undefined;
  readonly expiryMonth: number;
  readonly expiryYear: number;
};

/** What an issuer judges a browser by. */
export type Browser = {
  readonly acceptHeader: string | undefined;
  readonly userAgent: string | undefined;
  readonly language: string | undefined;
  readonly colorDepth: number | undefined;
  readonly screenWidth: number | undefined;
  readonly screenHeight: number | undefined;
  readonly timezoneOffset: number | undefined;
  readonly javaEnabled: boolean | undefined;
};

export type ChargeOutcome =
  | {
      readonly kind: "approved";
      /** It may be another than was requested. */
      readonly amount: Minor;
      /** Where the acquirer tells it. */
      readonly currency?: Currency;
      /** What the acquirer keeps of it. */
      readonly fee?: Minor;
    }
  | { readonly kind: "declined"; readonly reason: ChargeDeclineReason }
  /** The issuer wants to see the payer. */
  | { readonly kind: "challenge"; readonly challenge: ThreeDsChallenge }
  /** The payer goes on at a page of the provider, and comes back by GET. */
  | { readonly kind: "redirect"; readonly url: string }
  | { readonly kind: "pending" }
  /** It was approved and given back. */
  | { readonly kind: "reversed"; readonly amount: Minor }
  | { readonly kind: "unknown" };

/** `never_seen`: certainly no charge was made under this reference. */
export type ChargeState = ChargeOutcome | { readonly kind: "never_seen" };

/** `result_invalid`: not the issuer's word on this charge; nothing was changed by it. */
export type AuthenticationOutcome = ChargeState | { readonly kind: "result_invalid" };

export type ChargeDeclineReason =
  | "card_declined"
  | "insufficient_funds"
  | "card_expired"
  | "processing_error"
  | "authentication_failed"
  /** The payer turned back on the provider's page. */
  | "cancelled"
  /** The payer did not finish the authentication in time. */
  | "expired"
  | "other";

export type ThreeDsChallenge = ThreeDs2Challenge | ThreeDs1Challenge;

export type ThreeDs2Challenge = {
  readonly version: "2.2.0";
  readonly acsUrl: string;
  readonly creq: string;
  readonly sessionData: string;
  /** A hidden step before the challenge, in which the issuer looks at the browser. */
  readonly method: { readonly url: string; readonly serverTransactionId: string } | undefined;
};

type ThreeDs1Challenge = {
  readonly version: "1.0.2";
  readonly acsUrl: string;
  readonly paReq: string;
  readonly md: string;
  readonly termUrl: string;
};

/** What the browser brings back: of 3-D Secure 2, or of 3-D Secure 1. */
export type AuthenticationResult = { readonly cres: string } | { readonly paRes: string; readonly md: string };
