import { CALLBACK_MEMBERS } from "./callback.ts";
import type { TillgateCallback } from "./contract-answers.ts";
import { TillgateSignatureError } from "./errors.ts";
import type { JsonValue } from "./normalise.ts";

/**
 * Scheme 1 signs lines of text, not JSON, so a signature can fit more than one body. An attacker who changes a signed body
 * without its key must use one of these second readings, and each is refused:
 *
 * - `{"a":"1","b":"2"}` as `{"a":"1;b:2"}`: lines begin with the name of a top-level member, so no string may hold `;`,
 *   such a name and `:`. The names are those of the contract, whether or not the body has them, because this trick
 *   makes them disappear, and those that the body has beside them.
 * - `{"a":{"b":"c"}}` as `{"a:b":"c"}`, and `["c"]` as `{"0":"c"}`: a name must be a plain word.
 * - `100` as `"100"`, `true` as `1`, or an object as text: the callback's shape is held to exact types afterwards.
 * - `null` as `"None"`: the members that may be null are never that text.
 *
 * What remains: an empty object or list signs as nothing, so one may come or go; members that this version does not know
 * are not held to a type; and a genuine string that holds `;`, a name and `:` can be sent cut in two there, when the lines
 * stay in order and the new member is not one the body already has. Sent as it is, such a callback is refused too, a
 * payment_id like `x;status:y` for one. The Standard Webhooks signature covers the bytes and has none of this.
 */
const PLAIN_WORD = /^[A-Za-z][A-Za-z0-9_-]*$/;
const NULL_IN_SCHEME_1 = "None";

export function requireOneReading(body: JsonValue): void {
  const extraNames = typeof body === "object" && body !== null ? Object.keys(body) : [];
  const lineStarts = [...new Set([...CALLBACK_MEMBERS, ...extraNames])].map((name) => `;${name}:`);
  const pending: JsonValue[] = [body];
  for (let value = pending.pop(); value !== undefined; value = pending.pop()) {
    if (typeof value === "string") {
      const text = value;
      if (lineStarts.some((start) => text.includes(start))) throw ambiguous("a string reads like further members");
    } else if (typeof value === "object" && value !== null) {
      for (const [name, member] of Object.entries(value)) {
        if (!Array.isArray(value) && !PLAIN_WORD.test(name)) throw ambiguous("a name is not a plain word");
        pending.push(member);
      }
    }
  }
}

export function requireRealNulls({ status }: TillgateCallback): void {
  const nullable = [status.sub_status, status.status_description, status.decline_code];
  if (nullable.includes(NULL_IN_SCHEME_1)) throw ambiguous("a null is written as text");
}

function ambiguous(message: string): TillgateSignatureError {
  return new TillgateSignatureError("body_ambiguous", `the signature fits more than one body: ${message}`);
}
