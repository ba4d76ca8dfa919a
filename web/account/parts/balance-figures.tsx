import { useScope } from "../projects.ts";
import type { Balance } from "../wire/reports.ts";
import { useSpeech } from "../words/words.ts";
import { BookMark } from "./badge.tsx";
import { Amount } from "./figures.tsx";

/** What a project holds of one currency: available, and locked below it. */
export function BalanceFigures({ balance }: { readonly balance: Balance }) {
  const { words } = useSpeech();
  const { nameOf } = useScope();
  const { project_id, book, currency, available, locked } = balance;
  return (
    <>
      <span class="card-name">
        <span class="card-title">{nameOf(project_id)}</span> <BookMark book={book} />
      </span>
      <span class="card-sum">
        <Amount amount={available} currency={currency} />
      </span>
      <span class="small">
        {words.balance.locked}: <Amount amount={locked} currency={currency} />
      </span>
    </>
  );
}
