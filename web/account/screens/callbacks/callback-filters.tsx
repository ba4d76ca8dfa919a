import { useEffect, useState } from "preact/hooks";
import { SelectField, TextField } from "../../parts/fields.tsx";
import { useRouter } from "../../router.ts";
import { CALLBACK_STATES, type CallbackState } from "../../wire/callbacks.ts";
import { withQuery } from "../../with-query.ts";
import { useSpeech } from "../../words/words.ts";

type ShownFilters = {
  readonly state: CallbackState;
  readonly url: string | undefined;
  readonly from: string | undefined;
  readonly to: string | undefined;
};

const SHOWN_DAYS = 7;

/** Most callbacks were delivered: the reader begins with the latest of them. */
function weekAgo(): string {
  const day = new Date();
  day.setDate(day.getDate() - SHOWN_DAYS);
  const two = (part: number) => String(part).padStart(2, "0");
  return `${day.getFullYear()}-${two(day.getMonth() + 1)}-${two(day.getDate())}`;
}

/** A choice takes effect at once, typed text when its field is left; all of it is in the address. */
export function CallbackFilters({ shown }: { readonly shown: ShownFilters }) {
  const { words } = useSpeech();
  const { place, go } = useRouter();
  const [url, setUrl] = useState(shown.url ?? "");
  useEffect(() => setUrl(shown.url ?? ""), [shown.url]);
  const change = (next: Partial<Record<keyof ShownFilters, string>>) =>
    go(withQuery("callbacks", { ...Object.fromEntries(place.query), ...next }), "replace");
  const isNarrowed = (shown.url ?? shown.from ?? shown.to ?? "") !== "";
  const apply = () => {
    if (url !== (shown.url ?? "")) change({ url });
  };
  return (
    <search aria-label={words.list.filters}>
      <form
        class="callback-filters"
        onSubmit={(event) => {
          event.preventDefault();
          apply();
        }}
        onFocusOut={apply}
      >
        <div class="filter-row">
          <SelectField
            label={words.callbacks.state}
            value={shown.state}
            options={CALLBACK_STATES.map((state) => ({ value: state, name: words.callbackStates[state] ?? state }))}
            onChange={(state) =>
              change({ state, ...(state === "delivered" && !isNarrowed ? { from: weekAgo() } : {}) })
            }
          />
          <div class="filter-search">
            <TextField label={words.callbacks.url} type="search" value={url} onInput={setUrl} maxLength={1024} />
          </div>
          <TextField
            label={words.list.from}
            type="date"
            value={shown.from ?? ""}
            onInput={(from) => change({ from })}
          />
          <TextField label={words.list.to} type="date" value={shown.to ?? ""} onInput={(to) => change({ to })} />
        </div>
        {isNarrowed ? (
          <button type="button" class="link-button" onClick={() => change({ url: "", from: "", to: "" })}>
            {words.list.clear}
          </button>
        ) : null}
        <button type="submit" class="unseen" tabIndex={-1}>
          {words.list.apply}
        </button>
      </form>
    </search>
  );
}
