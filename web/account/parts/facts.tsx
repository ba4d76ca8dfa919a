import type { ComponentChildren } from "preact";

type Fact = { readonly key: string; readonly name: string; readonly value: ComponentChildren };

/** Names and values; those without a value are left out. */
export function Facts({ rows }: { readonly rows: readonly Fact[] }) {
  return (
    <dl class="facts">
      {rows
        .filter(({ value }) => value !== null && value !== undefined && value !== "")
        .map(({ key, name, value }) => (
          <div key={key} class={`fact-${key}`}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}
