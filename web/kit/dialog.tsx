import { useLayoutEffect, useRef } from "preact/hooks";

/** A question with two answers. The browser keeps the focus inside, and Escape means no. */
export function ConfirmDialog(props: {
  readonly title: string;
  readonly text: string;
  readonly yes: string;
  readonly no: string;
  /** The answer that does no harm: it comes first, and has the focus. */
  readonly offered: "yes" | "no";
  readonly onYes: () => void;
  readonly onNo: () => void;
}) {
  const { offered } = props;
  const dialog = useRef<HTMLDialogElement>(null);
  const isGone = useRef(false);
  // Within the change itself: a key that is pressed right after it must find the focus where it belongs.
  useLayoutEffect(() => {
    const before = document.activeElement;
    const shown = dialog.current;
    shown?.showModal();
    return () => {
      isGone.current = true;
      // Nothing outside takes the focus while it is open.
      shown?.close();
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      class="confirm"
      aria-labelledby="dialog-title"
      aria-describedby="dialog-text"
      onCancel={(event) => {
        event.preventDefault();
        props.onNo();
      }}
      onClose={() => {
        // The browser says so late: by then there may be another question, which this is no answer to.
        if (!isGone.current) props.onNo();
      }}
    >
      <h2 id="dialog-title">{props.title}</h2>
      <p id="dialog-text">{props.text}</p>
      <div class="dialog-buttons">
        <button type="button" class="primary" onClick={offered === "yes" ? props.onYes : props.onNo}>
          {offered === "yes" ? props.yes : props.no}
        </button>
        <button type="button" class="quiet" onClick={offered === "yes" ? props.onNo : props.onYes}>
          {offered === "yes" ? props.no : props.yes}
        </button>
      </div>
    </dialog>
  );
}
