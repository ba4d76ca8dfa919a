import { PAGE_LANGUAGES, type PageLanguage } from "../../app/page/page-language.ts";
import type { PageView } from "../../app/page/widget-page.ts";
import { type Html, html } from "../../platform/html.ts";
import { LANGUAGE_NAMES } from "./language-names.ts";
import { moneyText, timeText } from "./money-text.ts";
import { PAYER_WORDS } from "./words/words.ts";

/** What matters of a payment without any script: how much, to whom, until when, how it stands, and the way back. */
export function renderReadable(view: PageView): Html {
  const words = PAYER_WORDS[view.language].page;
  const { heading, text } = words.steps[view.step];
  const { challenge_url, back_url } = view;
  // A page that reloads itself takes readers by surprise (WCAG 2.2.1), so they are given a link.
  const isOver = view.step === "success" || view.step === "decline";
  return html`<header class="top"><div class="shop"><span class="shop-name">${view.shop.name}</span></div>
<span class="language">${LANGUAGE_NAMES[view.language]}</span></header>
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
<footer class="foot">${words.footer}</footer>
<noscript><nav class="languages" aria-label="${words.language}">${linksToOthers(view.language)}</nav></noscript>`;
}

function linksToOthers(language: PageLanguage): Html[] {
  const others = PAGE_LANGUAGES.filter((each) => each !== language);
  return others.map((each) => html`<a lang="${each}" href="?lang=${each}">${LANGUAGE_NAMES[each]}</a>\n`);
}

/** Sums that are longer are written smaller. */
const LINE_LENGTH_MAX = 15;

function billOf(view: PageView): Html {
  const sum = moneyText(view);
  const { description } = view;
  return html`<div class="bill">
<p class="sum${sum.length > LINE_LENGTH_MAX ? " long" : ""}">${sum}</p>
<p class="order">${PAYER_WORDS[view.language].page.order} <bdi>${view.order}</bdi></p>
${description === undefined ? undefined : html`<p class="description"><bdi>${description}</bdi></p>`}
</div>`;
}

const LARGE: ReadonlySet<string> = new Set(["pan", "phone", "account_number"]);

/** Numbers have no spaces: here the payer copies them without our help. */
function requisitesOf({ requisites = {}, until, language }: PageView): Html {
  const words = PAYER_WORDS[language].page;
  const labels: Readonly<Record<string, string>> = words.requisites;
  const named = Object.entries(requisites).flatMap(([member, value]) => {
    const label = labels[member];
    const look = LARGE.has(member) ? html`<dd class="value">${String(value)}</dd>` : html`<dd>${String(value)}</dd>`;
    return label === undefined ? [] : [html`<div class="fact"><dt>${label}</dt>${look}</div>`];
  });
  const time = until === null ? undefined : timeText(until, language);
  return html`<dl class="requisites">${named}
${time === undefined ? undefined : html`<div class="fact"><dt>${words.payBefore}</dt><dd>${time}</dd></div>`}</dl>`;
}
