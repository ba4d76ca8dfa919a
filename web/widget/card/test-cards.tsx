import type { TestCard } from "../view.ts";
import { useTopic } from "../words/topic.ts";
import { CARD_WORDS } from "../words/topics/card.ts";
import { groupNumber } from "./number.ts";

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
