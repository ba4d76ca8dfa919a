import type { View } from "../view.ts";
import { useTopic } from "../words/topic.ts";
import { TRUST_WORDS } from "../words/topics/trust.ts";
import { useSpeech } from "../words/words.ts";

/** What happens after this step, in one sentence. */
export function WhatNext({ text }: { readonly text: string }) {
  return <p class="next">{text}</p>;
}

/** Of the steps whose own words do not say it. To choose leads to different steps, so that screen says it itself. */
export function NextOfStep({ view }: { readonly view: View }) {
  const { words } = useSpeech();
  const { next } = useTopic(TRUST_WORDS);
  const { step, charging } = view;
  if (step === "challenge") return <WhatNext text={next.challenge} />;
  if (charging === true) return <WhatNext text={next.charging} />;
  if (step === "prepare") return <WhatNext text={next.prepare} />;
  return step === "transfer" ? <WhatNext text={next.transfer(words.transfer.paid)} /> : null;
}
