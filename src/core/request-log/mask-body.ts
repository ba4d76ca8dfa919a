import { maskPan } from "../cards/luhn.ts";
import type { MaskRule, MaskRules } from "./mask-rules.ts";

/** A body as the request log keeps it. */
export type MaskedBody = {
  readonly text: string;
  /** False: the text ends where the body was cut, or where it stopped to be JSON. */
  readonly isWhole: boolean;
  /** As JSON text, with its quotes; undefined where the body has none. */
  readonly paymentId: string | undefined;
  readonly requestId: string | undefined;
};

/** Bodies of payments have at most a kilobyte. */
export const BODY_CHARACTERS_MAX = 4_096;
const DEPTH_MAX = 24;

type Reader = {
  readonly text: string;
  /** Where reading goes on. What is before it has been judged. */
  at: number;
  /** What lies between here and `at` is shown as it is, and has not been copied yet. */
  from: number;
  out: string;
  depth: number;
  paymentId: string | undefined;
  requestId: string | undefined;
};

/**
 * Hides everything in a JSON text but what the rules allow. The text is read once and its shown parts are copied: to parse it
 * and write it again takes more than twice as long. Where it is not JSON, nothing from there on is shown.
 */
export function maskBody(whole: string, rules: MaskRules): MaskedBody {
  const text = whole.length > BODY_CHARACTERS_MAX ? whole.slice(0, BODY_CHARACTERS_MAX) : whole;
  const reader: Reader = { text, at: 0, from: 0, out: "", depth: 0, paymentId: undefined, requestId: undefined };
  const isRead = readValue(reader, rules) && isEnd(reader);
  const { paymentId, requestId } = reader;
  const shown = reader.out + text.slice(reader.from, reader.at);
  const isWhole = isRead && text.length === whole.length;
  return { text: isWhole ? shown : `${shown.trimEnd()}…`, isWhole, paymentId, requestId };
}

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a];
const [BRACE, BRACE_END, BRACKET, BRACKET_END] = [0x7b, 0x7d, 0x5b, 0x5d];

function skipSpace(reader: Reader): void {
  const { text } = reader;
  for (;;) {
    const code = text.charCodeAt(reader.at);
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return;
    reader.at += 1;
  }
}

function isEnd(reader: Reader): boolean {
  const stoppedAt = reader.at;
  skipSpace(reader);
  if (reader.at === reader.text.length) return true;
  reader.at = stoppedAt;
  return false;
}

/** False where the text is not JSON; `at` is then in front of what is not. */
function readValue(reader: Reader, rule: MaskRule | undefined): boolean {
  skipSpace(reader);
  const code = reader.text.charCodeAt(reader.at);
  if (code === QUOTE) return readText(reader, rule);
  if (code !== BRACE && code !== BRACKET) return readPlain(reader, rule);
  if (reader.depth === DEPTH_MAX) return false;
  reader.depth += 1;
  const isRead = code === BRACE ? readObject(reader, rule) : readArray(reader, rule);
  reader.depth -= 1;
  return isRead;
}

function readObject(reader: Reader, rule: MaskRule | undefined): boolean {
  const rules = typeof rule === "object" ? rule : undefined;
  reader.at += 1;
  skipSpace(reader);
  if (take(reader, BRACE_END)) return true;
  for (;;) {
    skipSpace(reader);
    const start = reader.at;
    if (!skipText(reader)) return false;
    const name = reader.text.slice(start + 1, reader.at - 1);
    const member = rules?.get(name);
    if (member === undefined && !PLAIN_NAME.test(name)) replace(reader, start, hidden(name.length));
    skipSpace(reader);
    if (!take(reader, COLON) || !readValue(reader, member)) return false;
    skipSpace(reader);
    if (take(reader, BRACE_END)) return true;
    if (!take(reader, COMMA)) return false;
  }
}

/** What is misspelt is shown. A name with digits in it could be a number of somebody's. */
const PLAIN_NAME = /^[A-Za-z_-]{1,40}$/;

/** Each element is judged as its array is. */
function readArray(reader: Reader, rule: MaskRule | undefined): boolean {
  reader.at += 1;
  skipSpace(reader);
  if (take(reader, BRACKET_END)) return true;
  for (;;) {
    if (!readValue(reader, rule)) return false;
    skipSpace(reader);
    if (take(reader, BRACKET_END)) return true;
    if (!take(reader, COMMA)) return false;
  }
}

function take(reader: Reader, code: number): boolean {
  if (reader.text.charCodeAt(reader.at) !== code) return false;
  reader.at += 1;
  return true;
}

/** Moves behind a text in quotes. */
function skipText(reader: Reader): boolean {
  const { text } = reader;
  if (text.charCodeAt(reader.at) !== QUOTE) return false;
  for (let at = reader.at + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      reader.at = at + 1;
      return true;
    }
    if (code === BACKSLASH) at += 1;
    else if (code < 0x20) return false;
  }
  return false;
}

function readText(reader: Reader, rule: MaskRule | undefined): boolean {
  const start = reader.at;
  if (!skipText(reader)) return false;
  if (rule === "ours") return true;
  const { text, at } = reader;
  if (rule === "payment_id") reader.paymentId = text.slice(start, at);
  else if (rule === "request_id") reader.requestId = text.slice(start, at);
  else if (rule !== "shown" || at - start - 2 >= NUMBER_DIGITS_MIN) maskText(reader, start, rule);
  return true;
}

function maskText(reader: Reader, start: number, rule: MaskRule | undefined): void {
  const raw = reader.text.slice(start + 1, reader.at - 1);
  const value = raw.includes("\\") ? unescaped(raw) : raw;
  const mask = typeof rule === "string" ? MASKS[rule] : undefined;
  if (value === undefined || mask === undefined) {
    replace(reader, start, hidden(raw.length));
    return;
  }
  const masked = mask(value);
  if (masked !== value) replace(reader, start, JSON.stringify(masked));
}

function unescaped(raw: string): string | undefined {
  try {
    return JSON.parse(`"${raw}"`);
  } catch {
    return undefined;
  }
}

/** As long as a card's number, written together or in groups. */
const LONG_NUMBER = /[0-9](?:[ -]?[0-9]){11,}/g;
const NUMBER_DIGITS_MIN = 12;
const END_SHOWN = 4;

function maskNumbersIn(text: string): string {
  return text.replace(LONG_NUMBER, (number) => maskPan(number.replace(/[ -]/g, "")));
}

/** What a path or a query has of secrets is the merchant's own; of pages it is the token that opens them. */
const ORIGIN = /^[a-z][a-z0-9+.-]*:\/\/[^/?#@\s]+(?=[/?#]|$)/i;

const MASKS: Readonly<Record<string, (text: string) => string>> = {
  shown: maskNumbersIn,
  address: (text) => {
    const origin = ORIGIN.exec(text)?.[0];
    if (origin === undefined) return unquoted(text.length);
    const end = text.search(/[?#]/);
    return maskNumbersIn(end === -1 ? text : `${text.slice(0, end)}${text[end]}…`);
  },
  origin: (text) => {
    const origin = ORIGIN.exec(text)?.[0];
    return origin === undefined ? unquoted(text.length) : `${origin}/…`;
  },
  last_four: (text) => {
    const shown = Math.min(END_SHOWN, text.length >> 1);
    return "*".repeat(Math.min(text.length, 40) - shown) + text.slice(text.length - shown);
  },
};

function unquoted(length: number): string {
  return `[${length} characters]`;
}

function hidden(length: number): string {
  return `"${unquoted(length)}"`;
}

const NUMBER = /^-?[0-9][0-9.eE+-]*$/;
/** No amount is as long. */
const NUMBER_CHARACTERS_MAX = 11;
const PLAIN_CHARACTERS_MAX = 400;

/** A number, true, false or null. */
function readPlain(reader: Reader, rule: MaskRule | undefined): boolean {
  const { text, at: start } = reader;
  let at = start;
  while (at < text.length && at - start <= PLAIN_CHARACTERS_MAX && !endsPlain(text.charCodeAt(at))) at += 1;
  // Where the body was cut the rest of a number is not there.
  if (at === text.length && reader.depth > 0) return false;
  const word = text.slice(start, at);
  if (word !== "true" && word !== "false" && word !== "null") {
    if (!NUMBER.test(word)) return false;
    reader.at = at;
    const isShown = rule === "ours" || (rule === "shown" && word.length <= NUMBER_CHARACTERS_MAX);
    if (!isShown) replace(reader, start, '"[number]"');
  }
  reader.at = at;
  return true;
}

function endsPlain(code: number): boolean {
  return code === COMMA || code === BRACE_END || code === BRACKET_END || code <= 0x20;
}

/** Shows `shown` instead of what lies between `start` and `at`. */
function replace(reader: Reader, start: number, shown: string): void {
  reader.out += reader.text.slice(reader.from, start) + shown;
  reader.from = reader.at;
}
