import { decimalsOf } from "../../kit/currencies.ts";
import { formatMoment, formatShortMoment } from "../../kit/dates.ts";
import type { Language } from "../../kit/language.ts";
import { formatMoneyInTables } from "../../kit/money.ts";
import type { BigSum } from "../wire/reports.ts";
import { useSpeech } from "../words/words.ts";

export function moneyText(amount: BigSum, currency: string, language: Language): string {
  return formatMoneyInTables({ amount, currency, decimals: decimalsOf(currency) }, language).replaceAll(" ", "\u00a0");
}

export function countText(count: number, language: Language): string {
  return new Intl.NumberFormat(language).format(count);
}

/** A sum with its currency; digits stand below digits. */
export function Amount(props: { readonly amount: BigSum; readonly currency: string; readonly signed?: boolean }) {
  const { language } = useSpeech();
  const plus = props.signed === true && Number(props.amount) > 0 ? "+" : "";
  return (
    <span class={plus === "+" ? "amount credit" : "amount"}>
      {plus}
      {moneyText(props.amount, props.currency, language)}
    </span>
  );
}

/** A moment in the reader's zone; the title has it to the second. */
export function When({ at, full }: { readonly at: string; readonly full?: boolean }) {
  const { language } = useSpeech();
  return (
    <time dateTime={at} title={at}>
      {full === true ? formatMoment(at, language) : formatShortMoment(at, language)}
    </time>
  );
}
