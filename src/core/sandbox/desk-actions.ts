import type { CardPayinState, P2pPayinState, PaymentState, PayoutState } from "../payments/states.ts";

/** What the outside world can do to a payment of a test project: a payer and a bank, a card's issuer, a payout's bank. */
export const DESK_ACTIONS = [
  "arrive",
  "arrive_short",
  "arrive_over",
  "arrive_twice",
  "arrive_late",
  "never",
  "refuse",
  "take_back",
  "approve",
  "decline",
  "time_out",
  "hold",
  "reverse",
  "pay",
  "reject",
  "fail",
  "wrong_details",
  "return",
] as const;
export type DeskAction = (typeof DESK_ACTIONS)[number];

export type DeskKind = "transfer" | "card" | "payout";

const ARRIVALS = ["arrive", "arrive_short", "arrive_over", "arrive_twice"] as const;
const EXPECTED = [...ARRIVALS, "arrive_late", "never", "refuse"] as const;

const TRANSFER = {
  "processing:new": [],
  "processing:requisites": [],
  "processing:awaiting_confirm": EXPECTED,
  "processing:paid": EXPECTED,
  "dispute:no_payment": EXPECTED,
  "dispute:confirm_timeout": ARRIVALS,
  "dispute:different_amount": ["arrive"],
  success: ["arrive"],
  decline: ["arrive"],
} as const satisfies Record<P2pPayinState, readonly DeskAction[]>;

const CHALLENGED = ["approve", "decline", "time_out", "hold"] as const;

const CARD = {
  "processing:new": [],
  "processing:awaiting_3ds_result": CHALLENGED,
  "processing:awaiting_redirect_result": CHALLENGED,
  "processing:paid": ["approve", "decline", "time_out"],
  "dispute:confirm_timeout": ["approve", "decline"],
  "dispute:different_amount": [],
  success: ["reverse"],
  decline: ["approve"],
} as const satisfies Record<CardPayinState, readonly DeskAction[]>;

const PAYOUT = {
  "processing:new": [],
  "processing:payout_process": ["pay", "reject", "fail", "wrong_details", "never"],
  "dispute:payout_failed": ["pay", "reject"],
  "dispute:payout_timeout": ["pay", "reject"],
  "dispute:incorrect_requisites": ["pay", "reject"],
  success: ["return"],
  decline: [],
} as const satisfies Record<PayoutState, readonly DeskAction[]>;

const TABLES: Readonly<Record<DeskKind, Partial<Record<PaymentState, readonly DeskAction[]>>>> = {
  transfer: TRANSFER,
  card: CARD,
  payout: PAYOUT,
};

export type ActedOn = {
  readonly kind: DeskKind;
  readonly state: PaymentState;
  /** Whether the outside world was asked for it; before that it can do nothing to it. */
  readonly isKnownOutside: boolean;
  /** Of a transfer: whether the payer was told where to pay to. */
  readonly hasRequisites: boolean;
  readonly hasReceived: boolean;
  /** Its provider took money back that was counted. It does so once. */
  readonly isContradicted: boolean;
  /** Whether the time of its present state ends. What waits for room in the merchant's balance waits as long as it takes. */
  readonly hasEnd: boolean;
};

export function actionsOn(payment: ActedOn): readonly DeskAction[] {
  const { kind, state, hasReceived, isContradicted, hasEnd } = payment;
  if (!payment.isKnownOutside || (kind === "transfer" && !payment.hasRequisites)) return [];
  const inState: readonly DeskAction[] = TABLES[kind][state] ?? [];
  const possible = kind === "transfer" && hasReceived ? [...inState, "take_back" as const] : inState;
  return possible.filter(
    (action) => !(isContradicted && TAKEN_BACK.includes(action)) && !(!hasEnd && IN_TIME.includes(action)),
  );
}

const TAKEN_BACK: readonly DeskAction[] = ["take_back", "reverse", "return"];
const IN_TIME: readonly DeskAction[] = ["arrive_late", "never", "time_out"];

/** Which actions may name a sum, and which a reason. */
export const ACTIONS_WITH_AMOUNT: readonly DeskAction[] = [...ARRIVALS, "arrive_late", "approve"];
export const ACTIONS_WITH_REASON: readonly DeskAction[] = ["decline"];
