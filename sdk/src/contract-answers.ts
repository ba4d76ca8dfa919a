// Written by tools/contract-types.mjs from docs/openapi.yaml: change the document, and run it.

/** The words of this version. Later versions add to them, so any other text is possible too. */
type Open<Known extends string> = Known | (string & {});

/**
 * A payment as it stands. The status fields and `finished_at` are always there; others where they
 * apply. Members that are not described here may be added; ignore them.
 */
export type Payment = {
  /** The project. */
  readonly project_id: string;
  /** Your own id of the payment. Lengths count characters (code points), not bytes. */
  readonly payment_id: string;
  /** Tillgate's id of the payment. Name it when you ask the operator about one. */
  readonly request_id: string;
  readonly type: PaymentType;
  readonly status: PaymentStatus;
  readonly sub_status: SubStatus | null;
  /** For people, in declines and disputes. Its wording may change. */
  readonly status_description: string | null;
  readonly decline_code: DeclineCode | null;
  readonly payment: PaymentSums;
  readonly requisites?: Requisites;
  readonly card?: PaymentCard;
  readonly integration?: Integration;
  readonly attempts?: PayerAttempts;
  /** When it was created, UTC. */
  readonly created_at: string;
  /** When it changed last, UTC. */
  readonly updated_at: string;
  /** When the payer's time ends, UTC. Pay-ins only. */
  readonly expires_at?: string;
  /** When it became final, UTC. */
  readonly finished_at: string | null;
};

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

/** Pay-in or payout. */
export type PaymentType = Open<"payin" | "payout">;

/**
 * The method and the sums. See Amounts. On the payment page `method`, `fee` and `net` are absent
 * until the payer has chosen.
 */
export type PaymentSums = {
  /** The payment method. */
  readonly method?: string;
  /** What the payment is worth. */
  readonly amount: number;
  /** What the request asked for. From 1 to 10,000,000,000,000. */
  readonly requested_amount: number;
  /** What has arrived, once something has. Pay-ins only. */
  readonly received_amount?: number;
  /**
   * The currency's code of ISO 4217. A code of this list that the method does not have, or that the
   * project does not, is 403 `method_not_enabled`.
   */
  readonly currency: string;
  /** The fee for `amount`. */
  readonly fee?: number;
  /** What reaches your balance, `amount` without `fee`. Pay-ins only. */
  readonly net?: number;
};

/** The card of a card pay-in. */
export type PaymentCard = {
  /** The first six and the last four digits of its number. */
  readonly pan: string;
  /** Its brand. Later versions may add some. */
  readonly brand: Open<"visa" | "mastercard" | "mir" | "unionpay" | "amex" | "maestro" | "humo" | "uzcard">;
};

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

/** One choice of the payer. The next one begins only when this one is certainly over. */
export type PayerAttempt = {
  /** Counts from 1. */
  readonly number: number;
  /** The payment method. */
  readonly method: string;
  /** The `symbol` of the bank that the payer chose, if there was a choice. */
  readonly bank?: string;
  readonly card?: PaymentCard;
  /**
   * `decline` if nothing was paid by it. The last one has the payment's status, unless it is over and
   * the payer may choose again.
   */
  readonly status: PaymentStatus;
  readonly decline_code: DeclineCode | null;
  /** When the payer chose, UTC. */
  readonly created_at: string;
  /** When it was over, UTC. */
  readonly ended_at: string | null;
};

/**
 * Where the payer's browser goes on. By card, while it is awaited; see Card payments. On the payment
 * page, its address.
 */
export type Integration = {
  /** The payment page of this payment. Tillgate treats every visitor of this address as the payer. */
  readonly form_url?: string;
  /**
   * A page of Tillgate's that takes the payer to the bank, and back to you. Tillgate treats every
   * visitor of this address as the payer.
   */
  readonly redirect_url?: string;
  readonly three_ds?: ThreeDs;
};

export type ThreeDs2 = {
  /** The version of 3-D Secure. */
  readonly version: "2.2.0";
  /** Where the form goes to. */
  readonly acs_url: string;
  /** `2.2.0`: the field `creq`. */
  readonly creq: string;
  /** `2.2.0`: the field `threeDSSessionData`. */
  readonly three_ds_session_data: string;
};

export type ThreeDs1 = {
  /** The version of 3-D Secure. */
  readonly version: "1.0.2";
  /** Where the form goes to. */
  readonly acs_url: string;
  /** `1.0.2`: the field `PaReq`. */
  readonly pa_req: string;
  /** `1.0.2`: the field `MD`. */
  readonly md: string;
  /** `1.0.2`: the field `TermUrl`, an address of Tillgate's. */
  readonly term_url: string;
};

/**
 * What it takes to send the payer to the issuer yourself. `version` tells which members are there.
 * Without it only `redirect_url` leads on.
 */
export type ThreeDs = ThreeDs2 | ThreeDs1;

/** What a callback says. Members that are not described here may be added; ignore them. */
export type TillgateCallback = {
  /** The project. */
  readonly project_id: string;
  /** Which payment it is about. */
  readonly general: {
    /** Tillgate's id of the payment. */
    readonly request_id: string;
    /** Your own id of the payment. Lengths count characters (code points), not bytes. */
    readonly payment_id: string;
  };
  /** Where the payment stands now. */
  readonly status: {
    readonly status: PaymentStatus;
    readonly sub_status: SubStatus | null;
    /** For people, in declines and disputes. Its wording may change. */
    readonly status_description: string | null;
    readonly decline_code: DeclineCode | null;
  };
  /**
   * The method and the sums. See Amounts. `method`, `fee` and `net` are absent if a payment of the
   * hosted page ended before the payer had chosen.
   */
  readonly payment_info: {
    readonly type: PaymentType;
    /** The payment method. */
    readonly method?: string;
    /** What the payment is worth. */
    readonly amount: number;
    /** What the request asked for. From 1 to 10,000,000,000,000. */
    readonly requested_amount: number;
    /** What has arrived, once something has. Pay-ins only. */
    readonly received_amount?: number;
    /**
     * The currency's code of ISO 4217. A code of this list that the method does not have, or that the
     * project does not, is 403 `method_not_enabled`.
     */
    readonly currency: string;
    /** The fee for `amount`. */
    readonly fee?: number;
    /** What reaches your balance, `amount` without `fee`. Pay-ins only. */
    readonly net?: number;
  };
  readonly requisites?: Requisites;
  readonly integration?: Integration;
  readonly attempts?: PayerAttempts;
  /** The change itself. */
  readonly event: {
    /** The id of the event, the same at each attempt. Also in `webhook-id`. */
    readonly id: string;
    /** Counts the changes of one payment. The creation is 1 and sends no callback. */
    readonly sequence: number;
    /** When it happened, UTC. */
    readonly created_at: string;
    /**
     * Only in a test callback that a person sends from the personal account. There is no such payment:
     * its `request_id` is all zeros.
     */
    readonly test?: true;
  };
};

export type BalanceInfo = {
  /** One entry for each available currency, sorted by code. */
  readonly balance: readonly Balance[];
};

/** What the project holds in one currency. The two sums together never exceed 10000000000000. */
export type Balance = {
  /** The currency's code of ISO 4217. */
  readonly currency: string;
  /** What can be used now, in minor units. Locked money is not part of it. From 0 to 10,000,000,000,000. */
  readonly amount: number;
  /**
   * What is held back, for example for payouts on their way, in minor units. From 0 to
   * 10,000,000,000,000.
   */
  readonly locked_amount: number;
};

export type Bank = {
  /** The bank's id in this installation. */
  readonly id: string;
  /** The name to show to people. It may change. */
  readonly name: string;
  /** The name that requests use. It never changes. */
  readonly symbol: string;
  /** The code in the fast payment system (SBP). `000000000000` for a bank outside it. */
  readonly sbp_code: string;
  /** Whether the bank is in the fast payment system. */
  readonly is_sbp_bank: boolean;
  /** The country's code of ISO 3166-1. */
  readonly country_code: string;
};

/** What went wrong, for programs. The list is closed; the tables under Errors explain each code. */
export type ErrorCode =
  | "malformed_json"
  | "validation_failed"
  | "auth_header_missing"
  | "timestamp_invalid"
  | "timestamp_out_of_window"
  | "signature_invalid"
  | "project_forbidden"
  | "project_inactive"
  | "ip_not_allowed"
  | "scheme_not_allowed"
  | "method_not_enabled"
  | "payment_not_found"
  | "not_found"
  | "method_not_allowed"
  | "body_too_large"
  | "content_type_unsupported"
  | "payment_id_conflict"
  | "wrong_state"
  | "insufficient_balance"
  | "amount_out_of_limits"
  | "bank_unknown"
  | "bank_not_sbp"
  | "card_invalid"
  | "test_card_on_live_project"
  | "three_ds_result_invalid"
  | "no_provider"
  | "rate_limited"
  | "internal_error"
  | "unavailable";

export type FieldError = {
  /** The path of the member, such as `general.project_id`. Empty if the body itself is wrong. */
  readonly field: string;
  /** What is wrong with it, for programs. */
  readonly code: Open<
    | "required"
    | "unknown_member"
    | "wrong_type"
    | "not_integer"
    | "too_small"
    | "too_big"
    | "too_short"
    | "too_long"
    | "bad_format"
    | "not_allowed"
  >;
  /** What is wrong with it, for people. */
  readonly message: string;
};

/** A payment as the tester's desk shows it. */
export type SandboxPayment = {
  readonly direction: PaymentType;
  /** Your own id of the payment. */
  readonly payment_id: string;
  /** Tillgate's id of the payment, `request_id` elsewhere. */
  readonly id: string;
  /** How the money moves. A payment on the hosted page is a transfer until its payer has chosen. */
  readonly kind: Open<"transfer" | "card" | "payout">;
  /** The method; null on the hosted page until the payer has chosen. */
  readonly method: string | null;
  readonly status: PaymentStatus;
  readonly sub_status: SubStatus | null;
  /** The amount in minor units. From 1 to 10,000,000,000,000. */
  readonly amount: number;
  readonly currency: string;
  /** What has arrived, in minor units. */
  readonly received_amount: number;
  readonly requisites?: Requisites;
  /** When the time of the present state is up. */
  readonly expires_at?: string;
  readonly created_at: string;
  /** The page that takes a payer to the card's issuer, while the issuer waits. */
  readonly challenge_url?: string;
  /** The hosted page of the payment. */
  readonly form_url?: string;
  /** What the outside world can do to it now. */
  readonly actions: readonly Open<
    | "arrive"
    | "arrive_short"
    | "arrive_over"
    | "arrive_twice"
    | "arrive_late"
    | "never"
    | "refuse"
    | "take_back"
    | "approve"
    | "decline"
    | "time_out"
    | "hold"
    | "reverse"
    | "pay"
    | "reject"
    | "fail"
    | "wrong_details"
    | "return"
  >[];
};

export type SandboxClock = {
  /** How many payments of the project waited for something and moved on. */
  readonly moved: number;
  readonly seconds: number;
};

export type SandboxFaults = {
  readonly faults: readonly {
    readonly kind: Open<
      | "slow"
      | "error500_after_success"
      | "error500_before"
      | "garbage"
      | "reset"
      | "duplicate"
      | "out_of_order"
      | "method_step"
      | "plain_redirect"
      | "slow_approval"
      | "late_approval"
      | "wrong_amount"
    >;
    /** Which call it is for. `charge` is the next card charge. */
    readonly call: Open<
      | "create"
      | "confirm"
      | "release"
      | "authenticate"
      | "reverse"
      | "cancel"
      | "state"
      | "answer"
      | "notification"
      | "charge"
    >;
    readonly ms: number;
    /** How often it is still used. */
    readonly times: number | "always";
  }[];
};

export type SandboxCallbacks = {
  /** The callback URL of the project's echo endpoint. */
  readonly echo_url: string;
  /** The newest first. */
  readonly callbacks: readonly SandboxCallback[];
};

/** A callback that arrived at the project's echo endpoint. */
export type SandboxCallback = {
  readonly id: string;
  readonly received_at: string;
  /** Those that matter to a callback, by their names in small letters. */
  readonly headers: { readonly [name: string]: string };
  /** The body as it arrived, byte by byte. Signatures are over these bytes. */
  readonly body: string;
  /**
   * Pay-in or payout, and its status, such as `payin.success` or `payin.dispute.no_payment`; null if
   * the body is no callback.
   */
  readonly event: string | null;
  /** The payment that it is about; null if the body is no callback. */
  readonly payment_id: string | null;
  /** How a receiver verifies it, step by step, in this order. */
  readonly checks: readonly {
    readonly step: Open<"headers" | "timestamp" | "body" | "project" | "message" | "signature" | "standard_webhooks">;
    readonly ok: boolean;
    readonly detail: string;
  }[];
  /** Whether every step is right. */
  readonly genuine: boolean;
  /** The HTTP status that the echo endpoint answered. From 200 to 599. */
  readonly answered: number;
};

/**
 * On the payment page: each time that the payer chose how to pay, in order. Absent until the payer
 * has chosen once. In callbacks only with `success` and `decline`.
 */
type PayerAttempts = readonly PayerAttempt[];
