import { fail, ok, type Result } from "../../core/result.ts";
import { readRequisiteValue } from "./requisite-value.ts";

/** What an operator writes of a receiving account, read into the form that it is kept in. Faults end a sentence. */

const ACCOUNT_CODE_MAX = 40;
export const HOLDER_MAX = 64;
export const OWNER_MAX = 128;
export const PRIORITY_MAX = 1_000;
export const COOL_DOWN_S_MAX = 86_400;
export const QUARANTINE_S_MIN = 900;
export const QUARANTINE_S_MAX = 2_592_000;

const CODE = /^[a-z0-9]+(-[a-z0-9]+)*$/;
const COUNTRY = /^[A-Z]{2}$/;
const HOURS = /^([01][0-9]|2[0-3]):([0-5][0-9])-([01][0-9]|2[0-3]):([0-5][0-9])$/;
const ALWAYS = "always";

export function isAccountCode(text: string): boolean {
  return CODE.test(text) && text.length <= ACCOUNT_CODE_MAX;
}

export function readAccountCode(text: string): Result<string, string> {
  return isAccountCode(text)
    ? ok(text)
    : fail(`must be like main-sber: small letters, digits and single dashes, at most ${ACCOUNT_CODE_MAX}`);
}

export function readCountry(text: string): Result<string, string> {
  return COUNTRY.test(text) ? ok(text) : fail("must be two capital letters, such as RU");
}

/** In the account's own time zone; both null: around the clock. */
export type Hours = { readonly opensAt: string | null; readonly closesAt: string | null };

/** An end before the beginning is on the next day. */
export function readHours(text: string): Result<Hours, string> {
  if (text === ALWAYS) return ok({ opensAt: null, closesAt: null });
  if (!HOURS.test(text)) return fail("must be like 09:00-18:00, or always");
  const [opensAt, closesAt] = [`${text.slice(0, 5)}:00`, `${text.slice(6)}:00`];
  return opensAt === closesAt
    ? fail("must end at another time than it begins; around the clock is always")
    : ok({ opensAt, closesAt });
}

export function showHours({ opensAt, closesAt }: Hours): string {
  return opensAt === null || closesAt === null ? ALWAYS : `${opensAt.slice(0, 5)}-${closesAt.slice(0, 5)}`;
}

/** Statements name accounts and requisites alike, so that both are kept and compared in one form. */
export function readAccountNumber(text: string): Result<string, string> {
  return readRequisiteValue("account", text);
}
