import { useLoad } from "../load.ts";
import { BalanceFigures } from "../parts/balance-figures.tsx";
import { ExportButton } from "../parts/export-button.tsx";
import { TextField } from "../parts/fields.tsx";
import { ICONS } from "../parts/icons.ts";
import { Link } from "../parts/link.tsx";
import { Screen } from "../parts/screen.tsx";
import { EmptyState, Shown } from "../parts/states.tsx";
import { useScope } from "../projects.ts";
import { useRouter } from "../router.ts";
import { mayDo, useAccount } from "../session.ts";
import type { Balance as BalanceRow, Overview } from "../wire/reports.ts";
import { withQuery } from "../with-query.ts";
import { useSpeech } from "../words/words.ts";
import { RegisterTable } from "./register.tsx";
import { StatementTable } from "./statement.tsx";

const DAYS_SHOWN = 30;
const DAY_MS = 86_400_000;

/** What each project holds, and every movement of it. A statement is of one project and one currency. */
export function Balance() {
  const { words } = useSpeech();
  const { projectId } = useScope();
  const loaded = useLoad<Overview>(withQuery("overview", { project: projectId, days: "1" }));
  return (
    <Shown loaded={loaded}>
      {({ balances }) =>
        balances.length === 0 ? (
          <Screen title={words.balance.title}>
            <EmptyState icon={ICONS.balance} title={words.balance.noBalances} text={words.balance.noBalancesText} />
          </Screen>
        ) : (
          <Chosen balances={balances} />
        )
      }
    </Shown>
  );
}

function Chosen({ balances }: { readonly balances: readonly BalanceRow[] }) {
  const { words } = useSpeech();
  const { session } = useAccount();
  const { place, go } = useRouter();
  const query = Object.fromEntries(place.query);
  const chosen =
    balances.find(({ project_id, currency }) => project_id === query.of && currency === query.currency) ?? balances[0];
  if (chosen === undefined) return null;
  const { from = dayText(Date.now() - DAYS_SHOWN * DAY_MS), to = dayText(Date.now()), view = "statement" } = query;
  const asked = { project: chosen.project_id, currency: chosen.currency, from, to };
  const change = (next: Record<string, string>) => go(withQuery("balance", { ...query, ...next }), "replace");
  const csv = <ExportButton path={withQuery("statement.csv", asked)} fileName={`statement-${chosen.currency}.csv`} />;
  return (
    <Screen title={words.balance.title} actions={mayDo(session, "payments.export") ? csv : undefined}>
      <BalanceCards balances={balances} chosen={chosen} />
      <div class="filter-row statement-filters">
        <fieldset class="tabs">
          <legend class="unseen">{words.balance.views}</legend>
          {(["statement", "register"] as const).map((each) => (
            <label key={each}>
              <input
                type="radio"
                name="view"
                checked={(view === "register" ? "register" : "statement") === each}
                onChange={() => change({ view: each })}
              />
              <span>{words.balance[each]}</span>
            </label>
          ))}
        </fieldset>
        <TextField label={words.list.from} type="date" value={from} onInput={(next) => change({ from: next })} />
        <TextField label={words.list.to} type="date" value={to} onInput={(next) => change({ to: next })} />
        <p class="small utc">{words.balance.utc}</p>
      </div>
      {view === "register" ? (
        <RegisterTable path={withQuery("register", asked)} currency={chosen.currency} />
      ) : (
        <StatementTable path={withQuery("statement", asked)} currency={chosen.currency} />
      )}
    </Screen>
  );
}

function BalanceCards(props: { readonly balances: readonly BalanceRow[]; readonly chosen: BalanceRow }) {
  const { place } = useRouter();
  const query = Object.fromEntries(place.query);
  return (
    <ul class="cards">
      {props.balances.map((balance) => (
        <li key={`${balance.project_id}${balance.currency}`}>
          <Link
            to={withQuery("balance", { ...query, of: balance.project_id, currency: balance.currency })}
            look="balance-card"
            isCurrent={balance === props.chosen}
          >
            <BalanceFigures balance={balance} />
          </Link>
        </li>
      ))}
    </ul>
  );
}

/** A statement is by days of UTC, as the register is, so that the two add up. */
function dayText(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}
