import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";

type Labelled = {
  readonly label: string;
  readonly hint?: string | undefined;
  readonly mistake?: string | undefined;
};

type Texts = Labelled & {
  readonly value: string;
  readonly placeholder?: string;
  /** Not shown while it is typed, and not kept by the browser. */
  readonly isSecret?: boolean;
  readonly onInput: (value: string) => void;
};

export function TextEntry(props: Texts) {
  const { value, placeholder, onInput } = props;
  return (
    <Entry {...props}>
      {(about) => {
        const common = {
          ...about,
          value,
          placeholder,
          autocapitalize: "none",
          spellcheck: false,
          onInput: (event: { currentTarget: HTMLInputElement }) => onInput(event.currentTarget.value),
        } as const;
        return props.isSecret ? (
          <input {...common} type="password" autocomplete="new-password" />
        ) : (
          <input {...common} type="text" autocomplete="off" />
        );
      }}
    </Entry>
  );
}

export function AreaEntry(props: Texts & { readonly rows: number }) {
  return (
    <Entry {...props}>
      {(about) => (
        <textarea
          {...about}
          rows={props.rows}
          value={props.value}
          placeholder={props.placeholder}
          autocomplete="off"
          autocapitalize="none"
          spellcheck={false}
          onInput={(event) => props.onInput(event.currentTarget.value)}
        />
      )}
    </Entry>
  );
}

type Choice = { readonly value: string; readonly name: string; readonly isDisabled?: boolean };

export function SelectEntry(
  props: Labelled & {
    readonly value: string;
    readonly choices: readonly Choice[];
    readonly onChange: (value: string) => void;
  },
) {
  return (
    <Entry {...props}>
      {(about) => (
        <select {...about} value={props.value} onChange={(event) => props.onChange(event.currentTarget.value)}>
          {props.choices.map(({ value, name, isDisabled = false }) => (
            <option key={value} value={value} disabled={isDisabled}>
              {name}
            </option>
          ))}
        </select>
      )}
    </Entry>
  );
}

type About = { readonly id: string; readonly "aria-describedby"?: string; readonly "aria-invalid"?: boolean };

function Entry(props: Labelled & { readonly children: (about: About) => ComponentChildren }) {
  const id = useId();
  const said = props.mistake ?? props.hint;
  const about: About = {
    id,
    ...(said === undefined ? {} : { "aria-describedby": `${id}-said` }),
    ...(props.mistake === undefined ? {} : { "aria-invalid": true }),
  };
  return (
    <div class="entry">
      <label for={id}>{props.label}</label>
      {props.children(about)}
      {said === undefined ? null : (
        <p id={`${id}-said`} class={props.mistake === undefined ? "entry-hint" : "entry-mistake"}>
          {said}
        </p>
      )}
    </div>
  );
}

/** One of a few, all of them in sight. */
export function Radios<Value extends string>(props: {
  readonly label: string;
  readonly value: Value;
  readonly choices: readonly { readonly value: Value; readonly name: string }[];
  readonly onChange: (value: Value) => void;
}) {
  const name = useId();
  return (
    <fieldset class="radios">
      <legend>{props.label}</legend>
      {props.choices.map((choice) => (
        <label key={choice.value}>
          <input
            type="radio"
            name={name}
            checked={choice.value === props.value}
            onChange={() => props.onChange(choice.value)}
          />
          {choice.name}
        </label>
      ))}
    </fieldset>
  );
}
