import { useEffect, useState } from "preact/hooks";
import { type Filters, isNarrowed, minorText } from "../filters.ts";
import type { Direction } from "../wire/reports.ts";
import { useSpeech } from "../words/words.ts";
import { type Option, SelectField, TextField } from "./fields.tsx";

type Props = {
  readonly direction: Direction;
  readonly filters: Filters;
  readonly currencies: readonly string[];
  readonly onChange: (filters: Filters) => void;
};

/** Choices take effect at once, typed text when it is finished; all of it is in the address. */
export function ListFilters(props: Props) {
  const { words } = useSpeech();
  const { filters } = props;
  const [draft, setDraft] = useState(filters);
  const [isMore, setMore] = useState(hasRare(filters));
  useEffect(() => setDraft(filters), [JSON.stringify(filters)]);
  const set = (name: keyof Filters) => (value: string) => props.onChange({ ...draft, [name]: value });
  const type = (name: keyof Filters) => (value: string) => setDraft({ ...draft, [name]: value });
  const apply = () => props.onChange(draft);
  return (
    <search aria-label={words.list.filters}>
      <form
        class="filters"
        onSubmit={(event) => {
          event.preventDefault();
          apply();
        }}
        // A typed text is finished when its field is left.
        onFocusOut={(event) => {
          if (event.target instanceof HTMLInputElement && JSON.stringify(draft) !== JSON.stringify(filters)) apply();
        }}
      >
        <div class="filter-row">
          <div class="filter-search">
            <TextField
              label={words.list.search}
              placeholder={words.list.searchHint}
              type="search"
              value={draft.q ?? ""}
              onInput={type("q")}
            />
          </div>
          <SelectField
            label={words.list.status}
            value={filters.status ?? ""}
            options={[{ value: "", name: words.list.any }, ...optionsOf(words.statuses)]}
            onChange={set("status")}
          />
          <TextField label={words.list.from} type="date" value={draft.from ?? ""} onInput={type("from")} />
          <TextField label={words.list.to} type="date" value={draft.to ?? ""} onInput={type("to")} />
        </div>
        {isMore ? <RareFilters {...props} draft={draft} set={set} type={type} /> : null}
        <div class="filter-acts">
          <button type="button" class="link-button" aria-expanded={isMore} onClick={() => setMore(!isMore)}>
            {words.list.moreFilters}
          </button>
          {isNarrowed(filters) ? (
            <button
              type="button"
              class="link-button"
              onClick={() => props.onChange(filters.project === undefined ? {} : { project: filters.project })}
            >
              {words.list.clear}
            </button>
          ) : null}
          <button type="submit" class="unseen" tabIndex={-1}>
            {words.list.apply}
          </button>
        </div>
      </form>
    </search>
  );
}

function RareFilters(
  props: Props & {
    readonly draft: Filters;
    readonly set: (name: keyof Filters) => (value: string) => void;
    readonly type: (name: keyof Filters) => (value: string) => void;
  },
) {
  const { words } = useSpeech();
  const { draft, filters, set, type } = props;
  const mistakeOf = (text: string | undefined) =>
    (text ?? "") !== "" && minorText(text, 3) === undefined ? words.list.amountWrong : undefined;
  const currencies = [...new Set([...props.currencies, ...(filters.currency ? [filters.currency] : [])])].sort();
  return (
    <div class="filter-row">
      <SelectField
        label={words.list.method}
        value={filters.method ?? ""}
        options={[{ value: "", name: words.list.any }, ...optionsOf(words.methods)]}
        onChange={set("method")}
      />
      <SelectField
        label={words.list.currency}
        value={filters.currency ?? ""}
        options={[{ value: "", name: words.list.any }, ...currencies.map((code) => ({ value: code, name: code }))]}
        onChange={set("currency")}
      />
      <TextField label={words.list.min} value={draft.min ?? ""} onInput={type("min")} mistake={mistakeOf(draft.min)} />
      <TextField label={words.list.max} value={draft.max ?? ""} onInput={type("max")} mistake={mistakeOf(draft.max)} />
      <TextField label={words.list.customer} value={draft.customer ?? ""} onInput={type("customer")} />
      <SelectField
        label={words.list.sort}
        value={filters.sort ?? ""}
        options={[
          { value: "", name: words.list.sortCreated },
          { value: "amount", name: words.list.sortAmount },
        ]}
        onChange={set("sort")}
      />
    </div>
  );
}

function optionsOf(names: Readonly<Record<string, string>>): Option[] {
  return Object.entries(names).map(([value, name]) => ({ value, name }));
}

function hasRare({ method, currency, min, max, customer, sort }: Filters): boolean {
  return [method, currency, min, max, customer, sort].some((value) => (value ?? "") !== "");
}
