import type { PageView } from "../../app/widget-page.ts";
import { type Html, html } from "../html.ts";
import type { PageAssets } from "./assets.ts";
import { PAYER_STYLE } from "./style.ts";

/** The page as it is sent. The script draws it anew; without a script, what matters is still readable. */
export function renderPayPage({
  view,
  assets,
  nonce,
}: {
  readonly view: PageView | undefined;
  readonly assets: PageAssets;
  readonly nonce: string;
}): string {
  const language = view?.language ?? "en";
  const style =
    assets.style === undefined
      ? html`<style nonce="${nonce}">${{ html: PAYER_STYLE }}</style>`
      : html`<link rel="stylesheet" href="${assets.style}">`;
  return html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<title>${view === undefined ? "Payment" : view.shop.name}</title>
${style}
</head>
<body>
<div id="app">${view === undefined ? missing() : readable(view)}</div>
${
  view === undefined
    ? undefined
    : html`<script type="application/json" id="view" nonce="${nonce}">${{ html: jsonInHtml(view) }}</script>
<script type="module" nonce="${nonce}" src="${assets.script}"></script>`
}
</body>
</html>
`.html;
}

/** Nothing in it can end the element that holds it. */
function jsonInHtml(view: PageView): string {
  return JSON.stringify(view).replace(/[<>&\u2028\u2029]/g, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
}

function missing(): Html {
  return html`<main><h1>There is no such payment</h1><p>The link may be incomplete. Go back to the shop and try again.</p></main>`;
}

function readable(view: PageView): Html {
  const requisites = Object.entries(view.requisites ?? {});
  return html`<main>
<h1>${view.shop.name}</h1>
<p>${view.order}: ${view.amount} ${view.currency} (minor units)</p>
<p>${view.status}${view.sub_status === null ? "" : ` / ${view.sub_status}`}</p>
${requisites.length === 0 ? undefined : html`<dl>${requisites.map(([name, value]) => html`<dt>${name}</dt><dd>${String(value)}</dd>`)}</dl>`}
${view.back_url === undefined ? undefined : html`<p><a href="${view.back_url}" rel="noreferrer">Back to the shop</a></p>`}
</main>`;
}
