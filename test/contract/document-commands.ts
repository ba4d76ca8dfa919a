import { readFileSync } from "node:fs";

/** A shell command in a document, and the comments right below it, which say what it answers. */
export type DocumentCommand = { readonly command: string; readonly comments: readonly string[] };

export function readDocument(name: string): string {
  return readFileSync(new URL(`../../${name}`, import.meta.url), "utf8");
}

/** The commands in all blocks of shell; one that goes over several lines, by a backslash or within quotes, is one. */
export function listCommands(markdown: string): DocumentCommand[] {
  const blocks = [...markdown.matchAll(/^```sh\n([\s\S]*?)^```/gm)].map(([, block]) => block ?? "");
  return blocks.flatMap(commandsOfBlock);
}

function commandsOfBlock(block: string): DocumentCommand[] {
  const found: { command: string; comments: string[] }[] = [];
  let open = "";
  for (const line of block.replaceAll("\\\n", " ").split("\n")) {
    if (open === "" && line.startsWith("#")) {
      found.at(-1)?.comments.push(line);
      continue;
    }
    open = open === "" ? line : `${open}\n${line}`;
    const insideQuotes = open.split("'").length % 2 === 0;
    if (insideQuotes) continue;
    if (open.trim() !== "") found.push({ command: open, comments: [] });
    open = "";
  }
  return found;
}

export function wordsOf(command: string): string[] {
  return [...command.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(([, double, single, plain]) => {
    return double ?? single ?? plain ?? "";
  });
}
