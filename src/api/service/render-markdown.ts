import { type Html, html } from "../../platform/html.ts";
import { renderPre, renderTable, slugOf } from "./render-parts.ts";

/**
 * The part of Markdown that the contract is written in: headings, paragraphs, flat lists, tables, code blocks, and
 * inside them `code` and **strong** text. Whatever is none of these is text, and all text is escaped.
 */
export type Block =
  | { readonly kind: "heading"; readonly level: number; readonly text: string }
  | { readonly kind: "paragraph"; readonly text: string }
  | { readonly kind: "list"; readonly ordered: boolean; readonly items: readonly string[] }
  | { readonly kind: "table"; readonly headings: readonly string[]; readonly rows: readonly (readonly string[])[] }
  | { readonly kind: "code"; readonly text: string };

type Lines = { readonly all: readonly string[]; at: number };

const HEADING = /^(#{1,6})\s+(.*)$/;
const FENCE = /^```/;
const TABLE_ROW = /^\|.*\|\s*$/;
const TABLE_RULE = /^[\s|:-]+$/;
const LIST_ITEM = /^(?:([-*])|[0-9]+\.)\s+(.*)$/;

export function parseMarkdown(markdown: string): Block[] {
  const lines: Lines = { all: markdown.split("\n"), at: 0 };
  const blocks: Block[] = [];
  while (lines.at < lines.all.length) {
    if (peek(lines).trim() === "") lines.at += 1;
    else blocks.push(readBlock(lines));
  }
  return blocks;
}

function readBlock(lines: Lines): Block {
  const line = peek(lines);
  const heading = HEADING.exec(line);
  if (heading !== null) {
    lines.at += 1;
    return { kind: "heading", level: heading[1]?.length ?? 1, text: heading[2] ?? "" };
  }
  if (FENCE.test(line)) return readCode(lines);
  if (TABLE_ROW.test(line)) return readTable(lines);
  return LIST_ITEM.test(line) ? readList(lines) : readParagraph(lines);
}

function readCode(lines: Lines): Block {
  lines.at += 1;
  const text = takeWhile(lines, (line) => !FENCE.test(line)).join("\n");
  lines.at += 1;
  return { kind: "code", text };
}

function readTable(lines: Lines): Block {
  const [headings = [], ...rows] = takeWhile(lines, (line) => TABLE_ROW.test(line))
    .filter((line) => !TABLE_RULE.test(line))
    .map((line) =>
      line
        .trim()
        .slice(1, -1)
        .split("|")
        .map((cell) => cell.trim()),
    );
  return { kind: "table", headings, rows };
}

function readList(lines: Lines): Block {
  const ordered = LIST_ITEM.exec(peek(lines))?.[1] === undefined;
  const items: string[] = [];
  for (const line of takeWhile(lines, (each) => LIST_ITEM.test(each) || /^\s+\S/.test(each))) {
    const item = LIST_ITEM.exec(line)?.[2];
    if (item !== undefined) items.push(item);
    else items.push(`${items.pop() ?? ""} ${line.trim()}`);
  }
  return { kind: "list", ordered, items };
}

function readParagraph(lines: Lines): Block {
  const first = peek(lines);
  lines.at += 1;
  const rest = takeWhile(lines, (line) => line.trim() !== "" && !startsBlock(line));
  return { kind: "paragraph", text: [first, ...rest].map((line) => line.trim()).join(" ") };
}

function startsBlock(line: string): boolean {
  return [HEADING, FENCE, TABLE_ROW, LIST_ITEM].some((pattern) => pattern.test(line));
}

function peek(lines: Lines): string {
  return lines.all[lines.at] ?? "";
}

function takeWhile(lines: Lines, wanted: (line: string) => boolean): string[] {
  const taken: string[] = [];
  while (lines.at < lines.all.length && wanted(peek(lines))) {
    taken.push(peek(lines));
    lines.at += 1;
  }
  return taken;
}

export function renderMarkdown(markdown: string | undefined): Html[] {
  return parseMarkdown(markdown ?? "").map(renderBlock);
}

export function renderBlock(block: Block): Html {
  switch (block.kind) {
    case "heading":
      return renderHeading(block.level, block.text);
    case "paragraph":
      return html`<p>${renderInline(block.text)}</p>\n`;
    case "list": {
      const items = block.items.map((item) => html`<li>${renderInline(item)}</li>\n`);
      return block.ordered ? html`<ol>\n${items}</ol>\n` : html`<ul>\n${items}</ul>\n`;
    }
    case "table":
      return renderTable(
        block.headings,
        block.rows.map((row) => row.map(renderInline)),
      );
    case "code":
      return renderPre(block.text, "Code");
  }
}

/** The page has one h1, its title; so the highest heading of a text is h2. */
function renderHeading(level: number, text: string): Html {
  const id = slugOf(text);
  if (level <= 2) return html`<h2 id="${id}">${renderInline(text)}</h2>\n`;
  return html`<h3 id="${id}">${renderInline(text)}</h3>\n`;
}

const INLINE = /(`[^`]+`|\*\*[^*]+\*\*)/;

/** Text within one block; the line breaks of the source mean nothing in it. */
export function renderInline(text: string): Html {
  const line = text.trim().replaceAll("\n", " ");
  const parts = line.split(INLINE).map((part) => {
    if (part.length > 2 && part.startsWith("`") && part.endsWith("`")) return html`<code>${part.slice(1, -1)}</code>`;
    if (part.length > 4 && part.startsWith("**") && part.endsWith("**")) {
      return html`<strong>${part.slice(2, -2)}</strong>`;
    }
    return html`${part}`;
  });
  return html`${parts}`;
}
