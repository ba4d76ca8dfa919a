import { bankBySymbol, banksOf, type SandboxBank } from "./banks.ts";

/**
 * Where the payer is to send the money: of the right form, and without an owner. Cards are from ranges that acquirers use for
 * tests; phones have a national number that begins with 0, which no operator gives out; accounts carry a bank code of
 * zeros; links lead to a page of the sandbox's bank.
 */
export type IssuedRequisites = {
  readonly type: "card" | "phone" | "account" | "link";
  readonly value: string;
  readonly holder: string | null;
  readonly bank: string | null;
  readonly bankName: string | null;
  /** Of a link to a page of ours: what opens it. */
  readonly linkToken?: string;
};

export type RequisitesWish = {
  readonly method: string;
  readonly currency: string;
  readonly amount: bigint;
  readonly bank: string | undefined;
  /** Where payers find the sandbox's pages. */
  readonly pagesUrl: string;
};

/** A whole number from 0 up to, not including, the limit. */
export type Chance = (limit: number) => number;

const MIR_TEST_RANGE = "220000";
const VISA_TEST_RANGE = "400000";
const PAN_LENGTH = 16;

const CALLING_CODES: Readonly<Record<string, { readonly code: string; readonly digits: number }>> = {
  RUB: { code: "7", digits: 10 },
  KZT: { code: "7", digits: 10 },
  AZN: { code: "994", digits: 9 },
  KGS: { code: "996", digits: 9 },
  TJS: { code: "992", digits: 9 },
};

/** The form of an account's number: what it begins with, and how many digits follow. */
const ACCOUNTS: Readonly<Record<string, { readonly begins: string; readonly digits: number }>> = {
  RUB: { begins: "408178100000", digits: 8 },
  ARS: { begins: "0000000", digits: 15 },
  NGN: { begins: "00", digits: 8 },
};

const HOLDERS = ["IVAN I.", "OLGA S.", "TIMUR A.", "AINURA K.", "RUSTAM N.", "DINARA M.", "PAVEL K.", "LEYLA H."];
/** 128 bits: a visitor who has it can pay, and it cannot be found by trying. */
const TOKEN_HEX_DIGITS = 32;
const USSD_DIGITS = 8;

type Made = Pick<IssuedRequisites, "type" | "value" | "linkToken">;
type Maker = (wish: RequisitesWish, chance: Chance) => Made | undefined;

const MAKERS: Readonly<Record<string, Maker>> = {
  "card-p2p": card,
  "international-p2p": (_wish, chance) => ({ type: "card", value: panOf(VISA_TEST_RANGE, chance) }),
  "sbp-p2p": phone,
  "phone-p2p": phone,
  "mobile-p2p": phone,
  "account-number": account,
  "qr-link-p2p": (wish, chance) => link(LINK_PATHS.qr, wish, chance),
  "wallet-link": (wish, chance) => link(LINK_PATHS.wallet, wish, chance),
  // The # that ends a USSD code would begin a fragment, so it is written %23.
  ussd: (_wish, chance) => ({ type: "link", value: `tel:*000*${digits(USSD_DIGITS, chance)}%23` }),
};

/** Undefined when this world does not have the method in that currency. */
export function makeRequisites(wish: RequisitesWish, chance: Chance): IssuedRequisites | undefined {
  const made = Object.hasOwn(MAKERS, wish.method) ? MAKERS[wish.method]?.(wish, chance) : undefined;
  if (made === undefined) return undefined;
  if (made.type === "link") return { ...made, holder: null, bank: null, bankName: null };
  const bank = chooseBank(wish, chance);
  const holder = pick(HOLDERS, chance) ?? null;
  return { ...made, holder, bank: bank?.symbol ?? null, bankName: bank?.name ?? null };
}

function chooseBank(wish: RequisitesWish, chance: Chance): SandboxBank | undefined {
  return wish.bank === undefined ? pick(banksOf(wish.currency), chance) : bankBySymbol(wish.bank);
}

/** The pages of the sandbox's bank, by the kind of link. */
export const LINK_PATHS = { qr: "/qr", wallet: "/wallet" } as const;

function link(path: string, { pagesUrl }: RequisitesWish, chance: Chance): Made {
  const linkToken = Array.from({ length: TOKEN_HEX_DIGITS }, () => chance(16).toString(16)).join("");
  return { type: "link", value: `${pagesUrl}${path}/${linkToken}`, linkToken };
}

function card({ currency }: RequisitesWish, chance: Chance): Made {
  return { type: "card", value: panOf(currency === "RUB" ? MIR_TEST_RANGE : VISA_TEST_RANGE, chance) };
}

function phone({ currency }: RequisitesWish, chance: Chance): Made | undefined {
  const form = CALLING_CODES[currency];
  return form && { type: "phone", value: `+${form.code}0${digits(form.digits - 1, chance)}` };
}

function account({ currency }: RequisitesWish, chance: Chance): Made | undefined {
  const form = ACCOUNTS[currency];
  return form && { type: "account", value: form.begins + digits(form.digits, chance) };
}

function panOf(range: string, chance: Chance): string {
  const body = range + digits(PAN_LENGTH - 1 - range.length, chance);
  return body + luhnDigit(body);
}

/** The digit that makes the number pass the Luhn check when it is put behind. */
function luhnDigit(body: string): string {
  let sum = 0;
  for (const [index, character] of [...body].reverse().entries()) {
    const doubled = index % 2 === 0 ? Number(character) * 2 : Number(character);
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return String((10 - (sum % 10)) % 10);
}

function digits(count: number, chance: Chance): string {
  return Array.from({ length: count }, () => chance(10)).join("");
}

function pick<T>(list: readonly T[], chance: Chance): T | undefined {
  return list.length === 0 ? undefined : list[chance(list.length)];
}
