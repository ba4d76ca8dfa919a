import type { ComponentChildren } from "preact";
import type { Book } from "../wire/reports.ts";
import { useSpeech } from "../words/words.ts";

type Tone = "good" | "bad" | "wait" | "busy" | "plain";

/** A word with a colour: the word alone says it all. */
export function Badge({ tone, children }: { readonly tone: Tone; readonly children: ComponentChildren }) {
  return <span class={`badge ${tone}`}>{children}</span>;
}

const TONES: Readonly<Record<string, Tone>> = { success: "good", decline: "bad", dispute: "wait", processing: "busy" };

export function StatusBadge(props: { readonly status: string; readonly sub: string | null }) {
  const { words } = useSpeech();
  const sub = props.sub === null ? undefined : (words.subStatuses[props.sub] ?? props.sub);
  return (
    <span class="status">
      <Badge tone={TONES[props.status] ?? "plain"}>{words.statuses[props.status] ?? props.status}</Badge>
      {sub === undefined ? null : <span class="sub-status">{sub}</span>}
    </span>
  );
}

/** Only test is marked: it must never be taken for live. */
export function BookMark({ book }: { readonly book: Book }) {
  const { words } = useSpeech();
  return book === "test" ? <span class="test-mark">{words.book.test}</span> : null;
}
