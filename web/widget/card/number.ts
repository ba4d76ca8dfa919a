/** What can be said of a card's number while it is typed. Only help for the payer: the server judges, by the same rows. */
export type BrandCode = "visa" | "mastercard" | "mir" | "unionpay" | "amex" | "maestro" | "humo" | "uzcard";

export type Brand = {
  readonly code: BrandCode;
  readonly name: string;
  readonly lengths: readonly number[];
  /** With so many digits the form goes on by itself. Where longer numbers are common, that is the longest. */
  readonly fullAt: number;
  readonly cvvLength: number;
};

const LONG = [16, 17, 18, 19];
const SIXTEEN = { lengths: [16], fullAt: 16, cvvLength: 3 };
const ANY_LENGTH = [12, 13, 14, 15, ...LONG];

/** The first row that fits decides. A test compares them with the server's. */
const BRANDS: readonly (readonly [prefix: RegExp, brand: Brand])[] = [
  [/^(?:8600|5614)/, { code: "uzcard", name: "Uzcard", ...SIXTEEN }],
  [/^9860/, { code: "humo", name: "Humo", ...SIXTEEN }],
  [/^220[0-4]/, { code: "mir", name: "Mir", lengths: LONG, fullAt: 16, cvvLength: 3 }],
  [/^3[47]/, { code: "amex", name: "American Express", lengths: [15], fullAt: 15, cvvLength: 4 }],
  [/^4/, { code: "visa", name: "Visa", lengths: [13, 16, 19], fullAt: 16, cvvLength: 3 }],
  [/^(?:5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/, { code: "mastercard", name: "Mastercard", ...SIXTEEN }],
  [/^62/, { code: "unionpay", name: "UnionPay", lengths: LONG, fullAt: 19, cvvLength: 3 }],
  [/^(?:50|5[678]|63|67)/, { code: "maestro", name: "Maestro", lengths: ANY_LENGTH, fullAt: 19, cvvLength: 3 }],
];

const DIGITS_MAX = 19;

export function brandOf(digits: string): Brand | undefined {
  return BRANDS.find(([prefix]) => prefix.test(digits))?.[1];
}

export function digitsOf(text: string): string {
  return text.replace(/\D/g, "");
}

/** The longest number that can begin so. */
export function lengthMaxOf(digits: string): number {
  return Math.max(...(brandOf(digits)?.lengths ?? [DIGITS_MAX]));
}

/** In fours; American Express in four, six and five, as it is printed. */
export function groupNumber(digits: string): string {
  return /^3[47]/.test(digits)
    ? [digits.slice(0, 4), digits.slice(4, 10), digits.slice(10)].filter((part) => part !== "").join(" ")
    : digits.replace(/(\d{4})(?=\d)/g, "$1 ");
}

export function passesCheckDigit(digits: string): boolean {
  const sum = [...digits].reverse().reduce((total, digit, at) => {
    const value = Number(digit) * (at % 2 === 0 ? 1 : 2);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}
