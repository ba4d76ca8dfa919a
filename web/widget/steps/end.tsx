import { Heading } from "../parts/heading.tsx";
import { WayBack } from "../parts/way-back.tsx";
import { useSpeech } from "../words/words.ts";
import type { StepProps } from "./step-screen.tsx";

export function Success({ view }: StepProps) {
  const { words } = useSpeech();
  return (
    <section>
      <Sign kind="good" path="M5 13l4.5 4.5L19 7.5" />
      <Heading>{words.headings.success}</Heading>
      <p>{words.success}</p>
      <div class="buttons">
        <WayBack view={view} look="primary" />
      </div>
    </section>
  );
}

export function Decline({ view }: StepProps) {
  const { words } = useSpeech();
  return (
    <section>
      <Sign kind="bad" path="M7 7l10 10M17 7L7 17" />
      <Heading>{words.headings.decline}</Heading>
      <p>{words.declines[view.decline_code ?? ""] ?? words.declineUnknown}</p>
      <p>{words.declineNext}</p>
      <div class="buttons">
        <WayBack view={view} look="primary" />
      </div>
    </section>
  );
}

export function Attention({ view }: StepProps) {
  const { words } = useSpeech();
  const { different_amount, confirm_timeout, next } = words.attention;
  return (
    <section>
      <Sign kind="wait" path="M12 6.5v7M12 17.2v.3" />
      <Heading>{words.headings.attention}</Heading>
      <p>{view.sub_status === "different_amount" ? different_amount : confirm_timeout}</p>
      <p>{next}</p>
      <div class="buttons">
        <WayBack view={view} look="primary" />
      </div>
    </section>
  );
}

function Sign({ kind, path }: { readonly kind: "good" | "bad" | "wait"; readonly path: string }) {
  return (
    <svg class={`sign ${kind}`} viewBox="0 0 24 24" aria-hidden="true">
      <path
        d={path}
        fill="none"
        stroke="currentColor"
        stroke-width="2.4"
        stroke-linecap="round"
        stroke-linejoin="round"
      />
    </svg>
  );
}
