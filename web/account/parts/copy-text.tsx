import type { ComponentChildren } from "preact";
import { useRef, useState } from "preact/hooks";
import { useCopied } from "../../kit/copied.ts";
import { Icon } from "../../kit/icon.tsx";
import { useSpeech } from "../words/words.ts";
import { ICONS } from "./icons.ts";

/** An id or a link, with a button that copies it: whole, also where a part of it is shown. */
export function CopyText(props: { readonly text: string; readonly label: string; readonly shown?: string }) {
  const { text, label, shown = text } = props;
  const { words } = useSpeech();
  const place = useRef<HTMLElement>(null);
  const { isCopied, copy } = useCopied(place);
  const said = isCopied ? words.copied : words.copy;
  // Without a clipboard the text is selected for the reader to copy: then it has to be there whole.
  const [isWhole, setWhole] = useState(false);
  return (
    <span class="copy-text">
      <code ref={place}>{isWhole ? text : shown}</code>
      <button
        type="button"
        class="icon-button"
        aria-label={`${said}: ${label}`}
        title={said}
        onClick={async () => setWhole(!(await copy(text)))}
      >
        <Icon path={isCopied ? ICONS.tick : ICONS.copy} />
      </button>
      <span class="unseen" role="status">
        {isCopied ? words.copied : null}
      </span>
    </span>
  );
}

/** A longer text, with a button that says what it does. */
export function CopyBlock(props: {
  readonly text: string;
  readonly label: string;
  readonly button: string;
  /** What else can be done with it. */
  readonly children?: ComponentChildren;
}) {
  const { words } = useSpeech();
  const place = useRef<HTMLPreElement>(null);
  const { isCopied, copy } = useCopied(place);
  return (
    <div class="copy-block">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and a keyboard must be able to scroll it */}
      <section class="scroll-text" aria-label={props.label} tabIndex={0}>
        <pre ref={place}>{props.text}</pre>
      </section>
      <button type="button" class="quiet" onClick={() => copy(props.text)}>
        <Icon path={isCopied ? ICONS.tick : ICONS.copy} />
        {isCopied ? words.copied : props.button}
      </button>
      {props.children}
    </div>
  );
}
