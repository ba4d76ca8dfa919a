import type { ComponentChildren } from "preact";
import { useRef } from "preact/hooks";
import { useCopied } from "../../kit/copied.ts";

/** A text to read and copy, made by the page itself. */
export function Code(props: {
  readonly label: string;
  readonly text: string;
  /** The text with its colours, where it has some. */
  readonly children?: ComponentChildren;
  readonly wraps?: boolean;
}) {
  const place = useRef<HTMLElement>(null);
  const { isCopied, copy } = useCopied(place);
  return (
    <div class={props.wraps ? "code wraps" : "code"}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex lint/a11y/useSemanticElements: a keyboard must be able to scroll it */}
      <pre role="group" aria-label={props.label} tabIndex={0}>
        <code ref={place}>{props.children ?? props.text}</code>
      </pre>
      <button type="button" class="copy" aria-label={`Copy: ${props.label}`} onClick={() => copy(props.text)}>
        {isCopied ? "Copied" : "Copy"}
      </button>
    </div>
  );
}
