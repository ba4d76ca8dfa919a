import type { Minor } from "../money.ts";
import type { PaymentState } from "../payments/states.ts";
import { callbackBody } from "./body.ts";

/** What a test callback can report. */
export const TEST_EVENTS = [
  "payin_awaiting_confirm",
  "payin_success",
  "payin_decline",
  "payin_different_amount",
  "payout_success",
  "payout_decline",
] as const;
export type TestEvent = (typeof TEST_EVENTS)[number];

type Example = {
  readonly direction: "payin" | "payout";
  readonly state: PaymentState;
  readonly declineCode?: string;
  readonly receivedAmount?: Minor;
};

const AMOUNT = 250_000n as Minor;
const OTHER_AMOUNT = 240_000n as Minor;
const FEE = 6_250n as Minor;
const NOTHING = 0n as Minor;

const EXAMPLES: Readonly<Record<TestEvent, Example>> = {
  payin_awaiting_confirm: { direction: "payin", state: "processing:awaiting_confirm" },
  payin_success: { direction: "payin", state: "success", receivedAmount: AMOUNT },
  payin_decline: { direction: "payin", state: "decline", declineCode: "expired" },
  payin_different_amount: { direction: "payin", state: "dispute:different_amount", receivedAmount: OTHER_AMOUNT },
  payout_success: { direction: "payout", state: "success" },
  payout_decline: { direction: "payout", state: "decline", declineCode: "provider_declined" },
};

/** Ours are UUIDs of version 7, so no payment has this one. */
const NO_REQUEST = "0".repeat(32);
const PAYMENT_ID_PREFIX = "tillgate-test-callback-";
const SEQUENCE = 2;

export function stateOfTest(event: TestEvent): PaymentState {
  return EXAMPLES[event].state;
}

/**
 * A callback in the form of real ones, about a payment that cannot exist: its `request_id` is all zeros, its `payment_id` is made of
 * the new id of the event, and the event says that it is a test.
 */
export function testCallbackBody(
  event: TestEvent,
  { projectId, eventId, createdAt }: { readonly projectId: string; readonly eventId: string; readonly createdAt: Date },
): object {
  const { direction, state, declineCode = null, receivedAmount = NOTHING } = EXAMPLES[event];
  const subject = {
    ...{ projectId, requestId: NO_REQUEST, paymentId: `${PAYMENT_ID_PREFIX}${eventId}`, direction, state },
    ...{ statusDescription: "Test callback: there is no such payment", declineCode, method: "card-p2p" },
    ...{ amount: AMOUNT, requestedAmount: AMOUNT, receivedAmount, currency: "RUB", fee: FEE },
  };
  const told = callbackBody(subject, { id: eventId, sequence: SEQUENCE, createdAt }) as { readonly event: object };
  return { ...told, event: { ...told.event, test: true } };
}
