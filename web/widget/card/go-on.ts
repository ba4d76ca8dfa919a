import type { CardField } from "./check-card.ts";
import type { Edit, Edited } from "./edit.ts";
import { brandOf, digitsOf } from "./number.ts";

/**
 * Whether the form moves on from a field that is right: the payer has typed it to its end, and the next one is still
 * empty. A payer who comes back to correct it stays in it, and what the browser fills moves nothing.
 */
export function goesOn(field: CardField, { how }: Pick<Edit, "how">, { text, caret }: Edited, next: string): boolean {
  return how === "typed" && caret === text.length && next === "" && isFull(field, text);
}

/** Nothing could follow. */
function isFull(field: CardField, text: string): boolean {
  if (field !== "number") return field !== "holder";
  const digits = digitsOf(text);
  const brand = brandOf(digits);
  return brand !== undefined && digits.length >= brand.fullAt;
}
