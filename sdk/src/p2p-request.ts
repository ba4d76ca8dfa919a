import type { Customer, General, Terms } from "./request-blocks.ts";

export type P2pPayinMethod =
  | "card-p2p"
  | "sbp-p2p"
  | "phone-p2p"
  | "mobile-p2p"
  | "account-number"
  | "international-p2p"
  | "qr-link-p2p"
  | "wallet-link"
  | "ussd";

/** What is known of the payer's side. */
export type Sender = {
  /** A bank's `symbol`: requisites of that bank are preferred; with `sbp-p2p` and `mobile-p2p` no others are given. */
  readonly bank?: string | undefined;
  readonly pan_last4?: string | undefined;
  readonly name?: string | undefined;
  readonly phone?: string | undefined;
};

export type P2pPayinRequest = {
  readonly general: General;
  readonly payment: Terms<P2pPayinMethod> & {
    readonly type?: "payin" | undefined;
    /** Seconds to pay in, from 300 to 900; 900 when absent. */
    readonly lifetime?: number | undefined;
  };
  readonly sender?: Sender | undefined;
  readonly customer: Customer;
};

/** What each payout method pays to. */
export type P2pReceivers = {
  readonly "card-p2p": { readonly pan: string; readonly card_holder?: string | undefined };
  readonly "sbp-p2p": { readonly phone: string; readonly bank: string };
  readonly "mobile-p2p": { readonly phone: string; readonly bank: string };
  readonly "phone-p2p": { readonly phone: string };
  readonly "account-number": { readonly account_number: string; readonly bank: string; readonly name: string };
};

export type P2pPayoutMethod = keyof P2pReceivers;

type PayoutBy<Method extends P2pPayoutMethod> = {
  readonly general: General;
  readonly payment: Terms<Method> & { readonly type?: "payout" | undefined };
  readonly receiver: P2pReceivers[Method];
  readonly customer: Customer;
};

/** One form for each method, so that a receiver that does not go with the method does not compile. */
export type P2pPayoutRequest = { [Method in P2pPayoutMethod]: PayoutBy<Method> }[P2pPayoutMethod];
