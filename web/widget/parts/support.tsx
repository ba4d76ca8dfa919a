import type { View } from "../view.ts";
import { useTopic } from "../words/topic.ts";
import { TRUST_WORDS } from "../words/topics/trust.ts";
import { useSpeech } from "../words/words.ts";

/** How the payer reaches the shop; nothing where the shop named no way. */
export function Support({ view }: { readonly view: View }) {
  const { words } = useSpeech();
  const { support } = useTopic(TRUST_WORDS);
  const { email, phone, url } = view.shop.support ?? {};
  if (email === undefined && phone === undefined && url === undefined) return null;
  const subject = encodeURIComponent(`${words.order} ${view.order}`);
  return (
    <p class="support">
      <span>{support.question}</span>
      {email === undefined ? null : <a href={`mailto:${email}?subject=${subject}`}>{email}</a>}
      {phone === undefined ? null : <a href={`tel:${phone.replace(/[^+\d]/g, "")}`}>{phone}</a>}
      {url === undefined ? null : (
        <a href={url} target="_blank" rel="noopener noreferrer">
          {support.page}
        </a>
      )}
    </p>
  );
}
