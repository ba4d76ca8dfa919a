type Props = {
  readonly name: string;
  readonly label: string;
  readonly value: string;
  readonly autocomplete: "cc-number" | "cc-exp" | "cc-csc" | "cc-name";
  readonly numeric?: boolean;
  /** Not to be read over a shoulder. */
  readonly hidden?: boolean;
  readonly hint?: string;
  readonly note?: string | undefined;
  readonly mistake: string | undefined;
  readonly onInput: (input: HTMLInputElement) => void;
  readonly onLeave: () => void;
};

/** A field with its label, its hint, and what is wrong with it in words. */
export function CardInput(props: Props) {
  const { name, mistake, hint } = props;
  return (
    <div class="field">
      <div class="label-row">
        <label for={name}>{props.label}</label>
        {props.note === undefined ? null : <span class="note">{props.note}</span>}
      </div>
      <input
        id={name}
        name={name}
        class={props.hidden === true ? "veiled" : undefined}
        value={props.value}
        autocomplete={props.autocomplete}
        inputMode={props.numeric === true ? "numeric" : "text"}
        maxLength={props.numeric === true ? undefined : 64}
        autocapitalize={props.numeric === true ? undefined : "characters"}
        spellcheck={false}
        aria-required="true"
        aria-invalid={mistake !== undefined}
        aria-describedby={`${name}-words`}
        onInput={(event) => props.onInput(event.currentTarget)}
        onBlur={(event) => {
          // A payer who goes to a button has not left the form: the button says what is wrong.
          if (!(event.relatedTarget instanceof HTMLButtonElement)) props.onLeave();
        }}
      />
      {/* There is always a line for it, so that nothing moves away from under the pointer. */}
      <p class={mistake === undefined ? "hint" : "mistake"} id={`${name}-words`}>
        {mistake ?? hint}
      </p>
    </div>
  );
}
