import { type Html, html } from "../../platform/html.ts";

/** A fragment's name for a heading: `Order of checks` → `order-of-checks`. */
export function slugOf(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "");
}

/**
 * A table whose rows become cards on a narrow screen; the labels are for those. CSS that changes `display` takes a
 * table's meaning from it in some browsers, so the roles are written out.
 */
export function renderTable(headings: readonly string[], rows: readonly (readonly Html[])[]): Html {
  const head = headings.map((heading) => html`<th role="columnheader" scope="col">${heading}</th>`);
  const body = rows.map(
    (cells) => html`<tr role="row">${cells.map((cell, at) => renderCell(cell, at, headings))}</tr>\n`,
  );
  return html`<table role="table">
<thead role="rowgroup"><tr role="row">${head}</tr></thead>
<tbody role="rowgroup">
${body}</tbody>
</table>
`;
}

function renderCell(cell: Html, at: number, headings: readonly string[]): Html {
  if (at === 0) return html`<th role="rowheader" scope="row">${cell}</th>`;
  // An empty cell needs no line of its own on a card.
  if (cell.html === "") return html`<td role="cell"></td>`;
  return html`<td role="cell" data-label="${headings[at] ?? ""}"><div>${cell}</div></td>`;
}

/** Text as it is. It can be scrolled, so it can be focused: otherwise a keyboard could not reach its right side. */
export function renderPre(text: string, label: string): Html {
  return html`<pre tabindex="0" role="region" aria-label="${label}"><code>${text}</code></pre>\n`;
}
