import { useRef, useState } from "preact/hooks";
import { Heading } from "../../kit/heading.tsx";
import { formatMoney } from "../../kit/money.ts";
import { BrandMark } from "../card/brand-mark.tsx";
import { readBrowserFacts } from "../card/browser-facts.ts";
import type { CardField } from "../card/check-card.ts";
import { readExpiry } from "../card/expiry.ts";
import { brandOf, digitsOf } from "../card/number.ts";
import { testCardText } from "../card/test-card-text.ts";
import { TestCards } from "../card/test-cards.tsx";
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
  const payButton = useRef<HTMLButtonElement>(null);
  const brand = brandOf(digitsOf(card.number));

  const pay = async (event: Event) => {
    event.preventDefault();
    if (sending || findWrong() !== undefined) return;
    const { number, expiry: month, cvv, holder } = read();
    const expiry = readExpiry(month);
    setSending(true);
    const taken = await perform("card", {
      pan: digitsOf(number),
      cvv,
      ...(asksHolder ? { card_holder: holder.trim() } : {}),
      expiry_month: expiry?.month,
      expiry_year: expiry?.year,
      browser: readBrowserFacts(),
    });
    if (taken) return;
    setSending(false);
    fill({ cvv: "" });
  };
  const take = (pan: string) => {
    fill(testCardText(pan, nowMs()));
    payButton.current?.focus();
  };
  const { number, expiry, expiryHint, cvv, cvvHint, holder, holderHint } = words.card;
  return (
    <section>
      <Heading>{words.card.heading}</Heading>
      <form onSubmit={pay} noValidate autocomplete="on">
        <CardInput {...propsOf("number")} label={number} hint={undefined}>
          <BrandMark brand={brand} />
        </CardInput>
        <div class="pair">
          <CardInput {...propsOf("expiry")} label={expiry} hint={expiryHint} />
          <CardInput {...propsOf("cvv")} label={cvv} hint={cvvHint(brand?.cvvLength ?? 3)} />
        </div>
        {asksHolder ? <CardInput {...propsOf("holder")} label={holder} hint={holderHint} /> : null}
        <div class="buttons">
          <button type="submit" class="primary" ref={payButton} aria-disabled={sending}>
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
