import { useEffect, useRef } from "preact/hooks";

/** A question with two answers. The browser keeps the focus inside, and Escape means no. */
export function ConfirmDialog(props: {
  readonly title: string;
  readonly text: string;
  readonly yes: string;
  readonly no: string;
  readonly onYes: () => void;
  readonly onNo: () => void;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    dialog.current?.showModal();
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      class="confirm"
      aria-labelledby="dialog-title"
      aria-describedby="dialog-text"
      onClose={props.onNo}
    >
      <h2 id="dialog-title">{props.title}</h2>
      <p id="dialog-text">{props.text}</p>
      <div class="dialog-buttons">
        <button type="button" class="primary" onClick={props.onYes}>
          {props.yes}
        </button>
        <button type="button" class="quiet" onClick={props.onNo}>
          {props.no}
        </button>
      </div>
    </dialog>
  );
}
