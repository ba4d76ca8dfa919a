import type { CardAcquirer } from "./card-acquirer.ts";
import type { Currency } from "./currency.ts";
import type { Direction, Method } from "./merchants/methods.ts";
import type { Minor } from "./money.ts";
import type { RequestCustomer } from "./request-customer.ts";
import type { Result } from "./result.ts";

/**
 * What a provider is to us. A connector speaks one provider's language and answers in these words, and in no others: a
 * word of the provider's that it does not know is "unknown", never a guess. A time-out is not a failure.
 *
 * Every request carries a reference that was fixed and committed before the first call. A repeat under
 * the same reference is never a second request: it is answered with what was done, and another request is refused. So a
 * provider that remembers more than we do, after a restore of an older backup, is never paid twice for one payment.
 */
export type Connector = {
  /** The code of the provider: `sandbox`. It names its clearing account. */
  readonly code: string;
  readonly offers: (direction: Direction, method: Method, currency: Currency) => boolean;
  readonly askForRequisites: (request: PayinRequest) => Promise<RequisitesAnswer>;
  /** The payer says that the transfer was made. The answer may hold the order's state, so that it need not be asked for. */
  readonly reportConfirm: (
    reference: string,
  ) => Promise<{ readonly kind: "done"; readonly state?: PayinState } | { readonly kind: "unknown" }>;
  /** The payment is over: the provider may lend the requisites to another payer. */
  readonly releaseRequisites: (reference: string) => Promise<Acknowledgement>;
  /**
   * The payment waits for a person, perhaps for days: the provider may lend the account to other payers meanwhile, and
   * still reports what comes for this request. Absent: the provider does not lend accounts of its own accord.
   */
  readonly freePlace?: (reference: string) => Promise<Acknowledgement>;
  readonly askPayinState: (reference: string) => Promise<PayinState>;
  readonly sendPayout: (request: PayoutRequest) => Promise<PayoutOutcome>;
  readonly askPayoutState: (reference: string) => Promise<PayoutState>;
  /** What a notification is about, if it is the provider's: one thing or several. It is only a hint to ask. */
  readonly readNotification: (
    notification: Notification,
  ) => Result<readonly NotificationSubject[], "not_authentic" | "not_understood">;
  /** Absent: the provider does not charge cards. */
  readonly cards?: CardAcquirer;
  /** Absent: it is always asked, and by as many calls at a time as there are. */
  readonly health?: ConnectorHealth;
  /** Absent: the provider keeps no books for us that we could read. */
  readonly books?: ProviderBooks;
};

/** Whether a provider answered of late, as this process saw it. */
export type ConnectorHealth = {
  /**
   * Whether a new payment of this name may go to it now. After a time without answers one is let through at a time, to try
   * it: the name that was let through is let through again until its call has ended. Without a name it only says whether one would be.
   */
  readonly admits: (key: string | undefined) => boolean;
  /** Whether it may be asked now about a payment that it has: while it does not answer, only now and then. */
  readonly mayAsk: () => boolean;
  readonly callsMax: number;
};

/** What a provider holds for us and what it says of one request, to compare with what we have. Undefined: no answer now. */
export type ProviderBooks = {
  readonly readBalances: () => Promise<readonly ProviderBalance[] | undefined>;
  readonly readBanks: () => Promise<readonly ProviderBank[] | undefined>;
  readonly readEntry: (subject: NotificationSubject) => Promise<ProviderEntry>;
};

export type ProviderBalance = { readonly currency: Currency; readonly amount: Minor; readonly lockedAmount: Minor };

export type ProviderBank = {
  readonly symbol: string;
  readonly name: string;
  /** Its code in the fast payment system; undefined: it is not in it. */
  readonly sbpCode: string | undefined;
  readonly countryCode: string;
};

export type ProviderEntry =
  | {
      readonly kind: "entry";
      readonly status: "success" | "decline" | "open";
      /** The provider's own words. */
      readonly word: string;
      /** What the provider credited or sent, or where nothing moved what was asked for. */
      readonly amount: Minor;
      readonly currency: Currency;
      readonly fee: Minor | undefined;
    }
  | { readonly kind: "never_seen" }
  | { readonly kind: "unknown" };

export type PayinRequest = {
  readonly reference: string;
  readonly projectId: string;
  readonly method: Method;
  readonly amount: Minor;
  readonly currency: Currency;
  /** The bank that the payer sends from: preferred, or for some methods the only one that will do. */
  readonly bank: { readonly symbol: string; readonly required: boolean } | undefined;
  readonly expiresAt: Date;
  /** How long the payment lives, from its creation; unlike what is left of it, the same in every repeat. */
  readonly lifetimeS: number;
  readonly customer: RequestCustomer;
};

/** Where the payer is to send the money. */
export type Requisites = {
  readonly type: "card" | "phone" | "account" | "link";
  /** The card's, phone's or account's number, or the link's address. */
  readonly value: string;
  readonly holder: string | undefined;
  readonly bank: string | undefined;
  readonly bankName: string | undefined;
};

export type RequisitesAnswer =
  | { readonly kind: "issued"; readonly requisites: Requisites }
  /** Certainly none were issued under this reference. */
  | { readonly kind: "none" }
  | { readonly kind: "pending" }
  | { readonly kind: "unknown" };

export type Acknowledgement = { readonly kind: "done" } | { readonly kind: "unknown" };

/** Money that arrived at the provider for a request, named by the provider so that it is counted once. */
export type ReportedReceipt = {
  readonly receiptReference: string;
  readonly amount: Minor;
  readonly receivedAt: Date;
  /** Which of the provider's accounts it came to, where each has books of its own. */
  readonly account?: string;
  /** The provider took it back. */
  readonly reversed?: true;
};

export type ReportedMoney = {
  /** Each piece of money by its own name. */
  readonly receipts: readonly ReportedReceipt[];
  /**
   * For a provider that names no pieces: all that arrived so far. What it says beyond what was counted is one more receipt;
   * less than was counted: it took money back.
   */
  readonly total?: { readonly amount: Minor; readonly receivedAt: Date };
  /** What the provider keeps of it for itself, once that is certain. */
  readonly fee?: Minor;
  /** Of all these sums, where the provider tells it. */
  readonly currency?: Currency;
};

export type PayinState =
  | ({ readonly kind: "open"; readonly requisites: Requisites | undefined } & ReportedMoney)
  | ({ readonly kind: "declined" } & ReportedMoney)
  | { readonly kind: "never_seen" }
  | { readonly kind: "unknown" };

export type PayoutRequest = {
  readonly reference: string;
  readonly projectId: string;
  readonly method: Method;
  readonly amount: Minor;
  readonly currency: Currency;
  readonly receiver: PayoutReceiver;
  readonly customer: RequestCustomer;
  /**
   * It is a repeat, and this is when its reference was committed: an earlier call, perhaps of another process, may still be on its
   * way. Absent: no call was made under this reference.
   */
  readonly repeatedSince?: Date;
};

export type PayoutReceiver =
  | { readonly type: "card"; readonly pan: string; readonly holder: string | undefined }
  | { readonly type: "phone"; readonly phone: string; readonly bank: string | undefined }
  | { readonly type: "account"; readonly accountNumber: string; readonly bank: string; readonly name: string };

/** Of the request that the provider has: what it did, and for which sum, where the provider tells it. */
export type PayoutState =
  | (PayoutOutcome & { readonly requested?: { readonly amount: Minor; readonly currency: Currency } })
  | { readonly kind: "never_seen" };

export type PayoutOutcome =
  | {
      readonly kind: "approved";
      /** Which of the provider's accounts it left from, as above. */
      readonly account?: string;
      /** What the provider charges us for it. */
      readonly fee?: Minor;
    }
  /** Certainly not sent: it may go by another route. */
  | { readonly kind: "declined"; readonly reason: "insufficient_funds" | "receiver_wrong" | "other" }
  | { readonly kind: "pending" }
  /** Accepted, then failed: the money may have left. */
  | { readonly kind: "may_have_left" }
  /** Accepted, then the receiver's details turned out to be wrong. */
  | { readonly kind: "receiver_wrong" }
  /** It left, and the provider says that it came back. */
  | { readonly kind: "returned" }
  /** The provider has another request under this reference. Nothing was done for this one, and that one may have left. */
  | { readonly kind: "conflict" }
  | { readonly kind: "unknown" };

export type Notification = {
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly rawBody: Buffer;
};

/** `charge`: a card charge, which `cards` is to be asked about; anything else is a request of that direction. */
export type NotificationSubject = { readonly direction: Direction | "charge"; readonly reference: string };
