import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";

/** A part of a screen with its heading. */
export function Panel(props: {
  readonly title: string;
  readonly text?: string | undefined;
  readonly aside?: ComponentChildren;
  readonly look?: string;
  readonly children: ComponentChildren;
}) {
  const id = useId();
  return (
    <section class={props.look === undefined ? "panel" : `panel ${props.look}`} aria-labelledby={id}>
      <div class="panel-head">
        <h2 id={id}>{props.title}</h2>
        {props.aside}
      </div>
      {props.text === undefined ? null : <p class="small panel-text">{props.text}</p>}
      {props.children}
    </section>
  );
}
