import type { MaskRule, MaskRules } from "./mask-rules.ts";
import { hiddenText, MASKS, NUMBER_DIGITS_MIN } from "./mask-text.ts";

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

/**
 * The one text that is being read, and where. They are the module's own and not members of an object: that is half of the time
 * that this takes, and it is done for every call.
 */
let text = "";
/** Where reading goes on. What is before it has been judged. */
let at = 0;
/** What lies between here and `at` is shown as it is, and has not been copied yet. */
let from = 0;
let out = "";
let depth = 0;
let paymentId: string | undefined;
let requestId: string | undefined;

/**
 * Hides everything in a JSON text but what the rules allow. The text is read once, and of what is shown only the parts between
 * hidden ones are copied. Where it is not JSON, nothing from there on is shown.
 */
export function maskBody(whole: string, rules: MaskRules): MaskedBody {
  text = whole.length > BODY_CHARACTERS_MAX ? whole.slice(0, BODY_CHARACTERS_MAX) : whole;
  [at, from, out, depth] = [0, 0, "", 0];
  [paymentId, requestId] = [undefined, undefined];
  const isWhole = readValue(rules) && isEnd() && text.length === whole.length;
  const shown = from === 0 ? text.slice(0, at) : out + text.slice(from, at);
  const masked = { text: isWhole ? shown : `${shown.trimEnd()}...`, isWhole, paymentId, requestId };
  text = "";
  return masked;
}

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a];
const [BRACE, BRACE_END, BRACKET, BRACKET_END] = [0x7b, 0x7d, 0x5b, 0x5d];

/** Answers what stands behind the space. */
function skipSpace(): number {
  let code = text.charCodeAt(at);
  while (code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09) {
    at += 1;
    code = text.charCodeAt(at);
  }
  return code;
}

function isEnd(): boolean {
  const stoppedAt = at;
  skipSpace();
  if (at === text.length) return true;
  at = stoppedAt;
  return false;
}

/** False where the text is not JSON; `at` is then in front of what is not. */
function readValue(rule: MaskRule | undefined): boolean {
  const code = skipSpace();
  if (code === QUOTE) return readText(rule);
  if (code !== BRACE && code !== BRACKET) return readPlain(rule);
  if (depth === DEPTH_MAX) return false;
  depth += 1;
  const isRead = code === BRACE ? readObject(rule) : readArray(rule);
  depth -= 1;
  return isRead;
}

function readObject(rule: MaskRule | undefined): boolean {
  const rules = typeof rule === "object" ? rule : undefined;
  let expected = 0;
  at += 1;
  if (skipSpace() === BRACE_END) return moveOn();
  for (;;) {
    skipSpace();
    const next = rules?.inOrder[expected];
    if (next !== undefined && text.startsWith(next.text, at)) {
      at += next.text.length;
      expected += 1;
      if (!readValue(next.rule)) return false;
    } else {
      const start = at;
      if (!skipText()) return false;
      const name = text.slice(start + 1, at - 1);
      const member = rules?.byName.get(name);
      if (member !== undefined) expected = member.index + 1;
      else if (!PLAIN_NAME.test(name)) replace(start, `"${hiddenText(name.length)}"`);
      if (skipSpace() !== COLON) return false;
      at += 1;
      if (!readValue(member?.rule)) return false;
    }
    const code = skipSpace();
    if (code === BRACE_END) return moveOn();
    if (code !== COMMA) return false;
    at += 1;
  }
}

/** What is misspelt is shown. A name with digits in it could be a card's number. */
const PLAIN_NAME = /^[A-Za-z_-]{1,40}$/;

/** Each element is judged as its array is. */
function readArray(rule: MaskRule | undefined): boolean {
  at += 1;
  if (skipSpace() === BRACKET_END) return moveOn();
  for (;;) {
    if (!readValue(rule)) return false;
    const code = skipSpace();
    if (code === BRACKET_END) return moveOn();
    if (code !== COMMA) return false;
    at += 1;
  }
}

function moveOn(): true {
  at += 1;
  return true;
}

/** Moves behind a text in quotes. */
function skipText(): boolean {
  if (text.charCodeAt(at) !== QUOTE) return false;
  let end = text.indexOf('"', at + 1);
  while (end !== -1 && isEscaped(end)) end = text.indexOf('"', end + 1);
  if (end === -1) return false;
  at = end + 1;
  return true;
}

/** Whether an odd number of backslashes stands before a quote. */
function isEscaped(quote: number): boolean {
  let before = quote - 1;
  while (text.charCodeAt(before) === BACKSLASH) before -= 1;
  return (quote - before) % 2 === 0;
}

function readText(rule: MaskRule | undefined): boolean {
  const start = at;
  if (!skipText()) return false;
  if (rule === "ours") return true;
  if (rule === "payment_id") paymentId = text.slice(start, at);
  else if (rule === "request_id") requestId = text.slice(start, at);
  else if (rule !== "shown" || at - start - 2 >= NUMBER_DIGITS_MIN) maskText(start, rule);
  return true;
}

function maskText(start: number, rule: MaskRule | undefined): void {
  const raw = text.slice(start + 1, at - 1);
  const value = raw.includes("\\") ? unescaped(raw) : raw;
  const mask = typeof rule === "string" ? MASKS[rule] : undefined;
  const masked = value === undefined || mask === undefined ? hiddenText(raw.length) : mask(value);
  if (masked !== value) replace(start, JSON.stringify(masked));
}

function unescaped(raw: string): string | undefined {
  try {
    return JSON.parse(`"${raw}"`);
  } catch {
    return undefined;
  }
}

const NUMBER = /^-?[0-9][0-9.eE+-]*$/;
/** No amount is as long. */
const NUMBER_CHARACTERS_MAX = 11;

/** A number, true, false or null. */
function readPlain(rule: MaskRule | undefined): boolean {
  const start = at;
  let end = at;
  while (end < text.length && !endsPlain(text.charCodeAt(end))) end += 1;
  if (rule === "ours" && end > start && end < text.length) {
    at = end;
    return true;
  }
  // Where the body was cut the rest of a number is not there.
  if (end === text.length && depth > 0) return false;
  const word = text.slice(start, end);
  if (word === "null" || word === "true" || word === "false") {
    at = end;
    return true;
  }
  if (!NUMBER.test(word)) return false;
  at = end;
  if (rule !== "shown" || word.length > NUMBER_CHARACTERS_MAX) replace(start, '"[number]"');
  return true;
}

function endsPlain(code: number): boolean {
  return code === COMMA || code === BRACE_END || code === BRACKET_END || code <= 0x20;
}

/** Shows `shown` instead of what lies between `start` and `at`. */
function replace(start: number, shown: string): void {
  out += text.slice(from, start) + shown;
  from = at;
}
