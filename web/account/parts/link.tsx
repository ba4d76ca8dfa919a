import type { ComponentChildren } from "preact";
import { hrefOf, useRouter } from "../router.ts";

/** A link to another screen. What a browser does with other buttons and keys stays its own. */
export function Link(props: {
  readonly to: string;
  readonly look?: string | undefined;
  readonly isCurrent?: boolean;
  readonly children: ComponentChildren;
}) {
  const { go } = useRouter();
  return (
    <a
      class={props.look}
      href={hrefOf(props.to)}
      aria-current={props.isCurrent === true ? "page" : undefined}
      onClick={(event) => {
        if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
        event.preventDefault();
        go(props.to);
      }}
    >
      {props.children}
    </a>
  );
}
