export type Expiry = { readonly month: number; readonly year: number };

const CENTURY = 2000;

/** Undefined: not complete. The month may still be none. */
export function readExpiry(text: string): Expiry | undefined {
  const [, month, year] = /^(\d{1,2})\/(\d{2})$/.exec(text) ?? [];
  return month === undefined || year === undefined ? undefined : { month: Number(month), year: CENTURY + Number(year) };
}

/** By the server's clock; a card is good to the end of its month. */
export function isPast({ month, year }: Expiry, nowMs: number): boolean {
  return nowMs >= Date.UTC(year, month, 1);
}
