import type { Pages } from "../../pages.ts";
import { Badge, StatusBadge } from "../../parts/badge.tsx";
import { Amount, countText } from "../../parts/figures.tsx";
import { Link } from "../../parts/link.tsx";
import { MoreButton } from "../../parts/more-button.tsx";
import { Panel } from "../../parts/panel.tsx";
import { useRouter } from "../../router.ts";
import type { BatchRow, BatchView, RowState } from "../../wire/pay-out.ts";
import { withQuery } from "../../with-query.ts";
import { useSpeech } from "../../words/words.ts";

const STATES: readonly RowState[] = ["waiting", "made", "refused", "failed"];

/** Each row with its result. */
export function BatchRows({ view, pages }: { readonly view: BatchView; readonly pages: Pages<BatchView, BatchRow> }) {
  const { words } = useSpeech();
  const { batch } = view;
  const stood = STATES.filter((state) => batch.progress[state] > 0);
  return (
    <Panel title={words.payOut.rows} aside={stood.length > 1 ? <StateTabs view={view} states={stood} /> : undefined}>
      {pages.rows.length === 0 ? (
        <p class="small">{words.payOut.noRows}</p>
      ) : (
        <RowTable rows={pages.rows} isDraft={batch.state === "checked"} />
      )}
      <MoreButton pages={pages} />
    </Panel>
  );
}

function StateTabs({ view, states }: { readonly view: BatchView; readonly states: readonly RowState[] }) {
  const { language, words } = useSpeech();
  const { place, go } = useRouter();
  const shown = place.query.get("state") ?? "";
  const choose = (state: string) => go(withQuery(place.path, { state: state === "" ? undefined : state }), "replace");
  return (
    <fieldset class="tabs">
      <legend class="unseen">{words.payOut.columnResult}</legend>
      {["" as const, ...states].map((state) => (
        <label key={state}>
          <input type="radio" name="state" checked={state === shown} onChange={() => choose(state)} />
          <span>
            {state === ""
              ? words.payOut.all
              : `${words.payOut.rowStates[state]}: ${countText(view.batch.progress[state], language)}`}
          </span>
        </label>
      ))}
    </fieldset>
  );
}

/** Before it is confirmed, no row has a result. */
function RowTable({ rows, isDraft }: { readonly rows: readonly BatchRow[]; readonly isDraft: boolean }) {
  const { words } = useSpeech();
  return (
    <div class="table-place flat">
      <table class="list batch-rows">
        <caption class="unseen">{words.payOut.rows}</caption>
        <thead>
          <tr>
            <th scope="col" class="number">
              {words.payOut.columnLine}
            </th>
            <th scope="col" class="number">
              {words.payOut.columnAmount}
            </th>
            <th scope="col">{words.payOut.columnReceiver}</th>
            {isDraft ? null : <th scope="col">{words.payOut.columnResult}</th>}
            <th scope="col">{words.payOut.columnId}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Row key={row.line} row={row} isDraft={isDraft} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Row({ row, isDraft }: { readonly row: BatchRow; readonly isDraft: boolean }) {
  const { words } = useSpeech();
  return (
    <tr>
      <td class="number line">{row.line}</td>
      <td class="number sum">
        <Amount amount={row.amount} currency={row.currency} />
      </td>
      <td class="receiver">
        <span class="mask">{row.receiver}</span>
        <span class="small">
          {words.methods[row.method] ?? row.method}
          {row.bank === null ? null : ` · ${row.bank}`}
          {row.description === null ? null : ` · ${row.description}`}
        </span>
      </td>
      {isDraft ? null : (
        <td class="state">
          <Result row={row} />
        </td>
      )}
      <td class="id">
        {row.request_id === null ? (
          <span class="small">{row.payment_id}</span>
        ) : (
          <Link to={`payouts/${row.request_id}`} look="row-link">
            {row.payment_id}
          </Link>
        )}
      </td>
    </tr>
  );
}

function Result({ row }: { readonly row: BatchRow }) {
  const { words } = useSpeech();
  if (row.payment !== null) return <StatusBadge status={row.payment.status} sub={row.payment.sub_status} />;
  const error = row.error_code === null ? undefined : (words.payOut.rowErrors[row.error_code] ?? row.error);
  return (
    <>
      <Badge tone={row.state === "waiting" ? "plain" : "bad"}>{words.payOut.rowStates[row.state]}</Badge>
      {error === undefined ? null : <span class="small">{error}</span>}
    </>
  );
}
