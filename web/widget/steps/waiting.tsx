import { Heading } from "../../kit/heading.tsx";
import { WayBack } from "../parts/way-back.tsx";
import { useTopic } from "../words/topic.ts";
import { TRUST_WORDS } from "../words/topics/trust.ts";
import { useSpeech } from "../words/words.ts";
import type { StepProps } from "./step-props.ts";

export function Prepare({ view }: StepProps) {
  const { words } = useSpeech();
  return (
    <section class="verdict">
      <Spinner />
      <Heading>{words.headings.prepare}</Heading>
      <p>{view.charging === true ? words.prepare.card : words.prepare.transfer}</p>
      <div class="buttons">
        <WayBack view={view} look="quiet" />
      </div>
    </section>
  );
}

export function Check({ view }: StepProps) {
  const { words } = useSpeech();
  const { checkCard } = useTopic(TRUST_WORDS);
  return (
    <section class="verdict">
      <Spinner />
      <Heading>{words.headings.check}</Heading>
      <p>{view.charging === true ? checkCard : words.check}</p>
      <div class="buttons">
        <WayBack view={view} look="quiet" />
      </div>
    </section>
  );
}

function Spinner() {
  return <div class="spinner" aria-hidden="true" />;
}
