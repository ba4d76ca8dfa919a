import { Heading } from "../../kit/heading.tsx";
import { ICONS, Icon } from "../../kit/icon.tsx";
import { WayBack } from "../parts/way-back.tsx";
import { useSpeech } from "../words/words.ts";
import type { StepProps } from "./step-props.ts";

export function Success({ view }: StepProps) {
  const { words } = useSpeech();
  return (
    <section class="verdict">
      <Icon look="sign good" path={ICONS.tick} />
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
    <section class="verdict">
      <Icon look="sign bad" path={ICONS.cross} />
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
    <section class="verdict">
      <Icon look="sign wait" path={ICONS.exclamation} />
      <Heading>{words.headings.attention}</Heading>
      <p>{view.sub_status === "different_amount" ? different_amount : confirm_timeout}</p>
      <p>{next}</p>
      <div class="buttons">
        <WayBack view={view} look="primary" />
      </div>
    </section>
  );
}
