import { askToClose } from "./ask-to-close.ts";
import { styled } from "./styled.ts";
import { type Theme, themeNow } from "./theme.ts";
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
  let words = wordsOf(document.documentElement.lang || navigator.language);
  const theme = themeNow();
  const { dialog, frame, closeButton } = buildDialog(url.href, theme);
  const speak = () => {
    dialog.lang = words.language;
    dialog.setAttribute("aria-label", words.title);
    frame.title = words.title;
    closeButton.setAttribute("aria-label", words.close);
  };
  speak();
  let isOpen = true;
  let toldEnd = false;

  const close = () => {
    if (!dialog.isConnected) return;
    removeEventListener("message", hear);
    dialog.close();
    dialog.remove();
    handlers.onClose?.();
  };
  const wantsToClose = () => (isOpen ? askToClose(dialog, words, theme, close) : close());
  const hear = (event: MessageEvent) => {
    if (event.origin !== OWN_ORIGIN || event.source !== frame.contentWindow) return;
    const said: unknown = event.data?.tillgate;
    const payment = { payment_id: String(event.data?.payment_id) };
    // The question is in the language that the payer chose inside.
    words = wordsOf(String(event.data?.language));
    speak();
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

/** A modal dialog keeps the focus inside it by itself. Styles are set one by one: the merchant's policy may forbid others. */
function buildDialog(src: string, theme: Theme) {
  // A phone has no room to give away.
  const isPhone = innerWidth <= 520;
  const dialog = styled("dialog", {
    ...{ padding: "0", border: "0", margin: "auto", overflow: "hidden", background: theme.ground, color: theme.text },
    ...{
      width: "min(100vw, 480px)",
      height: isPhone ? "100dvh" : "min(100dvh, 780px)",
      maxWidth: "none",
      maxHeight: "none",
    },
    // A backdrop has no style attribute to set; its own is hardly to be seen.
    boxShadow: "0 0 0 100vmax rgb(0 0 0 / 50%)",
    borderRadius: isPhone ? "0" : "16px",
  });
  const bar = styled("div", { height: "44px", display: "flex", justifyContent: "flex-end" });
  const closeButton = styled("button", {
    ...{ width: "44px", height: "44px", border: "0", background: "none", color: "inherit", cursor: "pointer" },
    font: "24px/1 system-ui, sans-serif",
  });
  closeButton.type = "button";
  closeButton.textContent = "×";
  const frame = styled("iframe", { display: "block", width: "100%", height: "calc(100% - 44px)", border: "0" });
  frame.allow = "clipboard-write; payment";
  frame.referrerPolicy = "no-referrer";
  frame.src = src;
  bar.append(closeButton);
  dialog.append(bar, frame);
  return { dialog, frame, closeButton };
}

Object.assign(window, { Tillgate: { open } });
