import type { ComponentChildren } from "preact";

/** The focus goes here when the step changes, so that a screen reader begins with it. */
export const HEADING_ID = "heading";

export function Heading({ children }: { readonly children: ComponentChildren }) {
  return (
    <h1 id={HEADING_ID} tabIndex={-1}>
      {children}
    </h1>
  );
}
