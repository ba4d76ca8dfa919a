import { linksOf } from "./links.ts";
import { renderCode, renderInline, renderMarkdown } from "./markdown.ts";
import { ELSEWHERE, REFERENCE } from "./pages.ts";

const linkOf = linksOf(REFERENCE, "docs/openapi.yaml");

const MENTION = new RegExp(`(?<=\\b[Ss]ee )(${Object.keys(ELSEWHERE).join("|")})\\b`, "g");

/** The contract is written to be read alone, so it names its parts. Here the names of those that are pages lead to them. */
function withLinks(markdown: string): string {
  return markdown.replaceAll(MENTION, (heading) => `[${heading}](/docs/${ELSEWHERE[heading]})`);
}

/** What the contract says in Markdown, as paragraphs. */
export function Text({ of: markdown = "" }: { readonly of?: string | undefined }) {
  if (markdown.trim() === "") return null;
  return <Markup as="div" look="text" html={renderMarkdown(withLinks(markdown), { linkOf }).html} />;
}

type WordsProps = { readonly of: string; readonly as?: "dd" | "p" | "span"; readonly look?: string };

/** The same within a line. */
export function Words({ of: markdown, as = "span", ...rest }: WordsProps) {
  return <Markup as={as} html={renderInline(withLinks(markdown), linkOf)} {...rest} />;
}

export function Code({ text, language }: { readonly text: string; readonly language: string }) {
  return <Markup as="div" html={renderCode(text, language)} />;
}

type MarkupProps = {
  readonly as: "article" | "dd" | "div" | "p" | "span";
  readonly look?: string;
  readonly html: string;
};

/** Markup that `markdown.ts` made: it escapes what a document says, HTML included. */
export function Markup({ as: Tag, look, html }: MarkupProps) {
  return <Tag class={look} dangerouslySetInnerHTML={{ __html: html }} />;
}
