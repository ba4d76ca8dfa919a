import type { CliContext } from "./command.ts";

/** What commands print: tables for people, JSON for programs. */

export type Column = { readonly title: string; readonly align?: "right" };

export function renderTable(columns: readonly Column[], given: readonly (readonly string[])[]): string {
  const rows = given.map((row) => row.map(printable));
  const widths = columns.map(({ title }, index) =>
    Math.max(...[title, ...rows.map((row) => row[index] ?? "")].map(width)),
  );
  const line = (cells: readonly string[]) =>
    columns
      .map(({ align }, index) => pad(cells[index] ?? "", widths[index] ?? 0, align ?? "left"))
      .join("  ")
      .trimEnd();
  return [columns.map(({ title }) => title), ...rows].map(line).join("\n");
}

/** `1 line`, `2 lines`. */
export function countOf(count: number, what: string): string {
  return count === 1 ? `1 ${what}` : `${count} ${what}s`;
}

/** Names on the left, what they are on the right. */
export function renderPairs(pairs: readonly (readonly [name: string, value: string])[]): string {
  const longest = Math.max(0, ...pairs.map(([name]) => width(name)));
  return pairs.map(([name, value]) => `${pad(name, longest, "left")}  ${printable(value)}`).join("\n");
}

/** Merchants' and providers' words are shown too: what could move the cursor or disguise a line is not. */
export function printable(text: string): string {
  return text.replaceAll(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, "\ufffd");
}

export function printJson(context: CliContext, value: unknown): void {
  context.print(JSON.stringify(value, null, 2));
}

/** To the second: what a person reads in a list. */
export function showInstant(instant: Date): string {
  return instant.toISOString().replace(/\.\d+Z$/, "Z");
}

/** Code points, not code units; names in scripts of double width are a little out of line. */
function width(text: string): number {
  return [...text].length;
}

function pad(text: string, columns: number, align: "left" | "right"): string {
  const blanks = " ".repeat(Math.max(0, columns - width(text)));
  return align === "right" ? blanks + text : text + blanks;
}
