import { useRef, useState } from "preact/hooks";
import { Heading } from "../../kit/heading.tsx";
import { formatMoney } from "../../kit/money.ts";
import { readBrowserFacts } from "../card/browser-facts.ts";
import { type CardField, type CardText, FIELDS, findMistake } from "../card/check-card.ts";
import { formatExpiry, readExpiry } from "../card/expiry.ts";
import { brandOf, caretAfter, DIGITS_MAX, digitsOf, groupNumber } from "../card/number.ts";
import { serverNowMs } from "../countdown.ts";
import { CardInput } from "../parts/card-input.tsx";
import { useSpeech } from "../words/words.ts";
import type { StepProps } from "./step-props.ts";

const EMPTY: CardText = { number: "", expiry: "", cvv: "", holder: "" };
const NONE_LEFT: Readonly<Record<CardField, boolean>> = { number: false, expiry: false, cvv: false, holder: false };

/** The card is in this component's memory alone, and gone with it. */
export function CardForm({ view, reading, perform }: StepProps) {
  const { language, words } = useSpeech();
  const [card, setCard] = useState(EMPTY);
  const [left, setLeft] = useState(NONE_LEFT);
  const [sending, setSending] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const mistakeIn = (field: CardField) => findMistake(field, card, serverNowMs(reading), words.card.errors);
  const brand = brandOf(digitsOf(card.number));
  const fieldProps = (field: CardField) => ({
    name: field,
    label: words.card[field],
    value: card[field],
    mistake: left[field] ? mistakeIn(field) : undefined,
    // An empty field that was only passed through is no mistake yet.
    onLeave: () => setLeft((now) => ({ ...now, [field]: now[field] || card[field] !== "" })),
  });
  const change = (changed: Partial<CardText>) => setCard((now) => ({ ...now, ...changed }));

  const pay = async (event: Event) => {
    event.preventDefault();
    if (sending) return;
    setLeft({ number: true, expiry: true, cvv: true, holder: true });
    const wrong = FIELDS.find((field) => mistakeIn(field) !== undefined);
    const expiry = readExpiry(card.expiry);
    if (wrong !== undefined || expiry === undefined) {
      form.current?.querySelector<HTMLInputElement>(`[name="${wrong}"]`)?.focus();
      return;
    }
    setSending(true);
    const taken = await perform("card", {
      pan: digitsOf(card.number),
      cvv: card.cvv,
      card_holder: card.holder.trim(),
      expiry_month: expiry.month,
      expiry_year: expiry.year,
      browser: readBrowserFacts(),
    });
    if (taken) return;
    setSending(false);
    change({ cvv: "" });
    setLeft((now) => ({ ...now, cvv: false }));
  };
  return (
    <section>
      <Heading>{words.card.heading}</Heading>
      <form ref={form} onSubmit={pay} noValidate autocomplete="on">
        <CardInput
          {...fieldProps("number")}
          autocomplete="cc-number"
          numeric
          note={brand?.name}
          onInput={(input) => {
            const digits = digitsOf(input.value).slice(0, DIGITS_MAX);
            const before = digitsOf(input.value.slice(0, input.selectionStart ?? input.value.length)).length;
            const grouped = groupNumber(digits);
            input.value = grouped;
            input.setSelectionRange(caretAfter(grouped, before), caretAfter(grouped, before));
            change({ number: grouped });
          }}
        />
        <div class="pair">
          <CardInput
            {...fieldProps("expiry")}
            autocomplete="cc-exp"
            numeric
            hint={words.card.expiryHint}
            onInput={(input) => {
              input.value = formatExpiry(input.value, card.expiry);
              change({ expiry: input.value });
            }}
          />
          <CardInput
            {...fieldProps("cvv")}
            autocomplete="cc-csc"
            numeric
            hidden
            hint={words.card.cvvHint(brand?.cvvLength ?? 3)}
            onInput={(input) => {
              input.value = digitsOf(input.value).slice(0, brand?.cvvLength ?? 4);
              change({ cvv: input.value });
            }}
          />
        </div>
        <CardInput
          {...fieldProps("holder")}
          autocomplete="cc-name"
          hint={words.card.holderHint}
          onInput={(input) => change({ holder: input.value })}
        />
        <div class="buttons">
          <button type="submit" class="primary" aria-disabled={sending}>
            {sending ? words.card.paying : words.card.pay(formatMoney(view, language))}
          </button>
          <button type="button" class="quiet" onClick={() => history.back()}>
            {words.back}
          </button>
        </div>
      </form>
    </section>
  );
}
