import { maskRequisites } from "../../core/payments/requisites-text.ts";

/** How whose account it is, and which, shows in lists: enough to recognise it, too little to use it. */

/** `I*** P***`: however long the names are, as much is hidden. */
export function maskHolder(holder: string): string {
  return holder
    .split(/\s+/)
    .filter((word) => word !== "")
    .map((word) => `${[...word][0] ?? ""}***`)
    .join(" ");
}

export function maskAccountNumber(number: string): string {
  const whole = { type: "account", value: number, holder: undefined, bank: undefined, bankName: undefined } as const;
  return maskRequisites(whole).value;
}
