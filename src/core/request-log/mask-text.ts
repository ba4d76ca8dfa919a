import { maskPan } from "../cards/luhn.ts";
import { findId } from "../ids.ts";

/** How one text of a body is shown, by its rule. A rule that has no line here hides it. */
export const MASKS: Readonly<Record<string, (text: string) => string>> = {
  shown: maskNumbersIn,
  id: (text) => (findId(text) === undefined ? maskNumbersIn(text) : text),
  address: (text) => {
    if (!ORIGIN.test(text)) return hiddenText(text.length);
    const end = text.search(/[?#]/);
    return maskNumbersIn(end === -1 ? text : `${text.slice(0, end)}${text[end]}...`);
  },
  origin: (text) => {
    const origin = ORIGIN.exec(text)?.[0];
    return origin === undefined ? hiddenText(text.length) : `${origin}/...`;
  },
  last_four: (text) => {
    const shown = Math.min(END_SHOWN, text.length >> 1);
    return "*".repeat(Math.min(text.length, STARS_MAX) - shown) + text.slice(text.length - shown);
  },
};

export function hiddenText(length: number): string {
  return `[${length} characters]`;
}

/** As long as a card's number, written together or in groups. */
const LONG_NUMBER = /[0-9](?:[ -]?[0-9]){11,}/g;
export const NUMBER_DIGITS_MIN = 12;
const END_SHOWN = 4;
const STARS_MAX = 40;

/** Without a user or a password. */
const ORIGIN = /^[a-z][a-z0-9+.-]*:\/\/[^/?#@\s]+(?=[/?#]|$)/i;

function maskNumbersIn(text: string): string {
  return text.replace(LONG_NUMBER, (number) => maskPan(number.replace(/[ -]/g, "")));
}
