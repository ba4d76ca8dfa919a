import { useRef, useState } from "preact/hooks";
import { type CardErrors, type CardField, type CardText, findMistake } from "./check-card.ts";
import { type Edited, readEdit } from "./edit.ts";
import { editField } from "./edit-field.ts";
import { goesOn } from "./go-on.ts";

const EMPTY: CardText = { number: "", expiry: "", cvv: "", holder: "" };
const NONE_LEFT: Readonly<Record<CardField, boolean>> = { number: false, expiry: false, cvv: false, holder: false };
const ALL_LEFT: Readonly<Record<CardField, boolean>> = { number: true, expiry: true, cvv: true, holder: true };

/** The card is in this memory alone, and gone with the form. `fields`: those that are asked for, in their order. */
export function useCard(fields: readonly CardField[], errors: CardErrors, nowMs: () => number) {
  const [card, setCard] = useState(EMPTY);
  /** Whose mistakes are told: a field that the payer has left, until the next key. */
  const [left, setLeft] = useState(NONE_LEFT);
  const inputs = useRef<Partial<Record<CardField, HTMLInputElement | null>>>({});
  // A browser fills all fields at once, before the page is drawn again.
  const latest = useRef(EMPTY);
  const change = (changed: Partial<CardText>) => {
    latest.current = { ...latest.current, ...changed };
    setCard(latest.current);
  };
  const mistakeIn = (field: CardField) => findMistake(field, latest.current, nowMs(), errors);
  const neighbour = (field: CardField, step: 1 | -1) => fields[fields.indexOf(field) + step];

  const take = (field: CardField, input: HTMLInputElement, event: Event) => {
    const edit = readEdit(input, event, latest.current[field]);
    const edited = editField(field, edit, latest.current);
    show(input, edited);
    change({ [field]: edited.text });
    setLeft((now) => ({ ...now, [field]: false }));
    const next = neighbour(field, 1);
    if (next === undefined || mistakeIn(field) !== undefined) return;
    if (goesOn(field, edit, edited, latest.current[next])) inputs.current[next]?.focus();
  };
  const stepBack = (field: CardField, event: KeyboardEvent) => {
    const before = neighbour(field, -1);
    if (event.key !== "Backspace" || latest.current[field] !== "" || before === undefined) return;
    // The key has brought the payer there; it erases nothing yet.
    event.preventDefault();
    const input = inputs.current[before];
    input?.focus();
    input?.setSelectionRange(input.value.length, input.value.length);
  };
  return {
    card,
    read: () => latest.current,
    /** The first field that is wrong, which now has the focus; undefined: the card can be sent. */
    findWrong: (): CardField | undefined => {
      setLeft(ALL_LEFT);
      const wrong = fields.find((field) => mistakeIn(field) !== undefined);
      if (wrong !== undefined) inputs.current[wrong]?.focus();
      return wrong;
    },
    fill: (filled: Partial<CardText>) => {
      change(filled);
      setLeft((now) => ({ ...now, ...Object.fromEntries(Object.keys(filled).map((field) => [field, false])) }));
    },
    propsOf: (field: CardField) => ({
      field,
      value: card[field],
      mistake: left[field] ? mistakeIn(field) : undefined,
      isLast: neighbour(field, 1) === undefined,
      inputRef: (input: HTMLInputElement | null) => {
        inputs.current[field] = input;
      },
      onInput: (input: HTMLInputElement, event: Event) => take(field, input, event),
      onKeyDown: (event: KeyboardEvent) => stepBack(field, event),
      // An empty field that was only passed through is no mistake yet.
      onLeave: () => setLeft((now) => ({ ...now, [field]: now[field] || latest.current[field] !== "" })),
    }),
  };
}

/** At once, and not when the page is drawn: the caret would be lost. */
function show(input: HTMLInputElement, { text, caret }: Edited): void {
  if (input.value === text) return;
  input.value = text;
  input.setSelectionRange(caret, caret);
}
