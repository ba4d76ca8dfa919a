import { useEffect, useRef, useState } from "preact/hooks";
import { useSpeech } from "../words/words.ts";
import { ICONS, Icon } from "./icon.tsx";

const TOLD_MS = 2_500;

/** Something to be typed elsewhere: large, and copied as the other side takes it. */
export function CopyField(props: { readonly label: string; readonly shown: string; readonly copied: string }) {
  const { words } = useSpeech();
  const [told, setTold] = useState(false);
  const value = useRef<HTMLElement>(null);
  useEffect(() => {
    if (!told) return;
    const timer = setTimeout(() => setTold(false), TOLD_MS);
    return () => clearTimeout(timer);
  }, [told]);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(props.copied);
      setTold(true);
    } catch {
      // In a frame or without TLS there may be no clipboard: then the text is selected for the payer to copy.
      if (value.current !== null) getSelection()?.selectAllChildren(value.current);
    }
  };
  const shown = told ? words.copied : words.copy;
  return (
    <div class="copy-field">
      <dt>{props.label}</dt>
      <dd class="value" ref={value}>
        {props.shown}
      </dd>
      <dd class="copy-place">
        <button type="button" class="copy" onClick={copy} aria-label={`${shown}: ${props.label}`}>
          <Icon path={told ? ICONS.tick : ICONS.copy} />
          {shown}
        </button>
        <span class="unseen" role="status">
          {told ? words.copied : null}
        </span>
      </dd>
    </div>
  );
}
