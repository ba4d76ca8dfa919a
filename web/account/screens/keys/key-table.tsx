import { Badge, BookMark } from "../../parts/badge.tsx";
import { CopyText } from "../../parts/copy-text.tsx";
import { When } from "../../parts/figures.tsx";
import type { ApiKey, KeyProject } from "../../wire/keys.ts";
import { useSpeech } from "../../words/words.ts";
import { labelOf, shortToken } from "./key-names.ts";

/** What can be done with a key that works. */
export type KeyActs = { readonly onReplace: (key: ApiKey) => void; readonly onRevoke: (key: ApiKey) => void };

export function KeyTable(props: {
  readonly title: string;
  readonly keys: readonly ApiKey[];
  readonly projects: readonly KeyProject[];
  /** Keys that have ended have none. */
  readonly acts?: KeyActs;
}) {
  const { words } = useSpeech();
  const { name, token, reach, state, created } = words.keys;
  return (
    <div class="table-place">
      <table class="list key-list">
        <caption class="unseen">{props.title}</caption>
        <thead>
          <tr>
            {[name, reach, token, state, created].map((title) => (
              <th key={title} scope="col">
                {title}
              </th>
            ))}
            {props.acts === undefined ? null : (
              <th scope="col">
                <span class="unseen">{words.keys.acts}</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {props.keys.map((key) => (
            <KeyRow key={key.id} shown={key} projects={props.projects} acts={props.acts} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function KeyRow(props: {
  readonly shown: ApiKey;
  readonly projects: readonly KeyProject[];
  readonly acts: KeyActs | undefined;
}) {
  const { words } = useSpeech();
  const { shown, acts } = props;
  const label = labelOf(shown, words);
  const project = props.projects.find(({ id }) => id === shown.project_id);
  return (
    <tr>
      <td class="key-name">
        <strong>{label}</strong>
        <span class="small">{words.keys.kinds[shown.kind]}</span>
      </td>
      <td class="key-reach">
        <BookMark book={shown.book} />{" "}
        {shown.project_id === null ? words.keys.allOf[shown.book] : (project?.name ?? shown.project_id)}
      </td>
      <td class="key-token">
        <CopyText text={shown.token} shown={shortToken(shown.token)} label={words.keys.tokenOf(label)} />
      </td>
      <td class="key-state">
        <StateOf shown={shown} />
      </td>
      <td class="when">
        <When at={shown.created_at} />
      </td>
      {acts === undefined ? null : (
        <td class="act">
          {shown.state === "active" ? (
            <button
              type="button"
              class="quiet"
              aria-label={words.keys.replaceOf(label)}
              onClick={() => acts.onReplace(shown)}
            >
              {words.keys.replace}
            </button>
          ) : null}
          <button
            type="button"
            class="quiet"
            aria-label={words.keys.revokeOf(label)}
            onClick={() => acts.onRevoke(shown)}
          >
            {words.keys.revoke}
          </button>
        </td>
      )}
    </tr>
  );
}

/** As long before its end as the first e-mail about it is sent. */
const ENDING_MS = 14 * 86_400_000;

function StateOf({ shown }: { readonly shown: ApiKey }) {
  const { words } = useSpeech();
  const { states, until, from } = words.keys;
  const { state, not_before, not_after, revoked_at } = shown;
  const isEnding = not_after !== null && Date.parse(not_after) - Date.now() <= ENDING_MS;
  switch (state) {
    case "active":
      return (
        <>
          <Badge tone={isEnding ? "wait" : "good"}>{isEnding ? states.ending : states.active}</Badge>
          {not_after === null ? null : (
            <span class="small">
              {until} <When at={not_after} />
            </span>
          )}
        </>
      );
    case "not_yet":
      return (
        <>
          <Badge tone="busy">{states.not_yet}</Badge>
          <span class="small">
            {from} <When at={not_before} />
          </span>
        </>
      );
    default: {
      const at = revoked_at ?? not_after;
      return (
        <>
          <Badge tone="plain">{states[state]}</Badge>
          <span class="small">{at === null ? null : <When at={at} />}</span>
        </>
      );
    }
  }
}
