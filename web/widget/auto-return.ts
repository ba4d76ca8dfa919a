import { useEffect, useState } from "preact/hooks";
import { isFramed } from "./frame.ts";
import type { View } from "./view.ts";

/** Long enough to see that the payment was made, and to press a button that stays. */
export const RETURN_AFTER_S = 5;
/** Who opens the page later than this came for the receipt. */
const FRESH_MS = 120_000;

/** Sends the payer back to the shop, unless the payer does anything first. Undefined: it does not count, or no more. */
export function useAutoReturn(view: View): { readonly secondsLeft: number | undefined; readonly stay: () => void } {
  const { back_url } = view;
  const [left, setLeft] = useState<number | undefined>(() => (mayReturn(view) ? RETURN_AFTER_S : undefined));
  const isCounting = left !== undefined;
  const stay = () => setLeft(undefined);
  useEffect(() => {
    if (!isCounting) return;
    // A page that is not looked at begins again when it is.
    const tick = () => setLeft((now) => now && (document.hidden ? RETURN_AFTER_S : now - 1));
    const timer = setInterval(tick, 1_000);
    const onShown = ({ persisted }: PageTransitionEvent) => persisted && stay();
    for (const event of STAYING) addEventListener(event, stay);
    addEventListener("pageshow", onShown);
    return () => {
      clearInterval(timer);
      for (const event of STAYING) removeEventListener(event, stay);
      removeEventListener("pageshow", onShown);
    };
  }, [isCounting]);
  useEffect(() => {
    if (left === 0 && back_url !== undefined) location.assign(back_url);
  }, [left]);
  return { secondsLeft: left, stay };
}

/** Reading further, pressing a key, printing. */
const STAYING = ["pointerdown", "wheel", "keydown", "beforeprint"] as const;

/**
 * In a merchant's own page its handlers decide. A payer who came back, or loaded the page again, wants to see it: the browser's
 * history has noted that it counted once.
 */
function mayReturn({ back_url, receipt, server_time }: View): boolean {
  if (back_url === undefined || isFramed || receipt === undefined) return false;
  if (Date.parse(server_time) - Date.parse(receipt.paid_at) > FRESH_MS) return false;
  if (history.state?.counted === true) return false;
  history.replaceState({ ...history.state, counted: true }, "");
  return true;
}
