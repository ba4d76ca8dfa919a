import type { ComponentChildren } from "preact";
import { Icon } from "../../kit/icon.tsx";
import type { Loaded } from "../load.ts";
import type { Refusal } from "../server.ts";
import { refusalText, useSpeech } from "../words/words.ts";

/** Nothing to show, and what to do next. */
export function EmptyState(props: {
  readonly icon: string;
  readonly title: string;
  readonly text: string;
  readonly children?: ComponentChildren;
}) {
  return (
    <div class="empty">
      <Icon look="empty-icon" path={props.icon} />
      <p class="empty-title">{props.title}</p>
      <p class="small">{props.text}</p>
      {props.children}
    </div>
  );
}

export function Loading() {
  const { words } = useSpeech();
  return (
    <p class="loading" role="status">
      <span class="spinner small-spinner" aria-hidden="true" />
      {words.loading}
    </p>
  );
}

export function Trouble({ refusal, onAgain }: { readonly refusal: Refusal; readonly onAgain: () => void }) {
  const { words } = useSpeech();
  return (
    <div class="trouble" role="alert">
      <p>{refusalText(words, refusal)}</p>
      <button type="button" class="quiet" onClick={onAgain}>
        {words.tryAgain}
      </button>
    </div>
  );
}

/** What was loaded, or why it was not. */
export function Shown<Value>(props: {
  readonly loaded: Loaded<Value>;
  readonly children: (value: Value) => ComponentChildren;
}) {
  const { value, trouble, reload } = props.loaded;
  if (value !== undefined) return <>{props.children(value)}</>;
  return trouble === undefined ? <Loading /> : <Trouble refusal={trouble} onAgain={reload} />;
}
