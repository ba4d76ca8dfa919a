import type { Clock } from "../../platform/clock.ts";
import type { Channel, WireAnswer } from "./channel.ts";
import { type CreateMemory, openMemory } from "./memory.ts";
import { findRefusal } from "./refusals.ts";
import { readPayment, type WirePayment } from "./wire.ts";

/** The result of a request under one of our references. */
type Created =
  | { readonly kind: "payment"; readonly payment: WirePayment }
  /** Certainly nothing was done under this reference. */
  | { readonly kind: "refused"; readonly code: string }
  /** The gateway has another request under this reference. */
  | { readonly kind: "conflict" }
  | { readonly kind: "unknown" };

/** A request that cannot be made at all is refused by its code, as the gateway would. `repeatedSince`: see `PayoutRequest`. */
export type Create = (
  path: string,
  reference: string,
  body: object | NotMade,
  repeatedSince?: Date | undefined,
) => Promise<Created>;

export type NotMade = { readonly notMade: "bank_unknown" };

/** An earlier call cannot be on its way any more by then. */
const TOUCHED_KEPT_MS = 600_000;
const TOUCHED_MAX = 100_000;

/**
 * Sends requests that create something. A refusal says that this call changed nothing, but not that an earlier one under the same
 * reference did nothing: where one was taken, or its answer was lost or is not there yet, the result is unknown and the gateway
 * must be asked. Calls of other processes are not remembered here: what is repeated is told by its caller.
 */
export function openCreate(
  { ask }: Pick<Channel, "ask">,
  projectId: string,
  clock: Clock,
  { touched, underWay }: CreateMemory = openCreateMemory(clock),
): Create {
  async function askCounted(path: string, reference: string, body: object): Promise<WireAnswer> {
    underWay.set(reference, (underWay.get(reference) ?? 0) + 1);
    const answer = await ask(path, body);
    const others = (underWay.get(reference) ?? 1) - 1;
    if (others === 0) underWay.delete(reference);
    else underWay.set(reference, others);
    return answer;
  }

  const isCertain = (reference: string, repeatedSince: Date | undefined): boolean =>
    !touched.has(reference) &&
    !underWay.has(reference) &&
    (repeatedSince === undefined || clock.nowMs() - repeatedSince.getTime() >= TOUCHED_KEPT_MS);

  return async (path, reference, body, repeatedSince) => {
    if ("notMade" in body) {
      return isCertain(reference, repeatedSince) ? { kind: "refused", code: body.notMade } : { kind: "unknown" };
    }
    const answer = await askCounted(path, reference, body);
    const refusal = findRefusal(answer);
    if (refusal === undefined && answer.kind !== "not_sent") touched.add(reference);
    const payment = findPayment(answer, projectId, reference);
    if (payment !== undefined) return isOther(payment, body) ? { kind: "conflict" } : { kind: "payment", payment };
    if (refusal?.meaning === "conflict") return { kind: "conflict" };
    if (refusal?.meaning !== "certain" || !isCertain(reference, repeatedSince)) return { kind: "unknown" };
    return { kind: "refused", code: refusal.code };
  };
}

/** The gateway shows a request for another sum, or in another currency, under our reference: it is not this one. */
function isOther({ payment: shown }: WirePayment, body: object): boolean {
  const { payment: asked } = body as { readonly payment?: { readonly amount: number; readonly currency: string } };
  if (asked === undefined) return false;
  return shown.currency !== asked.currency || (shown.requested_amount ?? asked.amount) !== asked.amount;
}

export function openCreateMemory(clock: Clock): CreateMemory {
  return { touched: openMemory(clock, { keptMs: TOUCHED_KEPT_MS, textsMax: TOUCHED_MAX }), underWay: new Map() };
}

/** The payment, if the answer holds the one that was asked for. */
export function findPayment(answer: WireAnswer, projectId: string, reference: string): WirePayment | undefined {
  if (answer.kind !== "answered" || answer.status !== 200) return undefined;
  const payment = readPayment(answer.body);
  return payment?.payment_id === reference && payment.project_id === projectId ? payment : undefined;
}
