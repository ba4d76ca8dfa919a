import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { Heading } from "../../kit/heading.tsx";

/** A screen with its heading and what can be done on it. */
export function Screen(props: {
  readonly title: string;
  /** The way back to the screen that leads here. */
  readonly before?: ComponentChildren;
  readonly actions?: ComponentChildren;
  readonly children: ComponentChildren;
}) {
  useEffect(() => {
    document.title = `${props.title} · Tillgate`;
  }, [props.title]);
  return (
    <>
      {props.before}
      <div class="screen-head">
        <Heading>{props.title}</Heading>
        <div class="screen-actions">{props.actions}</div>
      </div>
      {props.children}
    </>
  );
}
