// Written by tools/contract-types.mjs from docs/openapi.yaml: change the document, and run it.

/** The words of this version. Later versions add to them, so any other text is possible too. */
type Open<Known extends string> = Known | (string & {});

export type CardRequisites = {
  /** What kind of requisites. */
  readonly type: "card";
  /** `card`: the number of the card. */
  readonly pan: string;
  /** The name of the owner, where it is known. */
  readonly holder?: string;
  /** The bank's `symbol`, where it is known. */
  readonly bank?: string;
  /** The bank's name for people, where it is known. */
  readonly bank_name?: string;
  /** The amount in minor units. From 1 to 10,000,000,000,000. */
  readonly amount: number;
  /**
   * The currency's code of ISO 4217. A code of this list that the method does not have, or that the
   * project does not, is 403 `method_not_enabled`.
   */
  readonly currency: string;
};

export type PhoneRequisites = {
  /** What kind of requisites. */
  readonly type: "phone";
  /** `phone`: the phone number. */
  readonly phone: string;
  /** The name of the owner, where it is known. */
  readonly holder?: string;
  /** The bank's `symbol`, where it is known. */
  readonly bank?: string;
  /** The bank's name for people, where it is known. */
  readonly bank_name?: string;
  /** The amount in minor units. From 1 to 10,000,000,000,000. */
  readonly amount: number;
  /**
   * The currency's code of ISO 4217. A code of this list that the method does not have, or that the
   * project does not, is 403 `method_not_enabled`.
   */
  readonly currency: string;
};

export type AccountRequisites = {
  /** What kind of requisites. */
  readonly type: "account";
  /** `account`: the number of the account. */
  readonly account_number: string;
  /** The name of the owner, where it is known. */
  readonly holder?: string;
  /** The bank's `symbol`, where it is known. */
  readonly bank?: string;
  /** The bank's name for people, where it is known. */
  readonly bank_name?: string;
  /** The amount in minor units. From 1 to 10,000,000,000,000. */
  readonly amount: number;
  /**
   * The currency's code of ISO 4217. A code of this list that the method does not have, or that the
   * project does not, is 403 `method_not_enabled`.
   */
  readonly currency: string;
};

export type LinkRequisites = {
  /** What kind of requisites. */
  readonly type: "link";
  /** `link`: what the payer opens, as a link or a QR code; with `ussd` a `tel:` link to dial. */
  readonly url: string;
  /** The name of the owner, where it is known. */
  readonly holder?: string;
  /** The bank's `symbol`, where it is known. */
  readonly bank?: string;
  /** The bank's name for people, where it is known. */
  readonly bank_name?: string;
  /** The amount in minor units. From 1 to 10,000,000,000,000. */
  readonly amount: number;
  /**
   * The currency's code of ISO 4217. A code of this list that the method does not have, or that the
   * project does not, is 403 `method_not_enabled`.
   */
  readonly currency: string;
};

/**
 * Where the payer is to send the money. In full until the payment is final, then masked. `type` tells
 * which of `pan`, `phone`, `account_number` and `url` is there.
 */
export type Requisites = CardRequisites | PhoneRequisites | AccountRequisites | LinkRequisites;

/** Where the payment stands. `success` and `decline` are final. See States. */
export type PaymentStatus = Open<"processing" | "dispute" | "success" | "decline">;

/** More of `processing` and `dispute`; `null` at the end. A word that you do not know is not final. */
export type SubStatus = Open<
  | "new"
  | "requisites"
  | "awaiting_confirm"
  | "awaiting_3ds_result"
  | "awaiting_redirect_result"
  | "paid"
  | "payout_process"
  | "no_payment"
  | "different_amount"
  | "confirm_timeout"
  | "incorrect_requisites"
  | "payout_failed"
  | "payout_timeout"
>;

/** Why it was declined; `null` unless it was. Later versions may add some. */
export type DeclineCode = Open<
  | "expired"
  | "cancelled"
  | "no_requisites"
  | "insufficient_funds"
  | "card_expired"
  | "three_ds_failed"
  | "provider_declined"
  | "no_provider"
  | "operator"
>;
