import { DOORS, type Door } from "./watch-payment.ts";

/** One thing that is done to a payment, and the state to wait for before the next; absent: none. */
export type Step = { readonly reaches?: string } & (
  | { readonly do: "wait" | "confirm" | "cancel" }
  /** The outside world does this to the payment: `/sandbox/api/act`. */
  | { readonly do: "act"; readonly action: string; readonly reason?: string }
);

export type Scenario = {
  /** `payin.dispute.different_amount`: what is paid, its status, and its sub-status, decline code or what is special. */
  readonly name: string;
  readonly says: string;
  readonly door: Door;
  /** In minor units; its last two digits decide what the sandbox does by itself. */
  readonly amountMinor: bigint;
  /** For pay-ins by card. */
  readonly pan?: string;
  /** Ordered from the sandbox's acquirer before the payment is created. */
  readonly wish?: string;
  readonly steps: readonly Step[];
  /** The state that ends it, as `PaymentAnswer.state` writes it. */
  readonly end: string;
};

/** Last digits 02: nothing arrives unless it is sent. */
const TRANSFER = { door: DOORS.p2pPayin, amountMinor: 250_002n } as const;
const CARD = { door: DOORS.cardPayin, amountMinor: 250_000n } as const;
/** Last digits 03: the bank does nothing unless it is told to. */
const PAYOUT = { door: DOORS.p2pPayout, amountMinor: 100_003n } as const;

const APPROVED = "4242424242424242";
const THREE_DS = "4000000000003220";

const AWAITING = "processing / awaiting_confirm";
const PAID = "processing / paid";
const REQUISITES: Step = { do: "wait", reaches: AWAITING };
const CONFIRM: Step = { do: "confirm", reaches: PAID };
const CHALLENGE: Step = { do: "wait", reaches: "processing / awaiting_3ds_result" };
const SENT: Step = { do: "wait", reaches: "processing / payout_process" };
const act = (action: string, reason?: string): Step => ({
  do: "act",
  action,
  ...(reason === undefined ? {} : { reason }),
});

/** Every end that a payment can be driven to. `payin.decline` alone means the first that begins with it. */
export const SCENARIOS: readonly Scenario[] = [
  {
    name: "payin.success",
    says: "the payer confirms, and the transfer arrives",
    ...TRANSFER,
    steps: [REQUISITES, CONFIRM, act("arrive")],
    end: "success",
  },
  {
    name: "payin.success.unconfirmed",
    says: "the transfer arrives before the payer confirms",
    ...TRANSFER,
    steps: [REQUISITES, act("arrive")],
    end: "success",
  },
  {
    name: "payin.success.late",
    says: "the transfer arrives after the lifetime; moves the clock",
    ...TRANSFER,
    steps: [REQUISITES, act("arrive_late")],
    end: "success",
  },
  {
    name: "payin.success.twice",
    says: "the payer sends it twice; the second is unallocated",
    ...TRANSFER,
    steps: [REQUISITES, CONFIRM, act("arrive_twice")],
    end: "success",
  },
  {
    name: "payin.decline.provider_declined",
    says: "the provider cancels it",
    ...TRANSFER,
    steps: [REQUISITES, act("refuse")],
    end: "decline (provider_declined)",
  },
  {
    name: "payin.decline.cancelled",
    says: "your server cancels it",
    ...TRANSFER,
    steps: [REQUISITES, { do: "cancel" }],
    end: "decline (cancelled)",
  },
  {
    name: "payin.decline.no_requisites",
    says: "no provider has requisites",
    door: DOORS.p2pPayin,
    amountMinor: 250_005n,
    steps: [],
    end: "decline (no_requisites)",
  },
  {
    name: "payin.decline.expired",
    says: "the payer never pays; moves the clock",
    ...TRANSFER,
    steps: [REQUISITES, { do: "act", action: "never", reaches: "dispute / no_payment" }, act("never")],
    end: "decline (expired)",
  },
  {
    name: "payin.dispute.different_amount",
    says: "less arrives than was asked for",
    ...TRANSFER,
    steps: [REQUISITES, CONFIRM, act("arrive_short")],
    end: "dispute / different_amount",
  },
  {
    name: "payin.dispute.different_amount.over",
    says: "more arrives than was asked for",
    ...TRANSFER,
    steps: [REQUISITES, CONFIRM, act("arrive_over")],
    end: "dispute / different_amount",
  },
  {
    name: "payin.dispute.no_payment",
    says: "the lifetime ends without a transfer; moves the clock",
    ...TRANSFER,
    steps: [REQUISITES, act("never")],
    end: "dispute / no_payment",
  },
  {
    name: "payin.dispute.confirm_timeout",
    says: "the payer confirms, and no transfer arrives; moves the clock",
    ...TRANSFER,
    steps: [REQUISITES, CONFIRM, act("never")],
    end: "dispute / confirm_timeout",
  },
  {
    name: "payin.processing.awaiting_confirm",
    says: "the payer has the requisites",
    ...TRANSFER,
    steps: [],
    end: AWAITING,
  },
  {
    name: "payin.processing.paid",
    says: "the payer has confirmed",
    ...TRANSFER,
    steps: [REQUISITES, { do: "confirm" }],
    end: PAID,
  },

  {
    name: "card.success",
    says: "the card is charged without a challenge",
    ...CARD,
    pan: APPROVED,
    steps: [],
    end: "success",
  },
  {
    name: "card.success.three_ds",
    says: "the issuer challenges the payer, and approves",
    ...CARD,
    pan: THREE_DS,
    steps: [CHALLENGE, act("approve")],
    end: "success",
  },
  {
    name: "card.decline.provider_declined",
    says: "the issuer declines the card",
    ...CARD,
    pan: "4000000000000002",
    steps: [],
    end: "decline (provider_declined)",
  },
  {
    name: "card.decline.insufficient_funds",
    says: "there is not enough money on the card",
    ...CARD,
    pan: "4000000000009995",
    steps: [],
    end: "decline (insufficient_funds)",
  },
  {
    name: "card.decline.card_expired",
    says: "the issuer says that the card has expired",
    ...CARD,
    pan: "4000000000000069",
    steps: [],
    end: "decline (card_expired)",
  },
  {
    name: "card.decline.three_ds_failed",
    says: "the payer fails the issuer's challenge",
    ...CARD,
    pan: THREE_DS,
    steps: [CHALLENGE, act("decline", "authentication_failed")],
    end: "decline (three_ds_failed)",
  },
  {
    name: "card.decline.expired",
    says: "the payer leaves the challenge; moves the clock",
    ...CARD,
    pan: THREE_DS,
    steps: [CHALLENGE, act("time_out")],
    end: "decline (expired)",
  },
  {
    name: "card.dispute.different_amount",
    says: "the card is charged for another amount",
    ...CARD,
    pan: APPROVED,
    wish: "wrong_amount",
    steps: [],
    end: "dispute / different_amount",
  },
  {
    name: "card.dispute.confirm_timeout",
    says: "the acquirer does not report the result for a day; moves the clock",
    ...CARD,
    pan: THREE_DS,
    steps: [CHALLENGE, act("hold"), act("time_out")],
    end: "dispute / confirm_timeout",
  },
  {
    name: "card.processing.awaiting_3ds_result",
    says: "the issuer waits for the payer",
    ...CARD,
    pan: THREE_DS,
    steps: [],
    end: "processing / awaiting_3ds_result",
  },

  { name: "payout.success", says: "the bank pays the receiver", ...PAYOUT, steps: [SENT, act("pay")], end: "success" },
  {
    name: "payout.decline.provider_declined",
    says: "the bank rejects it; the money is back on the balance",
    ...PAYOUT,
    steps: [SENT, act("reject")],
    end: "decline (provider_declined)",
  },
  {
    name: "payout.dispute.payout_failed",
    says: "it may have left, and failed",
    ...PAYOUT,
    steps: [SENT, act("fail")],
    end: "dispute / payout_failed",
  },
  {
    name: "payout.dispute.incorrect_requisites",
    says: "the receiver's details are wrong",
    ...PAYOUT,
    steps: [SENT, act("wrong_details")],
    end: "dispute / incorrect_requisites",
  },
  {
    name: "payout.dispute.payout_timeout",
    says: "the bank does not answer in time; moves the clock",
    ...PAYOUT,
    steps: [SENT, act("never")],
    end: "dispute / payout_timeout",
  },
  {
    name: "payout.processing.payout_process",
    says: "the bank is executing it",
    ...PAYOUT,
    steps: [],
    end: "processing / payout_process",
  },
];

/** By its name, or by the beginning of it up to a point. */
export function findScenario(name: string): Scenario | undefined {
  return (
    SCENARIOS.find((scenario) => scenario.name === name) ??
    SCENARIOS.find((scenario) => scenario.name.startsWith(`${name}.`))
  );
}

/** What a person may type: every name, and the shorter ones. */
export const SCENARIO_WORDS: readonly string[] = [
  ...new Set(SCENARIOS.flatMap(({ name }) => [name.split(".").slice(0, 2).join("."), name])),
];
