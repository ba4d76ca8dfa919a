import { setTimeout as sleep } from "node:timers/promises";
import type { JsonObject } from "../../platform/strict-json.ts";
import type { Gateway } from "./gateway.ts";
import { type PaymentAnswer, readPaymentAnswer } from "./payment-answer.ts";

/** The paths of the API that make payments; each has its own `info`. */
export const DOORS = {
  p2pPayin: "/api/v1/payment/p2p/payin",
  cardPayin: "/api/v1/payment/ecom/payin",
  page: "/api/v1/widget/payin",
  p2pPayout: "/api/v1/payment/p2p/payout",
  cardPayout: "/api/v1/payment/ecom/payout",
} as const;

export type Door = (typeof DOORS)[keyof typeof DOORS];

/** One payment of this run, by the id that the command chose or was given. */
export type WatchedPayment = {
  readonly paymentId: string;
  readonly door: Door;
  readonly create: (body: JsonObject) => Promise<PaymentAnswer>;
  readonly info: () => Promise<PaymentAnswer>;
  /** A call about it, such as `confirm`. */
  readonly call: (verb: "confirm" | "cancel") => Promise<PaymentAnswer>;
  /** Asks until a state is enough or the time is over, and answers the last. */
  readonly until: (isEnough: (payment: PaymentAnswer) => boolean, forMs?: number) => Promise<PaymentAnswer>;
};

/** Often enough to see most states, and far below the rate limit of a project. */
const ASK_EVERY_MS = 400;

/** `onState` is called with each state that differs from the one before. */
export function watchPayment(
  gateway: Gateway,
  { door, paymentId, onState }: { door: Door; paymentId: string; onState: (payment: PaymentAnswer) => void },
): WatchedPayment {
  let seen: string | undefined;
  const see = (payment: PaymentAnswer) => {
    if (payment.state !== seen) onState(payment);
    seen = payment.state;
    return payment;
  };
  const general = { payment_id: paymentId };
  const ask = async (path: string) => see(readPaymentAnswer((await gateway.post(path, { general })).body));
  const info = () => ask(`${door}/info`);
  return {
    paymentId,
    door,
    create: async ({ general: others, ...body }) => {
      const { body: answer } = await gateway.post(door, { ...body, general: { ...general, ...asObject(others) } });
      return see(readPaymentAnswer(answer));
    },
    info,
    call: (verb) => ask(`${door}/${verb}`),
    until: async (isEnough, forMs = Number.POSITIVE_INFINITY) => {
      const startedMs = performance.now();
      let payment = await info();
      while (!isEnough(payment) && performance.now() - startedMs < forMs) {
        await sleep(ASK_EVERY_MS);
        payment = await info();
      }
      return payment;
    },
  };
}

function asObject(value: unknown): JsonObject {
  return typeof value === "object" && value !== null ? (value as JsonObject) : {};
}
