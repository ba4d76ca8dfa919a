import type { Step, View } from "./view.ts";

/**
 * The merchant's page that shows this one in a frame. It is told the end and the language that is read here, and
 * nothing of the payment besides.
 */
export const isFramed = window.parent !== window;

export type ParentEvent = "open" | "waiting" | "success" | "decline" | "close";

export function tellParent({ frame_origins, order }: View, event: ParentEvent): void {
  if (!isFramed) return;
  const said = { tillgate: event, payment_id: order, language: document.documentElement.lang };
  for (const origin of frame_origins) parent.postMessage(said, origin);
}

/** Where the payer has nothing left to do, the frame may be closed without a question. While a card is charged, it asks. */
const EVENTS: Partial<Record<Step, ParentEvent>> = {
  check: "waiting",
  attention: "waiting",
  success: "success",
  decline: "decline",
};

export function tellParentOfStep(view: View): void {
  tellParent(view, (view.charging === true ? undefined : EVENTS[view.step]) ?? "open");
}

/** A question that the merchant's page asks over ours takes the focus from here. When it returns, it goes where it was. */
export function rememberFocus(): void {
  let last: HTMLElement | undefined;
  addEventListener("focusin", ({ target }) => {
    if (target instanceof HTMLElement) last = target;
  });
  addEventListener("focus", () => {
    if (document.activeElement === document.body && last?.isConnected === true) last.focus();
  });
}
