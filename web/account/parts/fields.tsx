import type { ComponentChildren } from "preact";
import { useId, useState } from "preact/hooks";
import { Icon } from "../../kit/icon.tsx";
import { useSpeech } from "../words/words.ts";
import { ICONS } from "./icons.ts";

type TextProps = {
  readonly label: string;
  readonly value: string;
  readonly onInput: (value: string) => void;
  readonly type?: "text" | "email" | "password" | "search" | "date";
  readonly name?: string;
  readonly autocomplete?: "username" | "current-password" | "new-password" | "one-time-code" | "name" | "email" | "off";
  readonly hint?: string | undefined;
  readonly mistake?: string | undefined;
  readonly isNumber?: boolean;
  readonly isRequired?: boolean;
  readonly maxLength?: number;
  readonly placeholder?: string;
  readonly children?: ComponentChildren;
};

/** A field with its label, its hint, and what is wrong with it in words. */
export function TextField(props: TextProps) {
  const id = useId();
  const said = props.mistake ?? props.hint;
  return (
    <div class="field">
      <label for={id}>{props.label}</label>
      <div class="input-row">
        <input
          id={id}
          name={props.name}
          // The types of attributes know one type at a time.
          type={(props.type ?? "text") as "text"}
          value={props.value}
          autocomplete={props.autocomplete ?? "off"}
          inputMode={props.isNumber === true ? "numeric" : undefined}
          maxLength={props.maxLength ?? 256}
          placeholder={props.placeholder}
          spellcheck={false}
          autocapitalize="none"
          required={props.isRequired === true}
          aria-invalid={props.mistake !== undefined}
          aria-describedby={said === undefined ? undefined : `${id}-words`}
          onInput={(event) => props.onInput(event.currentTarget.value)}
        />
        {props.children}
      </div>
      {said === undefined ? null : (
        <p class={props.mistake === undefined ? "hint" : "mistake"} id={`${id}-words`}>
          {said}
        </p>
      )}
    </div>
  );
}

/** A password that can be looked at while it is typed. */
export function PasswordField(props: Omit<TextProps, "type" | "children">) {
  const { words } = useSpeech();
  const [isShown, setShown] = useState(false);
  return (
    <TextField {...props} type={isShown ? "text" : "password"} isRequired>
      <button
        type="button"
        class="inside"
        aria-pressed={isShown}
        aria-label={isShown ? words.signIn.hide : words.signIn.show}
        onClick={() => setShown(!isShown)}
      >
        <Icon path={ICONS.eye} />
      </button>
    </TextField>
  );
}

export type Option = { readonly value: string; readonly name: string };

export function SelectField(props: {
  readonly label: string;
  readonly value: string;
  readonly options: readonly Option[];
  readonly onChange: (value: string) => void;
  readonly isLabelHidden?: boolean;
  readonly isDisabled?: boolean;
}) {
  const id = useId();
  return (
    <div class="field">
      <label for={id} class={props.isLabelHidden === true ? "unseen" : undefined}>
        {props.label}
      </label>
      <select
        id={id}
        value={props.value}
        disabled={props.isDisabled === true}
        onChange={(event) => props.onChange(event.currentTarget.value)}
      >
        {props.options.map(({ value, name }) => (
          <option key={value} value={value} selected={value === props.value}>
            {name}
          </option>
        ))}
      </select>
    </div>
  );
}
