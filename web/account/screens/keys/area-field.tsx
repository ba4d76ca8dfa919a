import { useId } from "preact/hooks";

/** A field of several lines, with its label, its hint, and what is wrong with it in words. */
export function AreaField(props: {
  readonly label: string;
  readonly value: string;
  readonly rows: number;
  readonly hint?: string;
  readonly mistake?: string | undefined;
  readonly placeholder?: string;
  readonly isRequired?: boolean;
  readonly onInput: (value: string) => void;
}) {
  const id = useId();
  const said = props.mistake ?? props.hint;
  return (
    <div class="field">
      <label for={id}>{props.label}</label>
      <textarea
        id={id}
        class="area"
        rows={props.rows}
        value={props.value}
        placeholder={props.placeholder}
        spellcheck={false}
        autocapitalize="none"
        autocomplete="off"
        required={props.isRequired === true}
        aria-invalid={props.mistake !== undefined}
        aria-describedby={said === undefined ? undefined : `${id}-words`}
        onInput={(event) => props.onInput(event.currentTarget.value)}
      />
      {said === undefined ? null : (
        <p class={props.mistake === undefined ? "hint" : "mistake"} id={`${id}-words`}>
          {said}
        </p>
      )}
    </div>
  );
}
