import { encode } from "uqr";
import { useSpeech } from "../words/words.ts";

/** Providers give these; anything that a browser would run instead of open is shown as text only. */
const OPENABLE = /^(?:https?|tel):/i;
const BORDER = 2;

/** A payment link, as a code for a phone and as a link for this one. Black on white in every theme, or cameras fail. */
export function LinkCode({ url }: { readonly url: string }) {
  const { words } = useSpeech();
  const { size, data } = encode(url, { ecc: "M", border: BORDER });
  const path = data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ""))).join("");
  return (
    <div class="link-code">
      <svg
        class="qr"
        viewBox={`0 0 ${size} ${size}`}
        role="img"
        aria-label={words.transfer.qr}
        shape-rendering="crispEdges"
      >
        <rect width={size} height={size} fill="#fff" />
        <path d={path} fill="#000" />
      </svg>
      {OPENABLE.test(url) ? (
        <a class="button quiet" href={url} target="_blank" rel="noopener noreferrer">
          {words.transfer.openLink}
        </a>
      ) : (
        <p class="link-text">{url}</p>
      )}
    </div>
  );
}
