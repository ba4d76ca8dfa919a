import type { ComponentChildren } from "preact";
import { useId, useLayoutEffect, useRef } from "preact/hooks";
import { Icon } from "../../kit/icon.tsx";
import { useSpeech } from "../words/words.ts";
import { ICONS } from "./icons.ts";

/** A form over the page. The browser keeps the focus inside; Escape and the cross close it. */
export function Modal(props: {
  readonly title: string;
  readonly text?: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}) {
  const { words } = useSpeech();
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const before = document.activeElement;
    const shown = dialog.current;
    shown?.showModal();
    shown?.querySelector<HTMLElement>("input, select, .primary")?.focus();
    return () => {
      shown?.close();
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      class="confirm modal"
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        props.onClose();
      }}
    >
      <div class="panel-head">
        <h2 id={id}>{props.title}</h2>
        <button type="button" class="icon-button" aria-label={words.close} onClick={props.onClose}>
          <Icon path={ICONS.cross} />
        </button>
      </div>
      {props.text === undefined ? null : <p class="small">{props.text}</p>}
      {props.children}
    </dialog>
  );
}
