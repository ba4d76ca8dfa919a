import type { ComponentChildren } from "preact";
import type { LanguageId } from "./languages.ts";

const HASH_COMMENTS: readonly LanguageId[] = ["shell", "python"];

/** Comments and texts, which is what an eye looks for in a program of this size. */
const WITH_HASH = /(^#.*$|\s#\s.*$)|("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')/gm;
const WITH_SLASHES =
  /(^\s*\/\/.*$|\s\/\/\s.*$|\/\*\*.*?\*\/)|("""[\s\S]*?"""|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`[^`]*`)/gm;

export function coloured(text: string, language: LanguageId): ComponentChildren {
  const pieces: ComponentChildren[] = [];
  let done = 0;
  for (const found of text.matchAll(HASH_COMMENTS.includes(language) ? WITH_HASH : WITH_SLASHES)) {
    const [whole, comment] = found;
    pieces.push(text.slice(done, found.index));
    pieces.push(
      <span key={found.index} class={comment === undefined ? "code-text" : "code-comment"}>
        {whole}
      </span>,
    );
    done = found.index + whole.length;
  }
  return [...pieces, text.slice(done)];
}
