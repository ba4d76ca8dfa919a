/** What can be said of a card's number while it is typed. Only help for the payer: the server judges. */
export type Brand = { readonly name: string; readonly lengths: readonly number[]; readonly cvvLength: number };

const LONG = [16, 17, 18, 19];
const SIXTEEN = [16];

/** The first row that fits decides. */
const BRANDS: readonly (readonly [prefix: RegExp, brand: Brand])[] = [
  [/^(?:8600|5614)/, { name: "Uzcard", lengths: SIXTEEN, cvvLength: 3 }],
  [/^9860/, { name: "Humo", lengths: SIXTEEN, cvvLength: 3 }],
  [/^220[0-4]/, { name: "Mir", lengths: LONG, cvvLength: 3 }],
  [/^3[47]/, { name: "American Express", lengths: [15], cvvLength: 4 }],
  [/^4/, { name: "Visa", lengths: [13, 16, 19], cvvLength: 3 }],
  [/^(?:5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/, { name: "Mastercard", lengths: SIXTEEN, cvvLength: 3 }],
  [/^62/, { name: "UnionPay", lengths: LONG, cvvLength: 3 }],
  [/^(?:50|5[678]|63|67)/, { name: "Maestro", lengths: [12, 13, 14, 15, 16, 17, 18, 19], cvvLength: 3 }],
];

export const DIGITS_MAX = 19;

export function brandOf(digits: string): Brand | undefined {
  return BRANDS.find(([prefix]) => prefix.test(digits))?.[1];
}

export function digitsOf(text: string): string {
  return text.replace(/\D/g, "");
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

/** Where the caret belongs after the text was grouped: behind as many digits as before. */
export function caretAfter(grouped: string, digitCount: number): number {
  let seen = 0;
  for (let at = 0; at < grouped.length; at += 1) {
    if (seen === digitCount) return at;
    if (grouped[at] !== " ") seen += 1;
  }
  return grouped.length;
}
