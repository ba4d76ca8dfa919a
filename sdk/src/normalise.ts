import { TillgateError } from "./errors.ts";

export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject;
export type JsonObject = { readonly [member: string]: JsonValue };

/** The service refuses requests nested deeper than 8; the rest is room for callbacks of later versions. */
const DEPTH_MAX = 32;

/** No request or callback comes near it. Each line repeats its whole path, so a hostile body could make gigabytes. */
const CHARACTERS_MAX = 256 * 1024;

/** Half of a surrogate pair has no UTF-8 form: encoded, it would read like any other such half. */
const LONE_SURROGATE = /\p{Surrogate}/u;

/**
 * Scheme 1's normalised string: every leaf as `path:to:it:value`, sorted by UTF-16 code unit, joined by `;`.
 * `true` is `1`, `false` is `0`, `null` is `None`; array indexes are path segments; what is empty gives no line.
 */
export function normalise(body: JsonValue): string {
  const lines: string[] = [];
  let room = CHARACTERS_MAX;
  const pending: { prefix: string; value: JsonValue; depth: number }[] = [{ prefix: "", value: body, depth: 0 }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { prefix, value, depth } = next;
    if (typeof value !== "object" || value === null) {
      const line = prefix + printed(value);
      room -= line.length + 1;
      if (room < 0) throw new TillgateError(`the body normalises to more than ${CHARACTERS_MAX} characters`);
      lines.push(line);
      continue;
    }
    if (depth >= DEPTH_MAX) throw new TillgateError(`the body is nested deeper than ${DEPTH_MAX} levels`);
    for (const [name, member] of Object.entries(value)) {
      pending.push({ prefix: `${prefix}${name}:`, value: member, depth: depth + 1 });
    }
  }
  // Without a comparator sort() goes by code unit, which is the rule; a locale's order would differ between machines.
  const normalised = lines.sort().join(";");
  if (LONE_SURROGATE.test(normalised)) throw new TillgateError("the body holds half of a surrogate pair");
  return normalised;
}

function printed(value: string | number | boolean | null): string {
  if (value === null) return "None";
  if (typeof value === "boolean") return value ? "1" : "0";
  return String(value);
}
