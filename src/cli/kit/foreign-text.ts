/** Words that others chose, made safe to print: nothing in them moves the cursor, disguises a line, or is a card number. */

/** Control characters, line breaks of every kind, and what turns the direction of writing. */
const UNSAFE = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu;
/** The same without the line feeds that make JSON readable; inside its strings there are none. */
const UNSAFE_IN_JSON = /[\u007f-\u009f\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu;

/** On one line, and no longer than that, with long numbers in part. */
export function showForeignText(text: string, charactersMax: number): string {
  return showMerchantText(hideLongNumbers(text), charactersMax);
}

/** The same with every digit: a payment's id or a URL is what its owner looks it up by, and many number their orders. */
export function showMerchantText(text: string, charactersMax: number): string {
  const line = text.replaceAll(/\s+/g, " ").trim().replaceAll(UNSAFE, escapeCharacter);
  const characters = [...line];
  return characters.length > charactersMax ? `${characters.slice(0, charactersMax - 1).join("")}…` : line;
}

/** JSON for people and programs alike: the same value, with risky characters written as escapes. */
export function foreignJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent).replaceAll(UNSAFE_IN_JSON, escapeCharacter);
}

const LONG_NUMBER = /[0-9]{12,}/g;
const SHOWN_AT_START = 6;
const SHOWN_AT_END = 4;

/** A receiver may answer with what it was sent, the number of a card included. */
export function hideLongNumbers(text: string): string {
  return text.replaceAll(LONG_NUMBER, (digits) => {
    const hidden = "*".repeat(digits.length - SHOWN_AT_START - SHOWN_AT_END);
    return digits.slice(0, SHOWN_AT_START) + hidden + digits.slice(-SHOWN_AT_END);
  });
}

function escapeCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
