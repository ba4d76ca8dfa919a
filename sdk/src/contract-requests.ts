// Written by tools/contract-types.mjs from docs/openapi.yaml: change the document, and run it.

export type P2pPayinRequest = {
  readonly general: General;
  readonly payment: P2pPayinTerms;
  readonly sender?: Sender | undefined;
  readonly customer: Customer;
};

export type P2pPayoutRequest =
  | {
      readonly general: General;
      readonly payment: P2pPayoutTerms & {
        readonly method: "card-p2p";
      };
      readonly receiver: {
        /** `card-p2p`, `card-ecom`: the number of the card, digits only. */
        readonly pan: string;
        /** `card-p2p`, `card-ecom`: the name on the card, if you know it. */
        readonly card_holder?: string | undefined;
      };
      readonly customer: Customer;
    }
  | {
      readonly general: General;
      readonly payment: P2pPayoutTerms & {
        readonly method: "sbp-p2p";
      };
      readonly receiver: {
        /** `sbp-p2p`, `mobile-p2p`, `phone-p2p`: the phone, with `+` and the country's code, without spaces. */
        readonly phone: string;
        /** `sbp-p2p`, `mobile-p2p`, `account-number`: the `symbol` of the receiver's bank. */
        readonly bank: string;
      };
      readonly customer: Customer;
    }
  | {
      readonly general: General;
      readonly payment: P2pPayoutTerms & {
        readonly method: "mobile-p2p";
      };
      readonly receiver: {
        /** `sbp-p2p`, `mobile-p2p`, `phone-p2p`: the phone, with `+` and the country's code, without spaces. */
        readonly phone: string;
        /** `sbp-p2p`, `mobile-p2p`, `account-number`: the `symbol` of the receiver's bank. */
        readonly bank: string;
      };
      readonly customer: Customer;
    }
  | {
      readonly general: General;
      readonly payment: P2pPayoutTerms & {
        readonly method: "phone-p2p";
      };
      readonly receiver: {
        /** `sbp-p2p`, `mobile-p2p`, `phone-p2p`: the phone, with `+` and the country's code, without spaces. */
        readonly phone: string;
      };
      readonly customer: Customer;
    }
  | {
      readonly general: General;
      readonly payment: P2pPayoutTerms & {
        readonly method: "account-number";
      };
      readonly receiver: {
        /** `account-number`: the number of the account. */
        readonly account_number: string;
        /** `sbp-p2p`, `mobile-p2p`, `account-number`: the `symbol` of the receiver's bank. */
        readonly bank: string;
        /** `account-number`: the receiver's name. */
        readonly name: string;
      };
      readonly customer: Customer;
    };

export type EcomPayinRequest = {
  readonly general: General;
  readonly payment: EcomPayinTerms;
  readonly card: Card;
  readonly customer: CardCustomer;
};

export type EcomPayoutRequest = {
  readonly general: General;
  readonly payment: EcomPayoutTerms & {
    readonly method: "card-ecom";
  };
  readonly receiver: {
    /** `card-p2p`, `card-ecom`: the number of the card, digits only. */
    readonly pan: string;
    /** `card-p2p`, `card-ecom`: the name on the card, if you know it. */
    readonly card_holder?: string | undefined;
  };
  readonly customer: Customer;
};

export type WidgetPayinRequest = {
  readonly general: General;
  readonly payment: WidgetTerms;
  readonly customer: WidgetCustomer;
};

/** What the call is about, and where we report to. */
export type General = {
  /** The id of your project, as the operator has given it to you. */
  readonly project_id: string;
  /**
   * Your own id of the new payment, permanently unique among the pay-ins of the project, or among its
   * payouts. Lengths count characters (code points), not bytes.
   */
  readonly payment_id: string;
  /** Where callbacks go, unless a more special URL is set. See Callbacks. */
  readonly merchant_callback_url?: string | undefined;
  /** Where the callback for `success` goes. */
  readonly merchant_success_callback_url?: string | undefined;
  /** Where the callback for `decline` goes. */
  readonly merchant_decline_callback_url?: string | undefined;
  /** Where the payer's browser returns to, for methods that take it elsewhere. */
  readonly redirect_url?: string | undefined;
};

/** Your customer, who pays or is paid. */
export type Customer = {
  /** Your own id of the customer. Limits per customer go by it. */
  readonly id: string;
  /** The customer's IPv4 or IPv6 address, without a network's length or an interface's name behind it. */
  readonly ip_address: string;
  /** The country's code of ISO 3166-1. */
  readonly country?: string | undefined;
  /** The language's code of ISO 639-1. */
  readonly language?: string | undefined;
  /**
   * An e-mail address, in letters of any script. The service is finer than this pattern: the labels of
   * the domain are letters, digits and dashes, with no dash at either end, and no invisible characters
   * are taken anywhere.
   */
  readonly email?: string | undefined;
  /** A phone number with `+` and the country's code in front, and no spaces. */
  readonly phone?: string | undefined;
  /** The first name. */
  readonly first_name?: string | undefined;
  /** The last name. */
  readonly last_name?: string | undefined;
};

/** What is known of the payer's side. May be absent or empty. */
export type Sender = {
  /**
   * The `symbol` of the payer's bank. Requisites of that bank are preferred; with `sbp-p2p` and
   * `mobile-p2p` no others are given.
   */
  readonly bank?: string | undefined;
  /** The last four digits of the payer's card. */
  readonly pan_last4?: string | undefined;
  /** The payer's name, as the bank knows it. */
  readonly name?: string | undefined;
  /** A phone number with `+` and the country's code in front, and no spaces. */
  readonly phone?: string | undefined;
};

/** The payer's card. Its code is used once and kept nowhere. */
export type Card = {
  /** The number of the card, digits only. */
  readonly pan: string;
  /** The code on the card, 3 digits, or 4 on American Express. */
  readonly cvv: string;
  /** The name on the card. */
  readonly card_holder: string;
  /** The month to the end of which the card is good. From 1 to 12. */
  readonly expiry_month: number;
  /** The year of that month, with its four digits. From 1,000 to 9,999. */
  readonly expiry_year: number;
};

/**
 * What the issuer judges the payer's browser by. The more of it you send, the fewer payers are asked
 * for a code.
 */
export type Browser = {
  /** The header `accept` that the browser sent to you. */
  readonly accept_header?: string | undefined;
  /** The header `user-agent` that the browser sent to you. */
  readonly user_agent?: string | undefined;
  /** What `navigator.language` says. */
  readonly language?: string | undefined;
  /** What `screen.colorDepth` says. From -100,000 to 100,000. */
  readonly color_depth?: number | undefined;
  /** What `screen.width` says. From -100,000 to 100,000. */
  readonly screen_width?: number | undefined;
  /** What `screen.height` says. From -100,000 to 100,000. */
  readonly screen_height?: number | undefined;
  /** What `new Date().getTimezoneOffset()` says, in minutes. From -100,000 to 100,000. */
  readonly timezone_offset?: number | undefined;
  /** What `navigator.javaEnabled()` says. */
  readonly java_enabled?: boolean | undefined;
};

/** What the payer's browser brought back from the issuer. Either `cres`, or `pa_res` and `md`. */
export type ThreeDsResult =
  | {
      /** 3-D Secure 2: the field `cres`. */
      readonly cres: string;
    }
  | {
      /** 3-D Secure 1: the field `PaRes`. */
      readonly pa_res: string;
      /** 3-D Secure 1: the field `MD`. */
      readonly md: string;
    };

export type SandboxPaymentsRequest = {
  readonly general: GeneralOfProject;
  /** How many payments at most. From 1 to 50; 50 when absent. */
  readonly limit?: number | undefined;
};

export type SandboxPaymentRequest = {
  readonly general: GeneralOfPayment;
  /** Which of the payments with this `payment_id`. */
  readonly direction?: "payin" | "payout" | undefined;
};

export type SandboxActRequest = {
  readonly general: GeneralOfPayment;
  /** Which of the payments with this `payment_id`. */
  readonly direction?: "payin" | "payout" | undefined;
  /** What the outside world does. It must be one of the payment's `actions`. */
  readonly action:
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
    | "return";
  /**
   * The sum that arrives or is charged, in minor units. Only with the arrivals and `approve`. From 1 to
   * 10,000,000,000,000.
   */
  readonly amount?: number | undefined;
  /** Why the issuer declines. Only with `decline`. */
  readonly reason?:
    | "card_declined"
    | "insufficient_funds"
    | "card_expired"
    | "processing_error"
    | "authentication_failed"
    | "cancelled"
    | "expired"
    | undefined;
};

export type SandboxFaultRequest = {
  readonly general: GeneralOfProject;
  /** What goes wrong. */
  readonly kind:
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
    | "wrong_amount";
  /**
   * Which of the sandbox's calls; `answer` is all but the notifications. Absent, the usual one for
   * `kind`.
   */
  readonly call?:
    | "create"
    | "confirm"
    | "release"
    | "authenticate"
    | "reverse"
    | "cancel"
    | "state"
    | "answer"
    | "notification"
    | undefined;
  /** How long `slow`, `slow_approval` and `late_approval` take. From 0 to 600,000. */
  readonly ms?: number | undefined;
  /** How often. */
  readonly times?: number | "always" | undefined;
};

export type SandboxCallbacksRequest = {
  readonly general: GeneralOfProject;
  /** The `id` of a callback that you have seen. */
  readonly after?: string | undefined;
};

export type SandboxEchoAnswerRequest = {
  readonly general: GeneralOfProject;
  /** The HTTP status to answer. From 200 to 599. */
  readonly status: number;
  /** How often, before it answers 204 again. */
  readonly times?: number | "always" | undefined;
};

/** What is to be paid, and how. */
type P2pPayinTerms = {
  /** The payment method. See Methods. */
  readonly method:
    | "card-p2p"
    | "sbp-p2p"
    | "phone-p2p"
    | "mobile-p2p"
    | "account-number"
    | "international-p2p"
    | "qr-link-p2p"
    | "wallet-link"
    | "ussd";
  readonly payment_system?: PaymentSystem | undefined;
  /** The amount in minor units. From 1 to 10,000,000,000,000. */
  readonly amount: number;
  /**
   * The currency's code of ISO 4217. A code of this list that the method does not have, or that the
   * project does not, is 403 `method_not_enabled`.
   */
  readonly currency: string;
  /** May be sent, and then says what the path says. */
  readonly type?: "payin" | undefined;
  /** What the payment is for, in your words. */
  readonly description?: string | undefined;
  /**
   * How many seconds the payer has. `expires_at` is the creation and this. From 300 to 900; 900 when
   * absent.
   */
  readonly lifetime?: number | undefined;
};

/** What is to be paid, and how. */
type P2pPayoutTerms = {
  /** The payment method. See Methods. */
  readonly method: "card-p2p" | "sbp-p2p" | "phone-p2p" | "mobile-p2p" | "account-number";
  readonly payment_system?: PaymentSystem | undefined;
  /** The amount in minor units. From 1 to 10,000,000,000,000. */
  readonly amount: number;
  /**
   * The currency's code of ISO 4217. A code of this list that the method does not have, or that the
   * project does not, is 403 `method_not_enabled`.
   */
  readonly currency: string;
  /** May be sent, and then says what the path says. */
  readonly type?: "payout" | undefined;
  /** What the payment is for, in your words. */
  readonly description?: string | undefined;
};

/** What is to be paid. */
type EcomPayinTerms = {
  /** The payment method. */
  readonly method: "card-ecom";
  readonly payment_system?: PaymentSystem | undefined;
  /** The amount in minor units. From 1 to 10,000,000,000,000. */
  readonly amount: number;
  /**
   * The currency's code of ISO 4217. A code of this list that the method does not have, or that the
   * project does not, is 403 `method_not_enabled`.
   */
  readonly currency: string;
  /** May be sent, and then says what the path says. */
  readonly type?: "payin" | undefined;
  /** What the payment is for, in your words. */
  readonly description?: string | undefined;
  /**
   * How many seconds the payer has. `expires_at` is the creation and this. From 300 to 600; 600 when
   * absent.
   */
  readonly lifetime?: number | undefined;
};

/** Your customer, who pays. */
type CardCustomer = {
  /** Your own id of the customer. Limits per customer go by it. */
  readonly id: string;
  /** The customer's IPv4 or IPv6 address, without a network's length or an interface's name behind it. */
  readonly ip_address: string;
  /** The country's code of ISO 3166-1. */
  readonly country?: string | undefined;
  /** The language's code of ISO 639-1. */
  readonly language?: string | undefined;
  /**
   * An e-mail address, in letters of any script. The service is finer than this pattern: the labels of
   * the domain are letters, digits and dashes, with no dash at either end, and no invisible characters
   * are taken anywhere.
   */
  readonly email?: string | undefined;
  /** A phone number with `+` and the country's code in front, and no spaces. */
  readonly phone?: string | undefined;
  /** The first name. */
  readonly first_name?: string | undefined;
  /** The last name. */
  readonly last_name?: string | undefined;
  readonly browser?: Browser | undefined;
};

/** What is to be paid. */
type EcomPayoutTerms = {
  /** The payment method. */
  readonly method: "card-ecom";
  readonly payment_system?: PaymentSystem | undefined;
  /** The amount in minor units. From 1 to 10,000,000,000,000. */
  readonly amount: number;
  /**
   * The currency's code of ISO 4217. A code of this list that the method does not have, or that the
   * project does not, is 403 `method_not_enabled`.
   */
  readonly currency: string;
  /** May be sent, and then says what the path says. */
  readonly type?: "payout" | undefined;
  /** What the payment is for, in your words. */
  readonly description?: string | undefined;
};

/** What is to be paid. */
type WidgetTerms = {
  readonly payment_system?: PaymentSystem | undefined;
  /** The amount in minor units. From 1 to 10,000,000,000,000. */
  readonly amount: number;
  /**
   * The currency's code of ISO 4217. A code of this list that the method does not have, or that the
   * project does not, is 403 `method_not_enabled`.
   */
  readonly currency: string;
  /** May be sent, and then says what the path says. */
  readonly type?: "payin" | undefined;
  /** What the payment is for, in your words. */
  readonly description?: string | undefined;
  /** The method that the page shows first. The payer may choose another. */
  readonly widget_method?:
    | "payin-p2p-card"
    | "payin-p2p-sbp"
    | "payin-p2p-phone"
    | "payin-p2p-mobile"
    | "payin-p2p-international"
    | "payin-qr-link-p2p"
    | "payin-ecom-card"
    | undefined;
  /**
   * How many seconds the payer has to choose. `expires_at` is the creation and this, until the payer
   * has chosen. From 300 to 600; 600 when absent.
   */
  readonly lifetime?: number | undefined;
};

/** Your customer, who pays. */
type WidgetCustomer = {
  /** Your own id of the customer. Limits per customer go by it. */
  readonly id: string;
  /** The customer's IPv4 or IPv6 address, without a network's length or an interface's name behind it. */
  readonly ip_address?: string | undefined;
  /** The country's code of ISO 3166-1. */
  readonly country?: string | undefined;
  /** The language's code of ISO 639-1. */
  readonly language?: string | undefined;
  /**
   * An e-mail address, in letters of any script. The service is finer than this pattern: the labels of
   * the domain are letters, digits and dashes, with no dash at either end, and no invisible characters
   * are taken anywhere.
   */
  readonly email?: string | undefined;
  /** A phone number with `+` and the country's code in front, and no spaces. */
  readonly phone?: string | undefined;
  /** The first name. */
  readonly first_name?: string | undefined;
  /** The last name. */
  readonly last_name?: string | undefined;
};

/** What the call is about. */
type GeneralOfProject = {
  /** The id of your project, as the operator has given it to you. */
  readonly project_id: string;
};

/** Which payment the call is about. */
type GeneralOfPayment = {
  /** The id of your project, as the operator has given it to you. */
  readonly project_id: string;
  /** Your own id of the payment. Lengths count characters (code points), not bytes. */
  readonly payment_id: string;
};

/**
 * The code of the provider to process through. Leave it out unless the operator asks you to name one.
 * A provider that the service does not run is refused, and so is one that does not fit the project:
 * `sandbox` is for test projects.
 */
type PaymentSystem = "sandbox" | "pool";
