import type { CardField, CardText } from "./check-card.ts";
import { type Edit, type Edited, editExpiry, editNumber } from "./edit.ts";
import { brandOf, digitsOf } from "./number.ts";

const CVV_LENGTH_MAX = 4;

/** What a field shows after the payer or the browser changed it. */
export function editField(field: CardField, edit: Edit, card: CardText): Edited {
  switch (field) {
    case "number":
      return editNumber(edit);
    case "expiry":
      return editExpiry(edit);
    case "cvv": {
      const text = digitsOf(edit.typed).slice(0, brandOf(digitsOf(card.number))?.cvvLength ?? CVV_LENGTH_MAX);
      return { text, caret: Math.min(edit.caret, text.length) };
    }
    case "holder":
      return { text: edit.typed, caret: edit.caret };
  }
}
