import type { ComponentChildren } from "preact";
import { Heading } from "../../kit/heading.tsx";
import { useSpeech } from "../words/words.ts";
import { LanguageButton } from "./language-button.tsx";

/** What stands around the screens of people who are not signed in yet. */
export function Entrance(props: {
  readonly title: string;
  readonly text?: string | undefined;
  readonly children?: ComponentChildren;
}) {
  const { words } = useSpeech();
  return (
    <div class="entrance">
      <header class="entrance-head">
        <Brand />
        <LanguageButton />
      </header>
      <main class="entrance-card">
        <Heading>{props.title}</Heading>
        {props.text === undefined ? null : <p class="small">{props.text}</p>}
        {props.children}
      </main>
      <footer class="entrance-foot">{words.account}</footer>
    </div>
  );
}

export function Brand() {
  return (
    <span class="brand">
      <svg viewBox="0 0 24 24" aria-hidden="true">
        <rect width="24" height="24" rx="6" fill="var(--accent)" />
        <path
          d="M6.500 8h11M12 8v9.500M8 17.500h8"
          fill="none"
          stroke="var(--on-accent)"
          stroke-width="2.400"
          stroke-linecap="round"
        />
      </svg>
      Tillgate
    </span>
  );
}
