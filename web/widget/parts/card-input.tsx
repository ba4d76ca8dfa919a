import type { ComponentChildren } from "preact";
import type { CardField } from "../card/check-card.ts";

type Props = {
  readonly field: CardField;
  readonly label: string;
  readonly value: string;
  readonly hint: string | undefined;
  readonly mistake: string | undefined;
  readonly isLast: boolean;
  /** What stands inside the field, at its end. */
  readonly children?: ComponentChildren;
  readonly inputRef: (input: HTMLInputElement | null) => void;
  readonly onInput: (input: HTMLInputElement, event: Event) => void;
  readonly onKeyDown: (event: KeyboardEvent) => void;
  readonly onLeave: () => void;
};

/** By these names browsers and wallets know what to fill in: of `autocomplete`, and of the element itself for those that guess. */
const FILLED_AS = { number: "cc-number", expiry: "cc-exp", cvv: "cc-csc", holder: "cc-name" } as const;

/** A field with its label, its hint, and what is wrong with it in words. */
export function CardInput(props: Props) {
  const { field, mistake, hint } = props;
  const name = FILLED_AS[field];
  const isName = field === "holder";
  return (
    <div class="field">
      <label for={name}>{props.label}</label>
      <div class={props.children === undefined ? "input-place" : "input-place with-mark"}>
        <input
          id={name}
          name={name}
          ref={props.inputRef}
          // Not to be read over a shoulder.
          class={field === "cvv" ? "veiled" : undefined}
          value={props.value}
          autocomplete={name}
          inputMode={isName ? "text" : "numeric"}
          enterkeyhint={props.isLast ? "done" : "next"}
          maxLength={isName ? 64 : undefined}
          autocapitalize={isName ? "characters" : undefined}
          autocorrect="off"
          spellcheck={false}
          aria-required="true"
          aria-invalid={mistake !== undefined}
          aria-describedby={`${name}-words`}
          onInput={(event) => props.onInput(event.currentTarget, event)}
          onKeyDown={props.onKeyDown}
          onBlur={(event) => {
            // A payer who goes to a button has not left the form: the button says what is wrong.
            if (!(event.relatedTarget instanceof HTMLButtonElement)) props.onLeave();
          }}
        />
        {props.children}
      </div>
      {/* There is always a line for it, so that nothing moves away from under the pointer. */}
      <p class={mistake === undefined ? "hint" : "mistake"} id={`${name}-words`}>
        {mistake ?? hint}
      </p>
    </div>
  );
}
