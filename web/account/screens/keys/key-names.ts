import type { ApiKey, KeyProject } from "../../wire/keys.ts";
import type { Words } from "../../words/en.ts";

/** How keys are called on the screen. */
export function labelOf({ label }: Pick<ApiKey, "label">, words: Words): string {
  return label === "" ? words.keys.unnamed : label;
}

/** `Web · TEST`: a test project is never taken for a live one, not even in a question. */
export function projectLabel({ name, book }: Pick<KeyProject, "name" | "book">, words: Words): string {
  return book === "test" ? `${name} · ${words.book.test.toUpperCase()}` : name;
}

export function reachOf(key: ApiKey, projects: readonly KeyProject[], words: Words): string {
  if (key.project_id === null) return words.keys.allOf[key.book];
  const project = projects.find(({ id }) => id === key.project_id);
  return project === undefined ? key.project_id : projectLabel(project, words);
}

/** Enough to tell keys apart. All RSA tokens begin alike and end alike; in between they differ. */
export function shortToken(token: string): string {
  return token.startsWith("ak_")
    ? `${token.slice(0, 9)}…${token.slice(-6)}`
    : `${token.slice(0, 6)}…${token.slice(-14)}`;
}
