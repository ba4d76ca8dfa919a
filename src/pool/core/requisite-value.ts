import { passesLuhn } from "../../core/cards/luhn.ts";
import type { Requisites } from "../../core/connector.ts";
import type { Currency } from "../../core/currency.ts";
import { isOffered, METHODS, type Method, type RequisiteKind } from "../../core/merchants/methods.ts";
import { fail, ok, type Result } from "../../core/result.ts";

export type RequisiteType = Requisites["type"];

export const REQUISITE_TYPES = ["card", "phone", "account", "link"] as const satisfies readonly RequisiteType[];

const TYPE_OF_KIND = {
  card: "card",
  phone: "phone",
  phone_and_bank: "phone",
  account: "account",
  link: "link",
} as const satisfies Record<RequisiteKind, RequisiteType>;

/** What a payer by this method needs to be shown. */
export function requisiteTypeOf(method: Method): RequisiteType {
  return TYPE_OF_KIND[METHODS[method].requisite];
}

/** The transfers that payers of this currency can make to a requisite of this type. */
export function listMethodsOfRequisite(type: RequisiteType, currency: Currency): readonly Method[] {
  return (Object.keys(METHODS) as Method[]).filter(
    (method) =>
      METHODS[method].product === "p2p" && requisiteTypeOf(method) === type && isOffered("payin", method, currency),
  );
}

const PAN = /^[0-9]{12,19}$/;
const PHONE = /^\+[1-9][0-9]{6,14}$/;
const ACCOUNT = /^[A-Z0-9]{4,34}$/;
const LINK_MAX = 2048;

/** In the one form that it is kept and compared in: spaces and dashes that people write are left out. */
export function readRequisiteValue(type: RequisiteType, text: string): Result<string, string> {
  const plain = type === "link" ? text.trim() : text.replaceAll(/[\s\u00a0-]/g, "");
  return FAULTS[type](plain) ?? ok(plain);
}

const FAULTS = {
  card: (value) =>
    PAN.test(value) && passesLuhn(value)
      ? undefined
      : fail("must be a card's number: 12 to 19 digits, none of them mistyped"),
  phone: (value) => (PHONE.test(value) ? undefined : fail("must be a phone number with + and its country's code")),
  account: (value) =>
    ACCOUNT.test(value) ? undefined : fail("must be an account's number: 4 to 34 digits and capital letters"),
  link: (value) => (isLink(value) ? undefined : fail("must be an https: or tel: address of at most 2048 characters")),
} as const satisfies Record<RequisiteType, (value: string) => Result<never, string> | undefined>;

function isLink(value: string): boolean {
  if (value.length > LINK_MAX || /[\s\p{Cc}]/u.test(value) || !URL.canParse(value)) return false;
  const { protocol, username, password } = new URL(value);
  return (protocol === "https:" || protocol === "tel:") && username === "" && password === "";
}
