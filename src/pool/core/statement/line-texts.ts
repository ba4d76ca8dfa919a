import { fail, ok, type Result } from "../../../core/result.ts";

const REFERENCE_CHARS_MAX = 255;
const ACCOUNT_CHARS_MAX = 255;
const PAYER_CHARS_MAX = 1_000;

/** Control characters, halves of surrogate pairs, separators of lines and paragraphs, and what turns the direction of writing. */
const UNPRINTABLE = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/u;

/** What banks write where there is no reference. Taken for one, it would make all lines but the first look repeated. */
const NO_REFERENCE = /^(?:NOTPROVIDED|NONREF)$/i;

export function findReference(text: string | undefined): string | undefined {
  return text === undefined || text === "" || NO_REFERENCE.test(text) ? undefined : text;
}

export function readReference(text: string): Result<string, string> {
  const reference = findReference(text.trim());
  if (reference === undefined) return fail("the bank's reference is missing");
  if (reference.length > REFERENCE_CHARS_MAX)
    return fail(`the reference is longer than ${REFERENCE_CHARS_MAX} characters`);
  if (UNPRINTABLE.test(reference)) return fail("the reference has control characters");
  return ok(reference);
}

export function readAccount(text: string): Result<string, string> {
  const account = text.trim();
  if (account === "") return fail("the account is missing");
  if (account.length > ACCOUNT_CHARS_MAX) return fail(`the account is longer than ${ACCOUNT_CHARS_MAX} characters`);
  if (UNPRINTABLE.test(account)) return fail("the account has control characters");
  return ok(account);
}

/** Only people read it, so what cannot be printed becomes a space and what is too long is cut. */
export function cleanPayer(text: string): string | undefined {
  const clean = text.slice(0, PAYER_CHARS_MAX).replace(new RegExp(UNPRINTABLE.source, "gu"), " ").trim();
  return clean === "" ? undefined : clean;
}
