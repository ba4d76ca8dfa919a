import type { CardText } from "./check-card.ts";
import { brandOf, groupNumber } from "./number.ts";

/** Long enough for the clock of a test project to be moved. */
const YEARS_AHEAD = 5;
const CVV = "1234";

/** All fields of a card of the sandbox, which takes any name, any later month and any code. */
export function testCardText(pan: string, nowMs: number): CardText {
  const year = new Date(nowMs).getUTCFullYear() + YEARS_AHEAD;
  return {
    number: groupNumber(pan),
    expiry: `12/${String(year).slice(-2)}`,
    cvv: CVV.slice(0, brandOf(pan)?.cvvLength ?? 3),
    holder: "TEST PAYER",
  };
}
