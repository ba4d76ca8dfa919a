import { useEffect, useState } from "preact/hooks";
import { ConfirmDialog } from "../../../kit/dialog.tsx";
import { Notice } from "../../../kit/notice.tsx";
import { periodOf } from "../../filters.ts";
import { usePages } from "../../pages.ts";
import { countText } from "../../parts/figures.tsx";
import { ICONS } from "../../parts/icons.ts";
import { MoreButton } from "../../parts/more-button.tsx";
import { Panel } from "../../parts/panel.tsx";
import { EmptyState, Shown } from "../../parts/states.tsx";
import { useScope } from "../../projects.ts";
import { useRouter } from "../../router.ts";
import { CALLBACK_STATES, type CallbackList, type CallbackRow } from "../../wire/callbacks.ts";
import { withQuery } from "../../with-query.ts";
import { useSpeech } from "../../words/words.ts";
import { CallbackFilters } from "./callback-filters.tsx";
import { CallbackTable } from "./callback-table.tsx";
import { useActs } from "./use-acts.ts";

/** What the list shows, as it stands in the address. */
function useAsked() {
  const { place } = useRouter();
  const { projectId } = useScope();
  const text = (name: string) => place.query.get(name) ?? undefined;
  const state = CALLBACK_STATES.find((each) => each === text("state")) ?? "dead";
  const shown = { state, url: text("url"), from: text("from"), to: text("to") };
  const asked = { project: projectId, state, url: shown.url?.trim(), ...periodOf(shown.from, shown.to) };
  return { shown, asked: Object.fromEntries(Object.entries(asked).filter(([, value]) => (value ?? "") !== "")) };
}

/** Callbacks by state. One, several, or all that match can be sent again, or dismissed. */
export function Deliveries() {
  const { language, words } = useSpeech();
  const { shown, asked } = useAsked();
  const path = withQuery("callbacks", asked);
  const pages = usePages<CallbackList, CallbackRow>(path, ({ rows }) => rows);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [isAsking, setAsking] = useState(false);
  useEffect(() => setChosen(new Set()), [path]);
  // A list that is read again keeps what a person chose meanwhile.
  useEffect(() => setChosen((before) => thoseStillThere(before, pages.rows)), [pages.value]);
  const acts = useActs(pages.reload);
  const count = pages.value?.count ?? 0;
  const countMax = pages.value?.count_max ?? 0;
  const isReplayable = shown.state !== "held";
  return (
    <Panel title={words.callbacks.list}>
      <CallbackFilters shown={shown} />
      <Notice text={acts.trouble} />
      <p class="done" role="status">
        {acts.done}
      </p>
      <Shown loaded={pages}>
        {() =>
          pages.rows.length === 0 ? (
            <NoCallbacks isFirst={shown.state === "dead" && Object.keys(asked).every(isBroad)} />
          ) : (
            <div class={pages.isLoading ? "is-stale" : undefined}>
              <div class="list-acts">
                <p class="totals">
                  {count > countMax
                    ? words.callbacks.matchingMore(countText(countMax, language))
                    : words.callbacks.matching(countText(count, language))}
                </p>
                {chosen.size > 0 && isReplayable ? (
                  <button type="button" class="primary" onClick={() => acts.replay({ ids: [...chosen] })}>
                    {words.callbacks.sendChosen(chosen.size)}
                  </button>
                ) : null}
                {chosen.size > 0 && shown.state === "dead" ? (
                  <button type="button" class="quiet" onClick={() => acts.dismiss({ ids: [...chosen] })}>
                    {words.callbacks.dismissChosen(chosen.size)}
                  </button>
                ) : null}
                {chosen.size === 0 && isReplayable && count <= countMax ? (
                  <button type="button" class="quiet" onClick={() => setAsking(true)}>
                    {words.callbacks.sendAll}
                  </button>
                ) : null}
              </div>
              {count > countMax ? <p class="small">{words.callbacks.tooMany(countText(countMax, language))}</p> : null}
              <CallbackTable rows={pages.rows} chosen={chosen} onChoose={setChosen} acts={acts} />
              {shown.state === "dead" ? <p class="small after-list">{words.callbacks.dismissText}</p> : null}
              <MoreButton pages={pages} />
            </div>
          )
        }
      </Shown>
      {isAsking ? (
        <ConfirmDialog
          {...words.callbacks.sendAllQuestion(countText(count, language))}
          offered="no"
          onNo={() => setAsking(false)}
          onYes={() => {
            setAsking(false);
            void acts.replay({ filter: asked });
          }}
        />
      ) : null}
    </Panel>
  );
}

const isBroad = (name: string) => name === "state" || name === "project";

function NoCallbacks({ isFirst }: { readonly isFirst: boolean }) {
  const { words } = useSpeech();
  return isFirst ? (
    <EmptyState icon={ICONS.tick} title={words.callbacks.emptyDead} text={words.callbacks.emptyDeadText} />
  ) : (
    <EmptyState icon={ICONS.callbacks} title={words.callbacks.emptyState} text={words.callbacks.emptyStateText} />
  );
}

function thoseStillThere(chosen: ReadonlySet<string>, rows: readonly CallbackRow[]): ReadonlySet<string> {
  return new Set(rows.map(({ id }) => id).filter((id) => chosen.has(id)));
}
