/** Markup that is safe to send. Only `html` makes it, and `html` escapes every string that it is given. */
export type Html = { readonly html: string };
export type HtmlPart = string | number | Html | readonly Html[] | undefined;

export function html(literals: TemplateStringsArray, ...parts: readonly HtmlPart[]): Html {
  const text = literals.map((literal, index) => literal + markupOf(parts[index])).join("");
  return { html: text };
}

function markupOf(part: HtmlPart): string {
  if (part === undefined) return "";
  if (typeof part === "string" || typeof part === "number") return escapeHtml(String(part));
  return "html" in part ? part.html : part.map((each) => each.html).join("");
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? "");
}
