import { digitsOf, groupNumber, lengthMaxOf } from "./number.ts";

/** What the browser did to a field: its text and caret now, and its text before. */
export type Edit = {
  readonly typed: string;
  readonly caret: number;
  readonly before: string;
  readonly how: How;
};

/** `filled`: by the browser or a wallet, which goes through all fields itself. */
type How = "typed" | "erased_back" | "erased_forth" | "filled";

/** What the field is to show instead. */
export type Edited = { readonly text: string; readonly caret: number };

export function howOf(inputType: string | undefined): How {
  if (inputType === undefined || inputType === "" || inputType === "insertReplacementText") return "filled";
  if (inputType === "deleteContentForward") return "erased_forth";
  return inputType.startsWith("delete") ? "erased_back" : "typed";
}

export function readEdit(input: HTMLInputElement, event: Event, before: string): Edit {
  const how = howOf((event as Partial<InputEvent>).inputType);
  return { typed: input.value, caret: input.selectionStart ?? input.value.length, before, how };
}

/** The number in its groups, with the caret behind the digit that it was behind. */
export function editNumber({ typed, caret, before, how }: Edit): Edited {
  const old = digitsOf(before);
  let digits = digitsOf(typed);
  let ahead = digitsOf(typed.slice(0, caret)).length;
  // A space that is erased would come back at once: the digit beside it was meant.
  if (digits === old && typed.length < before.length) {
    if (how === "erased_back" && ahead > 0) ahead -= 1;
    if (how === "erased_back" || how === "erased_forth") digits = digits.slice(0, ahead) + digits.slice(ahead + 1);
  }
  // A full number takes no more: a digit in its middle must not push out the last one unseen.
  const isFull = old.length > 0 && old.length >= lengthMaxOf(digits);
  if (isFull && digits.length > old.length && digits.startsWith(old.slice(0, ahead - (digits.length - old.length)))) {
    ahead -= digits.length - old.length;
    digits = old;
  }
  const text = groupNumber(digits.slice(0, lengthMaxOf(digits)));
  return { text, caret: placeBehind(text, ahead) };
}

const YEAR_FIRST = /^\s*20(\d\d)\s*[-/.\s]\s*(\d{1,2})\s*$/;

/** The slash comes by itself while the text grows. What is erased stays as the payer leaves it. */
export function editExpiry({ typed, caret, before, how }: Edit): Edited {
  if (how === "erased_back" || how === "erased_forth") {
    // The slash between digits is not the payer's to erase.
    const left = digitsOf(typed) === digitsOf(before) ? before : typed;
    const text = left.replace(/[^\d/]/g, "").replace(/\/$/, "");
    return { text, caret: Math.min(caret, text.length) };
  }
  const [, year, month] = YEAR_FIRST.exec(typed) ?? [];
  const digits = year === undefined || month === undefined ? monthAndYear(typed) : month.padStart(2, "0") + year;
  const text = digits.length < 2 ? digits : `${digits.slice(0, 2)}/${digits.slice(2)}`;
  if (caret >= typed.length) return { text, caret: text.length };
  const grown = Math.max(0, digits.length - digitsOf(typed).length);
  const place = placeBehind(text, digitsOf(typed.slice(0, caret)).length + grown);
  return { text, caret: text[place] === "/" ? place + 1 : place };
}

/** Four digits; six of a year that is being written in full. */
function monthAndYear(typed: string): string {
  const digits = digitsOf(typed);
  // No month begins so, or its zero was left out: 5, 1/28, 13 for 1/3.
  const lacksZero = /^(?:[2-9]|1[3-9])/.test(digits) || /^\s*[1-9]\s*[/.\s-]/.test(typed);
  const whole = lacksZero ? `0${digits}` : digits;
  // No card is valid until a month of 2020, so these are the first half of a long year.
  if (!/^\d\d20\d/.test(whole)) return whole.slice(0, 4);
  return whole.length < 6 ? whole : whole.slice(0, 2) + whole.slice(4, 6);
}

/** Behind so many digits. */
function placeBehind(text: string, count: number): number {
  let seen = 0;
  for (let at = 0; at < text.length; at += 1) {
    if (seen === count) return at;
    if (/\d/.test(text[at] ?? "")) seen += 1;
  }
  return text.length;
}
