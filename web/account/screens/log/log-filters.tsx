import { useEffect, useState } from "preact/hooks";
import { periodOf } from "../../filters.ts";
import { SelectField, TextField } from "../../parts/fields.tsx";
import { withQuery } from "../../with-query.ts";
import { useSpeech } from "../../words/words.ts";

const FILTERS = ["q", "status", "path", "from", "to", "project"] as const;

/** The filters of the log, as they stand in the address. */
export type LogQuery = Readonly<Partial<Record<(typeof FILTERS)[number], string>>>;

export function logQueryOf(query: URLSearchParams): LogQuery {
  return Object.fromEntries(FILTERS.flatMap((name) => (query.has(name) ? [[name, query.get(name) ?? ""]] : [])));
}

/** What the server is asked for: the reader's days as moments. */
export function logPath({ q, status, path, from, to, project }: LogQuery): string {
  return withQuery("log", { q: q?.trim(), status, path, project, ...periodOf(from, to) });
}

export function isNarrowed(query: LogQuery): boolean {
  return FILTERS.some((name) => name !== "project" && (query[name] ?? "") !== "");
}

/** Each is a part of the paths that it stands for. */
const PATHS = [
  "/p2p/payin",
  "/p2p/payout",
  "/ecom/payin",
  "/ecom/payout",
  "/widget/payin",
  "/info",
  "/confirm",
  "/cancel",
  "/balance/info",
  "/bank/all",
];

/** Choices take effect at once, typed text when it is finished; all of it is in the address. */
export function LogFilters({
  query,
  onChange,
}: {
  readonly query: LogQuery;
  readonly onChange: (next: LogQuery) => void;
}) {
  const { words } = useSpeech();
  const [draft, setDraft] = useState(query);
  useEffect(() => setDraft(query), [JSON.stringify(query)]);
  const set = (name: keyof LogQuery) => (value: string) => onChange({ ...draft, [name]: value });
  const type = (name: keyof LogQuery) => (value: string) => setDraft({ ...draft, [name]: value });
  const apply = () => onChange(draft);
  return (
    <search aria-label={words.log.filters}>
      <form
        class="filters log-filters"
        onSubmit={(event) => {
          event.preventDefault();
          apply();
        }}
        // A typed text is finished when its field is left.
        onFocusOut={(event) => {
          if (event.target instanceof HTMLInputElement && JSON.stringify(draft) !== JSON.stringify(query)) apply();
        }}
      >
        <div class="filter-row">
          <div class="filter-search">
            <TextField
              label={words.log.search}
              placeholder={words.log.searchHint}
              type="search"
              value={draft.q ?? ""}
              onInput={type("q")}
            />
          </div>
          <SelectField
            label={words.log.status}
            value={query.status ?? ""}
            options={[
              { value: "", name: words.log.any },
              ...Object.entries(words.log.statuses).map(([value, name]) => ({ value, name })),
            ]}
            onChange={set("status")}
          />
          <SelectField
            label={words.log.path}
            value={query.path ?? ""}
            options={[{ value: "", name: words.log.any }, ...PATHS.map((path) => ({ value: path, name: path }))]}
            onChange={set("path")}
          />
          <TextField label={words.log.from} type="date" value={draft.from ?? ""} onInput={type("from")} />
          <TextField label={words.log.to} type="date" value={draft.to ?? ""} onInput={type("to")} />
        </div>
        <div class="filter-acts">
          {isNarrowed(query) ? (
            <button
              type="button"
              class="link-button"
              onClick={() => onChange(query.project === undefined ? {} : { project: query.project })}
            >
              {words.log.clear}
            </button>
          ) : null}
          <button type="submit" class="unseen" tabIndex={-1}>
            {words.log.apply}
          </button>
        </div>
      </form>
    </search>
  );
}
