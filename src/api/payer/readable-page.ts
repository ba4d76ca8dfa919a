import type { PageView } from "../../app/page/widget-page.ts";
import { type Html, html } from "../../platform/html.ts";
import { PAGE_WORDS } from "./page-words.ts";

/** What matters of a payment without any script: how much, to whom, until when, how it stands, and the way back. */
export function renderReadable(view: PageView): Html {
  const words = PAGE_WORDS[view.language];
  const { code, name } = words.otherLanguage;
  const { heading, text } = words.steps[view.step];
  const { challenge_url, back_url } = view;
  // A page that reloads itself takes readers by surprise (WCAG 2.2.1), so they are given a link.
  const isOver = view.step === "success" || view.step === "decline";
  return html`<header class="top"><div class="shop"><span class="shop-name">${view.shop.name}</span></div>
<a class="language" lang="${code}" href="?lang=${code}">${name}</a></header>
<main class="card">
${billOf(view)}
<h1>${heading}</h1>
${text === undefined ? undefined : html`<p>${text}</p>`}
${view.step === "transfer" ? requisitesOf(view) : undefined}
${view.actions.length === 0 ? undefined : html`<noscript><p class="small">${words.needsScript}</p></noscript>`}
<div class="buttons">
${isOver ? undefined : html`<noscript><a class="button quiet" href="?lang=${view.language}">${words.lookAgain}</a></noscript>`}
${challenge_url === undefined ? undefined : html`<a class="button primary" href="${challenge_url}">${words.toBank}</a>`}
${back_url === undefined ? undefined : html`<a class="button quiet" href="${back_url}" rel="noreferrer">${words.backToShop}</a>`}
</div>
</main>
<footer class="foot">${words.footer}</footer>`;
}

/** Sums that are longer are written smaller. */
const LINE_LENGTH_MAX = 15;

function billOf(view: PageView): Html {
  const sum = moneyText(view);
  const { description } = view;
  return html`<div class="bill">
<p class="sum${sum.length > LINE_LENGTH_MAX ? " long" : ""}">${sum}</p>
<p class="order">${PAGE_WORDS[view.language].order} <bdi>${view.order}</bdi></p>
${description === undefined ? undefined : html`<p class="description"><bdi>${description}</bdi></p>`}
</div>`;
}

const LARGE: ReadonlySet<string> = new Set(["pan", "phone", "account_number"]);

/** Numbers have no spaces: here the payer copies them without our help. */
function requisitesOf({ requisites = {}, until, language }: PageView): Html {
  const words = PAGE_WORDS[language];
  const named = Object.entries(requisites).flatMap(([member, value]) => {
    const label = words.requisites[member];
    const look = LARGE.has(member) ? html`<dd class="value">${String(value)}</dd>` : html`<dd>${String(value)}</dd>`;
    return label === undefined ? [] : [html`<div class="fact"><dt>${label}</dt>${look}</div>`];
  });
  const time = until === null ? undefined : timeText(until, language);
  return html`<dl class="requisites">${named}
${time === undefined ? undefined : html`<div class="fact"><dt>${words.payBefore}</dt><dd>${time}</dd></div>`}</dl>`;
}

/** Without a script the reader's time zone is unknown. */
function timeText(until: string, language: "en" | "ru"): string {
  const format = new Intl.DateTimeFormat(language, { timeStyle: "short", timeZone: "UTC" });
  return `${format.format(new Date(until))} UTC`;
}

function moneyText({ amount, currency, decimals, language }: PageView): string {
  const digits = { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
  return new Intl.NumberFormat(language, { style: "currency", currency, ...digits }).format(amount / 10 ** decimals);
}
