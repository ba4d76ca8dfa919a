import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { TestCard } from "../view.ts";
import { useTopic } from "../words/topic.ts";
import { CARD_WORDS } from "../words/topics/card.ts";
import type { CardText } from "./check-card.ts";
import { groupNumber } from "./number.ts";
import { testCardText } from "./test-card-text.ts";

/** Fills the form with a test card, and brings it into sight with the focus on its button. */
export function useTestCard(fill: (card: CardText) => void, nowMs: () => number) {
  const form = useRef<HTMLFormElement>(null);
  const [taken, setTaken] = useState(0);
  // When the fields are drawn with it, so that they stay where they are scrolled to.
  useLayoutEffect(() => {
    if (taken === 0) return;
    form.current?.scrollIntoView({ block: "nearest" });
    form.current?.querySelector<HTMLButtonElement>("[type=submit]")?.focus({ preventScroll: true });
  }, [taken]);
  const take = (pan: string) => {
    fill(testCardText(pan, nowMs()));
    setTaken((times) => times + 1);
  };
  return { form, take };
}

/** For those who try the page. The server names none for a live project. */
export function TestCards(props: { readonly cards: readonly TestCard[]; readonly onTake: (pan: string) => void }) {
  const { heading, text, does } = useTopic(CARD_WORDS).testCards;
  return (
    <details class="test-cards">
      <summary>{heading}</summary>
      <p class="small">{text}</p>
      <ul>
        {props.cards.map((card) => (
          <li key={card.pan}>
            <button type="button" class="test-card" onClick={() => props.onTake(card.pan)}>
              <span class="test-number">{groupNumber(card.pan)}</span> <span class="hint">{does[card.does]}</span>
            </button>
          </li>
        ))}
      </ul>
    </details>
  );
}
