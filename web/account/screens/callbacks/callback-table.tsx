import { formatShortMoment } from "../../../kit/dates.ts";
import { BookMark, StatusBadge } from "../../parts/badge.tsx";
import { When } from "../../parts/figures.tsx";
import { Link } from "../../parts/link.tsx";
import type { CallbackRow } from "../../wire/callbacks.ts";
import { useSpeech } from "../../words/words.ts";
import { errorText } from "./error-text.ts";
import type { CallbackActs } from "./use-acts.ts";

type TableProps = {
  readonly rows: readonly CallbackRow[];
  readonly chosen: ReadonlySet<string>;
  readonly onChoose: (ids: ReadonlySet<string>) => void;
  readonly acts: CallbackActs;
};

/** At most so many go in one request. */
const CHOSEN_MAX = 500;

export function CallbackTable(props: TableProps) {
  const { words } = useSpeech();
  const { rows, chosen, onChoose } = props;
  const isAll = rows.length > 0 && rows.every(({ id }) => chosen.has(id));
  const choosable = rows.slice(0, CHOSEN_MAX).map(({ id }) => id);
  return (
    <div class="table-place flat">
      <table class="list callback-list">
        <caption class="unseen">{words.callbacks.list}</caption>
        <thead>
          <tr>
            <th scope="col" class="pick">
              <input
                type="checkbox"
                aria-label={words.callbacks.chooseAll}
                checked={isAll}
                onChange={() => onChoose(new Set(isAll ? [] : choosable))}
              />
            </th>
            <th scope="col">{words.callbacks.columnPayment}</th>
            <th scope="col">{words.callbacks.columnTells}</th>
            <th scope="col">{words.callbacks.columnLast}</th>
            <th scope="col">{words.callbacks.columnCreated}</th>
            <th scope="col">
              <span class="unseen">{words.callbacks.sendAgain}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Row key={row.id} {...props} row={row} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Row({ row, chosen, onChoose, acts }: TableProps & { readonly row: CallbackRow }) {
  const { words } = useSpeech();
  const toggle = () => {
    const next = new Set(chosen);
    if (!next.delete(row.id)) next.add(row.id);
    onChoose(next);
  };
  return (
    <tr>
      <td class="pick">
        <input
          type="checkbox"
          aria-label={words.callbacks.chooseOne(row.payment_id)}
          checked={chosen.has(row.id)}
          onChange={toggle}
        />
      </td>
      <td class="subject">
        <BookMark book={row.book} />{" "}
        <Link to={`${row.type === "payin" ? "payments" : "payouts"}/${row.request_id}`} look="row-link">
          {row.payment_id}
        </Link>
        <span class="small callback-to">{row.url}</span>
      </td>
      <td class="state">
        <StatusBadge status={row.status} sub={row.sub_status} />
      </td>
      <td class="last">
        <LastAttempt row={row} />
      </td>
      <td class="when">
        <When at={row.created_at} />
      </td>
      <td class="act">
        {row.state === "held" ? null : (
          <button
            type="button"
            class="quiet"
            aria-label={words.callbacks.sendOne(row.payment_id)}
            onClick={() => acts.replay({ ids: [row.id] })}
          >
            {words.callbacks.sendAgain}
          </button>
        )}
        {row.state === "dead" ? (
          <button
            type="button"
            class="link-button"
            aria-label={words.callbacks.dismissOne(row.payment_id)}
            onClick={() => acts.dismiss({ ids: [row.id] })}
          >
            {words.callbacks.dismiss}
          </button>
        ) : null}
      </td>
    </tr>
  );
}

function LastAttempt({ row }: { readonly row: CallbackRow }) {
  const { language, words } = useSpeech();
  const last = row.last_failure ?? (row.last_status === null ? undefined : String(row.last_status));
  const next = row.due_at === null ? [] : [words.callbacks.dueAt(formatShortMoment(row.due_at, language))];
  return (
    <>
      {last === undefined ? words.none : errorText(words, last)}
      <span class="small">{[words.callbacks.attempts(row.attempts), ...next].join(", ")}</span>
    </>
  );
}
