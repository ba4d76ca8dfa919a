import { marked, type Tokens } from "marked";

/** A table as it is written, with the marks of its cells. */
export type MarkdownTable = { readonly headings: readonly string[]; readonly rows: readonly (readonly string[])[] };

export function listTables(markdown: string): MarkdownTable[] {
  const tables = marked.lexer(markdown).filter((token): token is Tokens.Table => token.type === "table");
  return tables.map(({ header, rows }) => ({
    headings: header.map(({ text }) => text),
    rows: rows.map((cells) => cells.map(({ text }) => text)),
  }));
}

/** The texts of the blocks of code, in order. */
export function listCode(markdown: string): string[] {
  return marked.lexer(markdown).flatMap((token) => (token.type === "code" ? [(token as Tokens.Code).text] : []));
}

/** The rows of the one table whose headings begin with these, without backticks. */
export function rowsOf(tables: readonly MarkdownTable[], ...headings: readonly string[]): string[][] {
  const found = tables.filter(({ headings: shown }) =>
    headings.every((heading, at) => shown[at]?.replaceAll("`", "") === heading),
  );
  if (found.length !== 1) throw new Error(`${found.length} tables begin with ${headings.join(", ")}`);
  return (found[0]?.rows ?? []).map((row) => row.map((cell) => cell.replaceAll("`", "")));
}
