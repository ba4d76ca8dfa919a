import { formatDay } from "../../kit/dates.ts";
import { useLoad } from "../load.ts";
import { Amount } from "../parts/figures.tsx";
import { ICONS } from "../parts/icons.ts";
import { EmptyState, Shown } from "../parts/states.tsx";
import type { BigSum, Register, RegisterDay } from "../wire/reports.ts";
import { useSpeech } from "../words/words.ts";
import { Ends, totalOf } from "./statement.tsx";

/** Each day's movements; together they are the statement of the period. */
export function RegisterTable({ path, currency }: { readonly path: string; readonly currency: string }) {
  const { words } = useSpeech();
  const loaded = useLoad<Register>(path);
  return (
    <Shown loaded={loaded}>
      {(register) => (
        <>
          <Ends {...register} currency={currency} />
          {register.days.length === 0 ? (
            <EmptyState icon={ICONS.balance} title={words.balance.empty} text={words.balance.emptyText} />
          ) : (
            <Days days={register.days} currency={currency} />
          )}
        </>
      )}
    </Shown>
  );
}

function Days({ days, currency }: { readonly days: readonly RegisterDay[]; readonly currency: string }) {
  const { language, words } = useSpeech();
  const { opening, credit, debit, closing } = words.balance;
  const cell = (label: string, amount: BigSum) => (
    <td class="number" data-label={label}>
      <Amount amount={amount} currency={currency} />
    </td>
  );
  return (
    <div class="table-place">
      <table class="list register-list">
        <caption class="unseen">{words.balance.register}</caption>
        <thead>
          <tr>
            <th scope="col">{words.balance.day}</th>
            {[opening, credit, debit, closing].map((name) => (
              <th key={name} scope="col" class="number">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {days.map((day) => (
            <tr key={day.day}>
              <th scope="row">{formatDay(day.day, language)}</th>
              {cell(opening, totalOf(day.opening))}
              {cell(credit, day.received)}
              {cell(debit, day.spent)}
              {cell(closing, totalOf(day.closing))}
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">{words.balance.sum}</th>
            <td class="filler" />
            {cell(credit, sumOf(days.map(({ received }) => received)))}
            {cell(debit, sumOf(days.map(({ spent }) => spent)))}
            <td class="filler" />
          </tr>
        </tfoot>
      </table>
    </div>
  );
}

/** To the last digit, however many days there are. */
function sumOf(amounts: readonly BigSum[]): BigSum {
  return String(amounts.reduce((sum, amount) => sum + BigInt(amount), 0n));
}
