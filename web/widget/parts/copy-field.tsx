import { useRef } from "preact/hooks";
import { useCopied } from "../../kit/copied.ts";
import { ICONS, Icon } from "../../kit/icon.tsx";
import { useSpeech } from "../words/words.ts";

/** Something to be typed elsewhere: large, and copied as the other side takes it. */
export function CopyField(props: { readonly label: string; readonly shown: string; readonly copied: string }) {
  const { words } = useSpeech();
  const value = useRef<HTMLElement>(null);
  const { isCopied, copy } = useCopied(value);
  const shown = isCopied ? words.copied : words.copy;
  return (
    <div class="copy-field">
      <dt>{props.label}</dt>
      <dd class="value" ref={value}>
        {props.shown}
      </dd>
      <dd class="copy-place">
        <button type="button" class="copy" onClick={() => copy(props.copied)} aria-label={`${shown}: ${props.label}`}>
          <Icon path={isCopied ? ICONS.tick : ICONS.copy} />
          {shown}
        </button>
        <span class="unseen" role="status">
          {isCopied ? words.copied : null}
        </span>
      </dd>
    </div>
  );
}
