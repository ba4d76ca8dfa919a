/** A paragraph `[…](../openapi.yaml "Heading")` stands for what the contract says under that heading. */
const INCLUDE = /^\[[^\]]*\]\([^)\s]*openapi\.yaml "([^"]+)"\)$/gm;

export function includeContract(markdown: string, description: string): string {
  return markdown.replaceAll(INCLUDE, (_whole, heading: string) => bodyUnder(description, heading));
}

/** The text below a heading, up to the next one of the same level or a higher one. */
function bodyUnder(description: string, heading: string): string {
  const lines = description.split("\n");
  const start = lines.findIndex((line) => /^#+ /.test(line) && line.replace(/^#+ /, "") === heading);
  if (start === -1) throw new Error(`the contract has no heading ${heading}`);
  const level = lines[start]?.indexOf(" ") ?? 0;
  const end = endOfSection(lines, start + 1, level);
  return lines
    .slice(start + 1, end)
    .join("\n")
    .trim();
}

function endOfSection(lines: readonly string[], from: number, level: number): number {
  let isCode = false;
  for (let at = from; at < lines.length; at += 1) {
    const line = lines[at] ?? "";
    if (line.startsWith("```")) isCode = !isCode;
    if (!isCode && /^#+ /.test(line) && line.indexOf(" ") <= level) return at;
  }
  return lines.length;
}

/** The contract's introduction in parts, one for each heading of the second level; the first part has no heading. */
export function splitIntroduction(description: string): { readonly heading: string; readonly markdown: string }[] {
  const lines = description.split("\n");
  const parts: { heading: string; markdown: string }[] = [];
  for (let at = 0; at < lines.length; ) {
    const heading = /^## (.*)$/.exec(lines[at] ?? "")?.[1] ?? "";
    const end = endOfSection(lines, at + 1, 2);
    parts.push({ heading, markdown: lines.slice(at, end).join("\n").trim() });
    at = end;
  }
  return parts;
}
