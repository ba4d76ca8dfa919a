import { askToClose } from "./ask-to-close.ts";
import { styled } from "./styled.ts";
import { wordsOf } from "./words.ts";

/**
 * For merchants' pages: `Tillgate.open(formUrl, { onSuccess, onDecline, onClose })` shows the payment page over theirs. What
 * it calls back is good for the look of a page only: that a payment was made is known from callbacks and `info`.
 */
type Handlers = {
  readonly onSuccess?: (event: { readonly payment_id: string }) => void;
  readonly onDecline?: (event: { readonly payment_id: string }) => void;
  readonly onClose?: () => void;
};

type OpenPage = { readonly close: () => void };

/** Pages are shown from where this script was loaded, and from nowhere else. */
const OWN_ORIGIN = new URL((document.currentScript as HTMLScriptElement).src).origin;

function open(formUrl: string, handlers: Handlers = {}): OpenPage {
  const url = new URL(formUrl, OWN_ORIGIN);
  if (url.origin !== OWN_ORIGIN) throw new Error(`Tillgate.open: the form URL must begin with ${OWN_ORIGIN}`);
  const words = wordsOf(document.documentElement.lang || navigator.language);
  const { dialog, frame, closeButton } = buildDialog(url.href, words);
  let isOpen = true;
  let toldEnd = false;

  const close = () => {
    if (!dialog.isConnected) return;
    removeEventListener("message", hear);
    dialog.close();
    dialog.remove();
    handlers.onClose?.();
  };
  const wantsToClose = () => (isOpen ? askToClose(dialog, words, close) : close());
  const hear = (event: MessageEvent) => {
    if (event.origin !== OWN_ORIGIN || event.source !== frame.contentWindow) return;
    const said: unknown = event.data?.tillgate;
    const payment = { payment_id: String(event.data?.payment_id) };
    if (said === "open" || said === "waiting") isOpen = said === "open";
    if (said === "close") wantsToClose();
    if ((said !== "success" && said !== "decline") || toldEnd) return;
    isOpen = false;
    toldEnd = true;
    if (said === "success") handlers.onSuccess?.(payment);
    else handlers.onDecline?.(payment);
  };
  addEventListener("message", hear);
  closeButton.addEventListener("click", wantsToClose);
  // Escape: the browser would close at once.
  dialog.addEventListener("cancel", (event) => {
    event.preventDefault();
    wantsToClose();
  });
  document.body.append(dialog);
  dialog.showModal();
  return { close };
}

type Words = ReturnType<typeof wordsOf>;

/** A modal dialog keeps the focus inside it by itself. Styles are set one by one: the merchant's policy may forbid others. */
function buildDialog(src: string, words: Words) {
  const dialog = styled("dialog", {
    ...{ padding: "0", border: "0", margin: "auto", overflow: "hidden", background: "Canvas", color: "CanvasText" },
    ...{ width: "min(100vw, 480px)", height: "min(100dvh, 780px)", maxWidth: "none", maxHeight: "none" },
    borderRadius: innerWidth > 520 ? "16px" : "0",
  });
  dialog.setAttribute("aria-label", words.title);
  const bar = styled("div", { height: "44px", display: "flex", justifyContent: "flex-end" });
  const closeButton = styled("button", {
    ...{ width: "44px", height: "44px", border: "0", background: "none", color: "inherit", cursor: "pointer" },
    font: "24px/1 system-ui, sans-serif",
  });
  closeButton.type = "button";
  closeButton.textContent = "×";
  closeButton.setAttribute("aria-label", words.close);
  const frame = styled("iframe", { display: "block", width: "100%", height: "calc(100% - 44px)", border: "0" });
  frame.title = words.title;
  frame.allow = "clipboard-write; payment";
  frame.referrerPolicy = "no-referrer";
  frame.src = src;
  bar.append(closeButton);
  dialog.append(bar, frame);
  return { dialog, frame, closeButton };
}

Object.assign(window, { Tillgate: { open } });
