import { maskPan } from "../cards/luhn.ts";
import type { Requisites } from "../connector.ts";
import type { Currency } from "../currency.ts";
import { type Minor, minorToJson } from "../money.ts";
import { readSealedMembers } from "./sealed-members.ts";

/** The text that is sealed. */
export function requisitesToText(requisites: Requisites): string {
  return JSON.stringify(requisites);
}

/** Reads what `requisitesToText` wrote; anything else is a bug. The error does not repeat the text. */
export function requisitesFromText(text: string): Requisites {
  const read = readSealedMembers(text);
  const [type, value] = [read("type"), read("value")];
  if (!isRequisitesType(type) || value === undefined) throw new Error("the sealed requisites have an unknown form");
  return { type, value, holder: read("holder"), bank: read("bank"), bankName: read("bankName") };
}

/** The member that holds the value in answers and callbacks. */
const VALUE_MEMBER = {
  card: "pan",
  phone: "phone",
  account: "account_number",
  link: "url",
} as const satisfies Record<Requisites["type"], string>;

function isRequisitesType(type: string | undefined): type is Requisites["type"] {
  return type !== undefined && Object.hasOwn(VALUE_MEMBER, type);
}

/** The object that merchants see: what the payer is to send, and where. Members that are not known are left out. */
export function wireRequisites(requisites: Requisites, amount: Minor, currency: Currency): object {
  const { type, value, holder, bank, bankName } = requisites;
  return {
    type,
    [VALUE_MEMBER[type]]: value,
    ...(holder === undefined ? {} : { holder }),
    ...(bank === undefined ? {} : { bank }),
    ...(bankName === undefined ? {} : { bank_name: bankName }),
    amount: minorToJson(amount),
    currency,
  };
}

/** How requisites are shown after the payment has ended: enough to recognise them, too little to use them. */
export function maskRequisites(requisites: Requisites): Requisites {
  return { ...requisites, value: MASKS[requisites.type](requisites.value) };
}

const MASKS = {
  card: maskCard,
  phone: maskPhone,
  account: (value) => hideBetween(value, 0, ACCOUNT_END_SHOWN),
  link: maskLink,
} as const satisfies Record<Requisites["type"], (value: string) => string>;

const ACCOUNT_END_SHOWN = 4;
const CARD_END_SHOWN = 4;
const PHONE_END_SHOWN = 2;
/** Of a shorter number, the first six and the last four would be nearly all. */
const PAN_DIGITS_MIN = 12;
/** The calling codes of one and two digits; all others have three. */
const CALLING_CODE = /^\+(?:[17]|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|[2-9][0-9]{2})/;

/** A provider may write the number in groups. */
function maskCard(value: string): string {
  const digits = value.replace(/[^0-9]/g, "");
  return digits.length < PAN_DIGITS_MIN ? hideBetween(digits, 0, CARD_END_SHOWN) : maskPan(digits);
}

function maskPhone(value: string): string {
  return hideBetween(value, CALLING_CODE.exec(value)?.[0].length ?? 0, PHONE_END_SHOWN);
}

/** A text that is no longer than what would be shown is hidden whole. */
function hideBetween(text: string, startShown: number, endShown: number): string {
  const hidden = text.length - startShown - endShown;
  if (hidden <= 0) return "*".repeat(text.length);
  return text.slice(0, startShown) + "*".repeat(hidden) + text.slice(-endShown);
}

function maskLink(value: string): string {
  if (/^tel:/i.test(value)) return maskDialled(value);
  if (!URL.canParse(value)) return "***";
  const { protocol, host } = new URL(value);
  return host === "" ? protocol : `${protocol}//${host}`;
}

/** A digit, or a percent-encoded character, which is a digit too when it stands for one. */
const DIALLED = /%3[0-9]|%[0-9a-f]{2}|[0-9]/gi;
const DIALLED_DIGIT = /^(?:%3[0-9]|[0-9])$/i;

/** The digits of `%23`, the # that ends a code, are not dialled: they stay, and are not counted as the last two. */
function maskDialled(value: string): string {
  let toHide = (value.match(DIALLED) ?? []).filter((part) => DIALLED_DIGIT.test(part)).length - PHONE_END_SHOWN;
  return value.replace(DIALLED, (part) => {
    if (!DIALLED_DIGIT.test(part)) return part;
    toHide -= 1;
    return toHide >= 0 ? "*" : part;
  });
}
