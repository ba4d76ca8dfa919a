import type { PageView } from "../../app/page/widget-page.ts";
import { type Html, html } from "../../platform/html.ts";
import { accentStyle } from "./accent.ts";
import type { PageAssets } from "./assets.ts";
import { renderReadable } from "./readable-page.ts";

type Sent = { readonly assets: PageAssets; readonly nonce: string };

/** The page as it is sent. The script renders it again; without a script, what matters is still readable. */
export function renderPayPage({ view, assets, nonce }: Sent & { readonly view: PageView }): string {
  return document(
    { assets, nonce },
    {
      language: view.language,
      title: view.shop.name,
      accent: view.shop.accent,
      content: renderReadable(view),
      end: html`<script type="application/json" id="view" nonce="${nonce}">${{ html: jsonInHtml(view) }}</script>
<script type="module" nonce="${nonce}" src="${assets.script}"></script>`,
    },
  );
}

const SIGN = html`<svg class="sign wait" viewBox="0 0 24 24" aria-hidden="true">
<path d="M12 6v8M12 18v.2" fill="none" stroke="currentColor" stroke-width="2.2" stroke-linecap="round"/></svg>`;

/** Neither the payment nor its language is known. */
export function renderMissingPage(sent: Sent, why: keyof typeof NOTICES): string {
  return document(sent, {
    language: "en",
    title: "Payment",
    accent: null,
    content: html`<main class="card verdict alone">${SIGN}${NOTICES[why]}</main>`,
  });
}

const NOTICES = {
  unknown: html`<h1>There is no such payment</h1><p>The link may be incomplete. Go back to the shop and try again.</p>
<p lang="ru"><strong>Такого платежа нет.</strong> Возможно, ссылка неполная. Вернитесь в магазин и попробуйте ещё раз.</p>`,
  too_many: html`<h1>Too many tries</h1><p>Wait a minute, then load this page again.</p>
<p lang="ru"><strong>Слишком много попыток.</strong> Подождите минуту и обновите страницу.</p>`,
  broken: html`<h1>This page cannot be shown now</h1>
<p>Your payment is not lost. Wait a minute, then load this page again. If you have sent money, do not send it again.</p>
<p lang="ru"><strong>Страница сейчас недоступна.</strong> Ваш платёж не потерян. Подождите минуту и обновите страницу.
Если вы уже отправили деньги, не отправляйте их снова.</p>`,
} as const;

type Parts = {
  readonly language: "en" | "ru";
  readonly title: string;
  readonly accent: string | null;
  readonly content: Html;
  readonly end?: Html;
};

function document({ assets, nonce }: Sent, { language, title, accent, content, end }: Parts): string {
  return html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, interactive-widget=resizes-content">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="data:,">
<style nonce="${nonce}">${{ html: accentStyle(accent) }}</style>
<link rel="stylesheet" href="${assets.style}">
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
