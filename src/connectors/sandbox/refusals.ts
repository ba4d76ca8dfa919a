import type { WireAnswer } from "./channel.ts";
import { readRefusal } from "./wire.ts";

/** The status that goes with each word of refusal that says something certain. */
const STATUSES = { order_unknown: 404, reference_conflict: 409, result_invalid: 422 } as const;

/** The provider's own word for it: a bare 404 may come from anything on the way. */
export function isRefused(answer: WireAnswer, code: keyof typeof STATUSES): boolean {
  if (answer.kind !== "answered" || answer.status !== STATUSES[code]) return false;
  return readRefusal(answer.body)?.error.code === code;
}

export function isUnknownReference(answer: WireAnswer): boolean {
  return isRefused(answer, "order_unknown");
}
