/**
 * A document that shows a session at the command line. Its ids and times are made up, those of a run are not: the first
 * time that an id is shown it is taken to mean the one that was really printed there, and from then on it is only that.
 */

export type DocumentStep =
  /** Shown as ``a line that ends in `name`:`` with a block of another language than sh or text below it. */
  | { readonly kind: "file"; readonly name: string; readonly text: string }
  | { readonly kind: "commands"; readonly text: string; readonly printed: string | undefined };

const BLOCK = /^```(\w+)\n([\s\S]*?)^```/gm;
const FILE_NAME = /`([\w.-]+)`:\n\n$/;

/** What is to be written and typed, in order; a block of text right below commands is what they print. */
export function listSteps(markdown: string): DocumentStep[] {
  const steps: DocumentStep[] = [];
  let end = 0;
  for (const block of markdown.matchAll(BLOCK)) {
    const [whole, language, text = ""] = block;
    const between = markdown.slice(end, block.index);
    end = block.index + whole.length;
    const last = steps.at(-1);
    const name = FILE_NAME.exec(between)?.[1];
    if (language === "sh") steps.push({ kind: "commands", text, printed: undefined });
    else if (language !== "text" && name !== undefined) steps.push({ kind: "file", name, text });
    else if (last?.kind === "commands" && between.trim() === "") steps[steps.length - 1] = { ...last, printed: text };
    else throw new Error(`nobody knows what this block is for:\n${text}`);
  }
  return steps;
}

/** An id of ours, the code of a payout, or a key. */
const MADE_UP = /\b(?:[as]k_)?[0-9a-f]{32,}\b|\bTG-[0-9A-F]{12}\b/g;
const TIME = /\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z/g;
const DURATION = /\b\d+ (s|min|h)( \d+ (s|min))?(?= |$|:)/gm;

export function openTranscript() {
  const realOf = new Map<string, string>();
  const shownOf = new Map<string, string>();

  /** Both in one form: a document is not about the width of columns, nor about how long a test takes. */
  const plain = (text: string) =>
    text
      .replaceAll(TIME, "TIME")
      .replaceAll(DURATION, "SPAN")
      .split("\n")
      .map((line) => line.trimEnd().replaceAll(/ {2,}/g, "  "))
      .join("\n")
      .trim();

  /** Learns from what was printed in the places where the document shows an id for the first time. */
  function learn(shown: string, printed: string): void {
    const fresh = (text: string, known: ReadonlyMap<string, string>) =>
      [...new Set(text.match(MADE_UP) ?? [])].filter((id) => !known.has(id));
    const ids = fresh(printed, shownOf);
    for (const [place, name] of fresh(shown, realOf).entries()) {
      const id = ids[place];
      if (id === undefined) return;
      realOf.set(name, id);
      shownOf.set(id, name);
    }
  }

  return {
    /** What the document says, with the ids of this run. */
    real: (text: string) => text.replaceAll(MADE_UP, (name) => realOf.get(name) ?? name),
    /** What was printed and what the document shows, to be compared. */
    pair: (shown: string, printed: string) => {
      learn(shown, printed);
      return { shown: plain(shown), printed: plain(printed.replaceAll(MADE_UP, (id) => shownOf.get(id) ?? id)) };
    },
  };
}
