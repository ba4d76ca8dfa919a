import type { JsonObject } from "../../platform/strict-json.ts";
import { testCard } from "./new-payment.ts";
import type { PageDeed } from "./payer-page.ts";
import type { ActDetails } from "./sandbox-api.ts";
import { DOORS, type Door } from "./watch-payment.ts";

/** One thing that is done to a payment, and the state to wait for before the next; absent: none. */
export type Step = { readonly reaches?: string } & (
  | { readonly do: "wait" | "confirm" | "cancel" }
  /** The outside world does this to the payment: `/sandbox/api/act`. */
  | { readonly do: "act"; readonly action: string; readonly details?: ActDetails }
  /** The payer does this on the hosted payment page. */
  | { readonly do: "page"; readonly deed: PageDeed; readonly body: JsonObject }
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
  readonly steps: readonly Step[];
  /** The state that ends it, as `PaymentAnswer.state` writes it. */
  readonly end: string;
};

/** The payment, before anything happens to it. */
type Start = Pick<Scenario, "door" | "amountMinor" | "pan">;

/** Last digits 02: nothing arrives unless it is sent. */
const TRANSFER: Start = { door: DOORS.p2pPayin, amountMinor: 250_002n };
const NO_REQUISITES: Start = { door: DOORS.p2pPayin, amountMinor: 250_005n };
const PAGE: Start = { door: DOORS.page, amountMinor: 250_002n };
/** Last digits 03: the bank does nothing unless it is told to. */
const PAYOUT: Start = { door: DOORS.p2pPayout, amountMinor: 100_003n };
const APPROVED_PAN = "4242424242424242";
const card = (pan: string): Start => ({ door: DOORS.cardPayin, amountMinor: 250_000n, pan });
const APPROVED = card(APPROVED_PAN);
const THREE_DS = card("4000000000003220");

const AWAITING = "processing / awaiting_confirm";
const PAID = "processing / paid";
const CHALLENGED = "processing / awaiting_3ds_result";
const EXECUTED = "processing / payout_process";
const REQUISITES: Step = { do: "wait", reaches: AWAITING };
const CONFIRM: Step = { do: "confirm", reaches: PAID };
const CHALLENGE: Step = { do: "wait", reaches: CHALLENGED };
const SENT: Step = { do: "wait", reaches: EXECUTED };
const act = (action: string, details: ActDetails = {}): Step => ({ do: "act", action, details });
const onPage = (deed: PageDeed, body: JsonObject = {}): Step => ({ do: "page", deed, body });
const CHOSEN: Step = { ...onPage("choose", { method: "payin-p2p-card" }), reaches: AWAITING };
const CONFIRMED: Step = { ...onPage("confirm"), reaches: PAID };
const EXPIRED: Step = { ...act("never"), reaches: "dispute / no_payment" };

/** What happens, and how it ends. Those that move the clock say so. */
type Row = readonly [name: string, start: Start, steps: readonly Step[], end: string, says: string];

// biome-ignore format: a table, one row a line.
const ROWS: readonly Row[] = [
  ["payin.success", TRANSFER, [REQUISITES, CONFIRM, act("arrive")], "success", "the payer confirms, and the transfer arrives"],
  ["payin.success.unconfirmed", TRANSFER, [REQUISITES, act("arrive")], "success", "the transfer arrives before the payer confirms"],
  ["payin.success.late", TRANSFER, [REQUISITES, act("arrive_late")], "success", "the transfer arrives after the lifetime; moves the clock"],
  ["payin.success.twice", TRANSFER, [REQUISITES, CONFIRM, act("arrive_twice")], "success", "the payer sends it twice; the second is unallocated"],
  ["payin.decline.provider_declined", TRANSFER, [REQUISITES, act("refuse")], "decline (provider_declined)", "the provider cancels it"],
  ["payin.decline.cancelled", TRANSFER, [REQUISITES, { do: "cancel" }], "decline (cancelled)", "your server cancels it"],
  ["payin.decline.no_requisites", NO_REQUISITES, [], "decline (no_requisites)", "no provider has requisites"],
  ["payin.decline.expired", TRANSFER, [REQUISITES, EXPIRED, act("never")], "decline (expired)", "the payer never pays; moves the clock"],
  ["payin.dispute.different_amount", TRANSFER, [REQUISITES, CONFIRM, act("arrive_short")], "dispute / different_amount", "less arrives than was asked for"],
  ["payin.dispute.different_amount.over", TRANSFER, [REQUISITES, CONFIRM, act("arrive_over")], "dispute / different_amount", "more arrives than was asked for"],
  ["payin.dispute.no_payment", TRANSFER, [REQUISITES, act("never")], "dispute / no_payment", "the lifetime ends without a transfer; moves the clock"],
  ["payin.dispute.confirm_timeout", TRANSFER, [REQUISITES, CONFIRM, act("never")], "dispute / confirm_timeout", "the payer confirms, and no transfer arrives; moves the clock"],
  ["payin.processing.awaiting_confirm", TRANSFER, [], AWAITING, "the payer has the requisites"],
  ["payin.processing.paid", TRANSFER, [REQUISITES, { do: "confirm" }], PAID, "the payer has confirmed"],

  ["card.success", APPROVED, [], "success", "the card is charged without a challenge"],
  ["card.success.three_ds", THREE_DS, [CHALLENGE, act("approve")], "success", "the issuer challenges the payer, and approves"],
  ["card.decline.provider_declined", card("4000000000000002"), [], "decline (provider_declined)", "the issuer declines the card"],
  ["card.decline.insufficient_funds", card("4000000000009995"), [], "decline (insufficient_funds)", "there is not enough money on the card"],
  ["card.decline.card_expired", card("4000000000000069"), [], "decline (card_expired)", "the issuer says that the card has expired"],
  ["card.decline.three_ds_failed", THREE_DS, [CHALLENGE, act("decline", { reason: "authentication_failed" })], "decline (three_ds_failed)", "the payer fails the issuer's challenge"],
  ["card.decline.expired", THREE_DS, [CHALLENGE, act("time_out")], "decline (expired)", "the payer leaves the challenge; moves the clock"],
  ["card.dispute.different_amount", THREE_DS, [CHALLENGE, act("approve", { amount: 250_100 })], "dispute / different_amount", "the card is charged for another amount"],
  ["card.dispute.confirm_timeout", THREE_DS, [CHALLENGE, act("hold"), act("time_out")], "dispute / confirm_timeout", "the acquirer does not report the result for a day; moves the clock"],
  ["card.processing.awaiting_3ds_result", THREE_DS, [], CHALLENGED, "the issuer waits for the payer"],

  ["page.success", PAGE, [CHOSEN, CONFIRMED, act("arrive")], "success", "the payer chooses a transfer on the payment page, confirms, and it arrives"],
  ["page.success.card", PAGE, [onPage("card", testCard(APPROVED_PAN))], "success", "the payer pays by card on the payment page"],
  ["page.decline.cancelled", PAGE, [onPage("cancel")], "decline (cancelled)", "the payer cancels on the payment page"],
  ["page.dispute.different_amount", PAGE, [CHOSEN, CONFIRMED, act("arrive_short")], "dispute / different_amount", "the payer chooses a transfer on the payment page, and sends less"],

  ["payout.success", PAYOUT, [SENT, act("pay")], "success", "the bank pays the receiver"],
  ["payout.decline.provider_declined", PAYOUT, [SENT, act("reject")], "decline (provider_declined)", "the bank rejects it; the money is back on the balance"],
  ["payout.dispute.payout_failed", PAYOUT, [SENT, act("fail")], "dispute / payout_failed", "it may have left, and failed"],
  ["payout.dispute.incorrect_requisites", PAYOUT, [SENT, act("wrong_details")], "dispute / incorrect_requisites", "the receiver's details are wrong"],
  ["payout.dispute.payout_timeout", PAYOUT, [SENT, act("never")], "dispute / payout_timeout", "the bank does not answer in time; moves the clock"],
  ["payout.processing.payout_process", PAYOUT, [], EXECUTED, "the bank is executing it"],
];

/** Every end that a payment can be driven to. `payin.decline` alone means the first that begins with it. */
export const SCENARIOS: readonly Scenario[] = ROWS.map(([name, start, steps, end, says]) => ({
  name,
  says,
  ...start,
  steps,
  end,
}));

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
