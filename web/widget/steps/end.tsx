import { useState } from "preact/hooks";
import { Heading } from "../../kit/heading.tsx";
import { ICONS, Icon } from "../../kit/icon.tsx";
import { RETURN_AFTER_S, useAutoReturn } from "../auto-return.ts";
import { isFramed } from "../frame.ts";
import { Receipt } from "../parts/receipt.tsx";
import { WayBack } from "../parts/way-back.tsx";
import { WhatNext } from "../parts/what-next.tsx";
import { useTopic } from "../words/topic.ts";
import { TRUST_WORDS } from "../words/topics/trust.ts";
import { useSpeech } from "../words/words.ts";
import type { StepProps } from "./step-props.ts";

export function Success({ view }: StepProps) {
  const { words } = useSpeech();
  const { receipt, back, next } = useTopic(TRUST_WORDS);
  const { secondsLeft, stay } = useAutoReturn(view);
  const [counted] = useState(secondsLeft !== undefined);
  return (
    <section class="verdict">
      <Icon look="sign good" path={ICONS.tick} />
      <Heading>{words.headings.success}</Heading>
      <p class="thanks">{words.success}</p>
      {view.receipt === undefined ? null : <Receipt view={view} receipt={view.receipt} />}
      {/* Read out once: every second would be a flood. */}
      <p class="unseen" role="status">
        {secondsLeft === undefined ? null : back.soon(RETURN_AFTER_S)}
      </p>
      {/* A press stops the count before it is a click, so what goes then is below the other buttons, or leaves its place empty. */}
      <div class="buttons">
        {counted ? (
          <p class="returning" aria-hidden="true">
            {secondsLeft === undefined ? null : back.soon(secondsLeft)}
          </p>
        ) : null}
        <WayBack view={view} look="primary" />
        <button type="button" class="quiet" onClick={() => print()}>
          {receipt.print}
        </button>
        {secondsLeft === undefined ? null : (
          <button type="button" class="quiet" onClick={stay}>
            {back.stay}
          </button>
        )}
      </div>
      {view.back_url === undefined && !isFramed ? <WhatNext text={next.success} /> : null}
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
