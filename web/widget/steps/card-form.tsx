import { useState } from "preact/hooks";
import { Heading } from "../../kit/heading.tsx";
import { formatMoney } from "../../kit/money.ts";
import { BrandMark } from "../card/brand-mark.tsx";
import { readBrowserFacts } from "../card/browser-facts.ts";
import type { CardField, CardText } from "../card/check-card.ts";
import { readExpiry } from "../card/expiry.ts";
import { brandOf, digitsOf } from "../card/number.ts";
import { TestCards, useTestCard } from "../card/test-cards.tsx";
import { useCard } from "../card/use-card.ts";
import { serverNowMs } from "../countdown.ts";
import { CardInput } from "../parts/card-input.tsx";
import { useTopic } from "../words/topic.ts";
import { CARD_WORDS } from "../words/topics/card.ts";
import { useSpeech } from "../words/words.ts";
import type { StepProps } from "./step-props.ts";

const FIELDS: readonly CardField[] = ["number", "expiry", "cvv"];

/** The card is in this component's memory alone, and gone with it. */
export function CardForm({ view, reading, perform }: StepProps) {
  const { language, words } = useSpeech();
  const asksHolder = view.methods?.find(({ card }) => card)?.holder === "required";
  const errors = { ...words.card.errors, ...useTopic(CARD_WORDS).errors };
  const nowMs = () => serverNowMs(reading);
  const { card, read, findWrong, fill, propsOf } = useCard(asksHolder ? [...FIELDS, "holder"] : FIELDS, errors, nowMs);
  const [sending, setSending] = useState(false);
  const { form, take } = useTestCard(fill, nowMs);
  const brand = brandOf(digitsOf(card.number));

  const pay = async (event: Event) => {
    event.preventDefault();
    if (sending || findWrong() !== undefined) return;
    setSending(true);
    if (await perform("card", bodyOf(read(), asksHolder))) return;
    setSending(false);
    fill({ cvv: "" });
  };
  const { number, expiry, expiryHint, cvv, cvvHint, holder, holderHint } = words.card;
  return (
    <section>
      <Heading>{words.card.heading}</Heading>
      <form ref={form} onSubmit={pay} noValidate autocomplete="on">
        <CardInput {...propsOf("number")} label={number} hint={undefined}>
          <BrandMark brand={brand} />
        </CardInput>
        <div class="pair">
          <CardInput {...propsOf("expiry")} label={expiry} hint={expiryHint} />
          <CardInput {...propsOf("cvv")} label={cvv} hint={cvvHint(brand?.cvvLength ?? 3)} />
        </div>
        {asksHolder ? <CardInput {...propsOf("holder")} label={holder} hint={holderHint} /> : null}
        <div class="buttons">
          <button type="submit" class="primary" aria-disabled={sending}>
            {sending ? words.card.paying : words.card.pay(formatMoney(view, language))}
          </button>
          <button type="button" class="quiet" onClick={() => history.back()}>
            {words.back}
          </button>
        </div>
      </form>
      {view.test_cards === undefined ? null : <TestCards cards={view.test_cards} onTake={take} />}
    </section>
  );
}

/** What is sent of it, and to our own server only. */
function bodyOf({ number, expiry, cvv, holder }: CardText, asksHolder: boolean): object {
  const until = readExpiry(expiry);
  return {
    pan: digitsOf(number),
    cvv,
    ...(asksHolder ? { card_holder: holder.trim() } : {}),
    expiry_month: until?.month,
    expiry_year: until?.year,
    browser: readBrowserFacts(),
  };
}
