import type { PageLanguage } from "../../app/page/page-language.ts";
import type { PageView } from "../../app/page/widget-page.ts";
import { type Html, html } from "../../platform/html.ts";
import { accentStyle } from "./accent.ts";
import type { PageAssets } from "./assets.ts";
import { renderReadable } from "./readable-page.ts";
import { renderTestRibbon, renderTrustLines } from "./trust-lines.ts";
import type { PayerWords } from "./words/payer-words.ts";
import { PAYER_WORDS } from "./words/words.ts";

type Sent = { readonly assets: PageAssets; readonly nonce: string };

/** The page as it is sent. The script renders it again; without a script, what matters is still readable. */
export function renderPayPage({ view, assets, nonce }: Sent & { readonly view: PageView }): string {
  return document(
    { assets, nonce },
    {
      language: view.language,
      title: view.shop.name,
      accent: view.shop.accent,
      content: html`${renderTestRibbon(view)}${renderReadable(view)}${renderTrustLines(view)}`,
      // The script asks for its words only once it runs; this way both are on their way together.
      head: html`<link rel="modulepreload" href="${assets.words[view.language]}">`,
      end: html`<script type="application/json" id="view" nonce="${nonce}">${{ html: jsonInHtml(view) }}</script>
<script type="module" nonce="${nonce}" src="${assets.script}"></script>`,
    },
  );
}

const SIGN = html`<svg class="sign wait" viewBox="0 0 24 24" aria-hidden="true">
<path d="M12 6v8M12 18v.2" fill="none" stroke="currentColor" stroke-width="2.2" stroke-linecap="round"/></svg>`;

/** The payment is unknown, so the page speaks the language of the browser. */
export function renderMissingPage(sent: Sent, language: PageLanguage, why: keyof PayerWords["missing"]): string {
  const { title, text } = PAYER_WORDS[language].missing[why];
  return document(sent, {
    language,
    title,
    accent: null,
    content: html`<main class="card verdict alone">${SIGN}<h1>${title}</h1><p>${text}</p></main>`,
  });
}

type Parts = {
  readonly language: PageLanguage;
  readonly title: string;
  readonly accent: string | null;
  readonly content: Html;
  readonly head?: Html;
  readonly end?: Html;
};

function document({ assets, nonce }: Sent, { language, title, accent, content, head, end }: Parts): string {
  return html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, interactive-widget=resizes-content">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" type="image/svg+xml" href="../favicon.svg">
<style nonce="${nonce}">${{ html: accentStyle(accent) }}</style>
<link rel="stylesheet" href="${assets.style}">
${head}
</head>
<body>
<div id="app">${content}</div>
${end}
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
