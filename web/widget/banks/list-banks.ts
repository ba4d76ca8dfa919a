import type { OfferedBank } from "../page-state.ts";
import type { PageLanguage } from "../words/page-language.ts";
import { nameOfBank } from "./bank-name.ts";

export type BankGroup = {
  readonly kind: "last" | "popular" | "all";
  readonly banks: readonly OfferedBank[];
};

/** What is shown while nothing is typed: the bank of last time, the popular ones in their order, and the others by their names. */
export function groupBanks(
  banks: readonly OfferedBank[],
  last: string | undefined,
  language: PageLanguage,
): readonly BankGroup[] {
  const isLast = ({ symbol }: OfferedBank) => symbol === last;
  const others = banks.filter((bank) => !isLast(bank) && bank.popular !== true);
  const byName = (a: OfferedBank, b: OfferedBank) =>
    nameOfBank(a, language).localeCompare(nameOfBank(b, language), language);
  const groups: readonly BankGroup[] = [
    { kind: "last", banks: banks.filter(isLast) },
    { kind: "popular", banks: banks.filter((bank) => !isLast(bank) && bank.popular === true) },
    { kind: "all", banks: others.sort(byName) },
  ];
  return groups.filter((group) => group.banks.length > 0);
}
