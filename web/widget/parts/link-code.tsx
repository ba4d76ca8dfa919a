import { QrCode } from "../../kit/qr-code.tsx";
import { useSpeech } from "../words/words.ts";

/** Providers give these; anything that a browser would run instead of open is shown as text only. */
const OPENABLE = /^(?:https?|tel):/i;

/** A payment link, as a link for this device and as a code for another one. */
export function LinkCode({ url }: { readonly url: string }) {
  const { words } = useSpeech();
  return (
    <div class="link-code">
      {OPENABLE.test(url) ? (
        <a class="button quiet open-link" href={url} target="_blank" rel="noopener noreferrer">
          {words.transfer.openLink}
        </a>
      ) : (
        <p class="link-text">{url}</p>
      )}
      <QrCode text={url} label={words.transfer.qr} />
    </div>
  );
}
