import type { Currency } from "../currency.ts";

/** The one table of payment methods: what each can do, what it needs, and where it works. */
export type Direction = "payin" | "payout";
export type RequisiteKind = "card" | "phone" | "phone_and_bank" | "account" | "link";
export type Product = "p2p" | "ecom";

type MethodRow = {
  readonly product: Product;
  readonly directions: readonly Direction[];
  readonly requisite: RequisiteKind;
  /** The country of each currency, or null where the method is not bound to countries. */
  readonly currencies: Readonly<Record<string, string | null>>;
  readonly widgetCode: string | null;
};

const BOTH = ["payin", "payout"] as const;
const PAYIN = ["payin"] as const;

export const METHODS = {
  "card-p2p": {
    product: "p2p",
    directions: BOTH,
    requisite: "card",
    currencies: { RUB: "RU", KZT: "KZ", UZS: "UZ", AZN: "AZ", KGS: "KG", TJS: "TJ" },
    widgetCode: "payin-p2p-card",
  },
  "sbp-p2p": {
    product: "p2p",
    directions: BOTH,
    requisite: "phone_and_bank",
    currencies: { RUB: "RU" },
    widgetCode: "payin-p2p-sbp",
  },
  "phone-p2p": {
    product: "p2p",
    directions: BOTH,
    requisite: "phone",
    currencies: { AZN: "AZ", KGS: "KG", TJS: "TJ" },
    widgetCode: "payin-p2p-phone",
  },
  "mobile-p2p": {
    product: "p2p",
    directions: BOTH,
    requisite: "phone_and_bank",
    currencies: { RUB: "RU", KZT: "KZ" },
    widgetCode: "payin-p2p-mobile",
  },
  "account-number": {
    product: "p2p",
    directions: BOTH,
    requisite: "account",
    currencies: { RUB: "RU", ARS: "AR", NGN: "NG" },
    widgetCode: null,
  },
  "international-p2p": {
    product: "p2p",
    directions: PAYIN,
    requisite: "card",
    currencies: { RUB: "RU" },
    widgetCode: "payin-p2p-international",
  },
  "qr-link-p2p": {
    product: "p2p",
    directions: PAYIN,
    requisite: "link",
    currencies: { KGS: "KG" },
    widgetCode: "payin-qr-link-p2p",
  },
  "wallet-link": {
    product: "p2p",
    directions: PAYIN,
    requisite: "link",
    currencies: { NGN: "NG" },
    widgetCode: null,
  },
  ussd: { product: "p2p", directions: PAYIN, requisite: "link", currencies: { NGN: "NG" }, widgetCode: null },
  "card-ecom": {
    product: "ecom",
    directions: BOTH,
    requisite: "card",
    currencies: { RUB: null, KZT: null, UZS: null },
    widgetCode: "payin-ecom-card",
  },
} as const satisfies Record<string, MethodRow>;

export type Method = keyof typeof METHODS;

export function findMethod(code: string): Method | undefined {
  return Object.hasOwn(METHODS, code) ? (code as Method) : undefined;
}

/** One thing a project can switch on: a method in one direction and one currency. */
export type MethodOffer = { readonly direction: Direction; readonly method: Method; readonly currency: Currency };

export function isOffered(direction: Direction, method: Method, currency: string): boolean {
  const row: MethodRow = METHODS[method];
  return row.directions.includes(direction) && Object.hasOwn(row.currencies, currency);
}

/** Where the method pays in this currency; null where it is not bound to countries. */
export function countryOf(method: Method, currency: string): string | null {
  const { currencies }: MethodRow = METHODS[method];
  return currencies[currency] ?? null;
}

/** Every direction, method and currency that goes together, in the table's order. */
export function listMethodOffers(): readonly MethodOffer[] {
  return Object.entries(METHODS).flatMap(([method, row]: [string, MethodRow]) =>
    row.directions.flatMap((direction) =>
      Object.keys(row.currencies).map((currency) => ({
        direction,
        method: method as Method,
        currency: currency as Currency,
      })),
    ),
  );
}
