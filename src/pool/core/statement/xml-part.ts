/** A part of an XML document that is small enough to be held: an entry, a balance, the account. */
export type XmlPart = {
  readonly name: string;
  readonly currency: string | undefined;
  readonly children: XmlPart[];
  text: string;
};

/** Longer than anything that is used of a text, so that what is cut off would have been refused or cut anyway. */
const TEXT_CHARS_MAX = 4_000;

export function newPart(name: string, currency: string | undefined): XmlPart {
  return { name, currency, children: [], text: "" };
}

export function addText(part: XmlPart, text: string): void {
  if (part.text.length < TEXT_CHARS_MAX) part.text += text.slice(0, TEXT_CHARS_MAX - part.text.length);
}

/** How many parts there are, this one counted. */
export function countParts(part: XmlPart): number {
  return part.children.reduce((sum, child) => sum + countParts(child), 1);
}

/** All parts at a path of names below this one. */
export function listParts(part: XmlPart, ...path: readonly string[]): readonly XmlPart[] {
  let found: readonly XmlPart[] = [part];
  for (const name of path) found = found.flatMap(({ children }) => children.filter((child) => child.name === name));
  return found;
}

/** The first part at a path. It is asked a dozen times for each entry, so it makes no lists on the way. */
export function findPart(part: XmlPart, ...path: readonly string[]): XmlPart | undefined {
  return findFrom(part, path, 0);
}

function findFrom(part: XmlPart, path: readonly string[], depth: number): XmlPart | undefined {
  if (depth === path.length) return part;
  for (const child of part.children) {
    const found = child.name === path[depth] ? findFrom(child, path, depth + 1) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The text at a path, without surrounding whitespace; undefined where there is none. */
export function findText(part: XmlPart, ...path: readonly string[]): string | undefined {
  const text = findPart(part, ...path)?.text.trim();
  return text === "" ? undefined : text;
}
