/** The slash comes by itself while the text grows, and does not come back while it is deleted. */
export function formatExpiry(typed: string, before: string): string {
  let digits = typed.replace(/\D/g, "");
  // A pasted year may have four digits; a month may be written without its zero.
  if (/^\d{2}20\d{2}$/.test(digits)) digits = digits.slice(0, 2) + digits.slice(4);
  if (/^[2-9]/.test(digits) || /^\d\s*[/.-]/.test(typed.trim())) digits = `0${digits}`;
  digits = digits.slice(0, 4);
  if (digits.length > 2) return `${digits.slice(0, 2)}/${digits.slice(2)}`;
  return digits.length === 2 && typed.length > before.length ? `${digits}/` : digits;
}

export type Expiry = { readonly month: number; readonly year: number };

const CENTURY = 2000;

/** Undefined: not complete. The month may still be none. */
export function readExpiry(text: string): Expiry | undefined {
  const [, month, year] = /^(\d{2})\/(\d{2})$/.exec(text) ?? [];
  return month === undefined || year === undefined ? undefined : { month: Number(month), year: CENTURY + Number(year) };
}

/** By the server's clock; a card is good to the end of its month. */
export function isPast({ month, year }: Expiry, nowMs: number): boolean {
  return nowMs >= Date.UTC(year, month, 1);
}
