import { isFramed, tellParent } from "../frame.ts";
import type { View } from "../view.ts";
import { useSpeech } from "../words/words.ts";

/**
 * Back to the shop: by its address, or where its own page shows ours, by closing that frame. None while a card is being charged: the
 * shop does not know the result yet, and a payer who does not see it may pay again.
 */
export function WayBack({ view, look }: { readonly view: View; readonly look: "primary" | "quiet" }) {
  const { words } = useSpeech();
  if (view.charging === true) return null;
  if (isFramed) {
    return (
      <button type="button" class={look} onClick={() => tellParent(view, "close")}>
        {words.close}
      </button>
    );
  }
  if (view.back_url === undefined) return null;
  return (
    <a class={`button ${look}`} href={view.back_url} rel="noreferrer">
      {words.backToShop}
    </a>
  );
}
