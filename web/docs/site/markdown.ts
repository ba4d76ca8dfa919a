import { Marked, type Token, type Tokens } from "marked";
import { slugOf } from "./contract.ts";

/** Where a link of a document leads on the site; undefined where the site has no such page. */
export type LinkOf = (href: string) => string | undefined;

export type Heading = { readonly level: number; readonly text: string; readonly id: string };

/** A part of a page under one heading, as the search knows it. */
type Section = { readonly id: string; readonly title: string; readonly text: string };

export type Rendered = {
  readonly html: string;
  readonly headings: readonly Heading[];
  readonly sections: readonly Section[];
};

/** What stands in place of a paragraph that is nothing but a link with a title: a diagram, for example. */
type Insert = (link: { readonly href: string; readonly title: string }) => string | undefined;

type Options = { readonly linkOf: LinkOf; readonly insert?: Insert };

/** Markdown as it is written in the documents. HTML in it is text; comments are left out. */
export function renderMarkdown(markdown: string, { linkOf, insert = () => undefined }: Options): Rendered {
  const parser = parserFor(linkOf, insert);
  const tokens = parser.lexer(markdown);
  const ids = new Map<string, number>();
  const headings = tokens.filter(isHeading).map((token): Heading => {
    const text = plainText(token.tokens);
    const slug = slugOf(text);
    const seen = ids.get(slug) ?? 0;
    ids.set(slug, seen + 1);
    const id = seen === 0 ? slug : `${slug}-${seen}`;
    Object.assign(token, { id });
    return { level: token.depth, text, id };
  });
  return { html: parser.parser(tokens), headings, sections: sectionsOf(tokens, headings) };
}

/** One line: emphasis, code and links. */
export function renderInline(markdown: string, linkOf: LinkOf): string {
  return parserFor(linkOf, () => undefined).parseInline(markdown, { async: false });
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** Between tags quotes are as they are: a JSON example has hundreds of them. */
function escapeText(text: string): string {
  return text.replace(/[&<>]/g, (character) => `&#${character.charCodeAt(0)};`);
}

function isHeading(token: Token): token is Tokens.Heading {
  return token.type === "heading";
}

function parserFor(linkOf: LinkOf, insert: Insert): Marked {
  return new Marked({
    gfm: true,
    renderer: {
      html: ({ text }) => (text.startsWith("<!--") ? "" : escapeHtml(text)),
      image: ({ text }) => escapeHtml(text),
      code: ({ text, lang }) => renderCode(text, lang ?? ""),
      heading(token) {
        const { depth, tokens, id = "" } = token as Tokens.Heading & { readonly id?: string };
        const anchor = depth === 1 ? "" : ` <a class="anchor" href="#${id}" aria-label="Link to this section">#</a>`;
        return `<h${depth} id="${id}">${this.parser.parseInline(tokens)}${anchor}</h${depth}>\n`;
      },
      link({ href, tokens }) {
        const text = this.parser.parseInline(tokens);
        const target = linkOf(href);
        return target === undefined ? text : `<a href="${escapeHtml(target)}">${text}</a>`;
      },
      paragraph({ tokens }) {
        const [only] = tokens;
        if (tokens.length === 1 && only?.type === "link" && typeof only.title === "string") {
          const inserted = insert({ href: only.href, title: only.title });
          if (inserted !== undefined) return inserted;
        }
        return `<p>${this.parser.parseInline(tokens)}</p>\n`;
      },
      table({ header, rows }) {
        const headings = header.map(({ tokens }) => plainText(tokens));
        const inline = (cells: readonly Tokens.TableCell[]) =>
          cells.map((cell) => this.parser.parseInline(cell.tokens));
        return renderTable(headings, rows.map(inline));
      },
    },
  });
}

/** Text as it is. It can be scrolled, so it can be focused: otherwise a keyboard could not reach its right side. */
export function renderCode(text: string, language: string): string {
  const label = language === "" ? "Text" : `Code: ${language}`;
  return (
    `<div class="code"><pre tabindex="0" role="group" aria-label="${escapeHtml(label)}">` +
    `<code>${escapeText(text)}</code></pre></div>\n`
  );
}

/**
 * A table whose rows become cards on a narrow screen; the labels are for those. CSS that changes `display` takes a
 * table's meaning from it in some browsers, so the roles are written out.
 */
export function renderTable(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const head = headings.map((heading) => `<th role="columnheader" scope="col">${escapeHtml(heading)}</th>`).join("");
  const cellOf = (cell: string, at: number) => {
    if (at === 0) return `<th role="rowheader" scope="row">${cell}</th>`;
    if (cell === "") return '<td role="cell"></td>';
    return `<td role="cell" data-label="${escapeHtml(headings[at] ?? "")}"><div>${cell}</div></td>`;
  };
  const body = rows.map((cells) => `<tr role="row">${cells.map(cellOf).join("")}</tr>\n`).join("");
  return `<table role="table"><thead role="rowgroup"><tr role="row">${head}</tr></thead>
<tbody role="rowgroup">${body}</tbody></table>\n`;
}

/** The words alone, for ids, labels and the search. */
function plainText(tokens: readonly Token[] | undefined): string {
  return (tokens ?? [])
    .map((token) => {
      if (token.type === "html") return "";
      if ("tokens" in token && Array.isArray(token.tokens)) return plainText(token.tokens);
      return "text" in token && typeof token.text === "string" ? token.text : "";
    })
    .join("");
}

function sectionsOf(tokens: readonly Token[], headings: readonly Heading[]): Section[] {
  const sections: { id: string; title: string; text: string }[] = [];
  let at = 0;
  for (const token of tokens) {
    if (isHeading(token)) {
      const { id = "", text = "" } = headings[at] ?? {};
      at += 1;
      sections.push({ id, title: text, text: "" });
      continue;
    }
    const last = sections.at(-1);
    if (last !== undefined && token.type !== "space") last.text += `${blockText(token)} `;
  }
  return sections;
}

function blockText(token: Token): string {
  if (token.type === "list") return (token as Tokens.List).items.map(({ tokens }) => wordsOf(tokens)).join(" ");
  if (token.type !== "table") return wordsOf([token]);
  const { header, rows } = token as Tokens.Table;
  return [header, ...rows].map((cells) => cells.map(({ tokens }) => plainText(tokens)).join(" ")).join(" ");
}

function wordsOf(tokens: readonly Token[]): string {
  return tokens.map((token) => plainText([token])).join(" ");
}
