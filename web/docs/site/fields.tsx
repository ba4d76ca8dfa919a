import type { Field } from "../operations.ts";
import { Words } from "./text.tsx";

/** Members or headers, one below the other: a name, its type, whether it must be there, what it is, what it may be. */
export function Fields({
  fields,
  showsRequired,
}: {
  readonly fields: readonly Field[];
  readonly showsRequired: boolean;
}) {
  return (
    <dl class="fields">
      {fields.map(({ name, type, isRequired, bounds, description }) => (
        <div key={name} class="field">
          <dt>
            <FieldName name={name} />
            <span class="type">{type}</span>
            {showsRequired && isRequired && <span class="required">required</span>}
            {!showsRequired && !isRequired && <span class="type">may be absent</span>}
          </dt>
          {description !== "" && <Words as="dd" of={description.replaceAll(/\s*\n\s*/g, " ")} />}
          {bounds !== "" && <Words as="dd" look="bounds" of={bounds} />}
        </div>
      ))}
    </dl>
  );
}

function FieldName({ name }: { readonly name: string }) {
  const dot = name.lastIndexOf(".");
  return (
    <code>
      {dot !== -1 && <span class="prefix">{name.slice(0, dot + 1)}</span>}
      {name.slice(dot + 1)}
    </code>
  );
}
