import type { PageView } from "../../app/page/widget-page.ts";
import { type Html, html } from "../../platform/html.ts";
import { TRUST_WORDS } from "./trust-words.ts";

/** Of a page without its script: that nothing is real, where it is not. */
export function renderTestRibbon({ test, language }: PageView): Html | undefined {
  if (test !== true) return undefined;
  const words = TRUST_WORDS[language].test;
  return html`<aside class="ribbon" aria-label="${words}">${words}</aside>`;
}

/** And below it: what a payer keeps of a payment that was made, how to reach the shop, and who takes the payment. */
export function renderTrustLines(view: PageView): Html | undefined {
  const words = TRUST_WORDS[view.language];
  const { operator, receipt, shop } = view;
  if (operator === undefined && receipt === undefined && shop.support === undefined) return undefined;
  return html`<aside aria-label="${view.shop.name}">${receipt === undefined ? undefined : renderReceipt(view, receipt)}
${renderSupport(view)}${operator === undefined ? undefined : html`<p class="small">${words.operator(operator.name)}</p>`}</aside>`;
}

/** Without a script the reader's time zone is unknown. */
function renderReceipt({ language }: PageView, { paid_at, request_id }: NonNullable<PageView["receipt"]>): Html {
  const words = TRUST_WORDS[language];
  const format = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "medium", timeZone: "UTC" });
  return html`<p class="small">${words.paidAt}: ${format.format(new Date(paid_at))} UTC<br>${words.paymentId}: ${request_id}</p>`;
}

function renderSupport({ shop: { support }, language }: PageView): Html | undefined {
  if (support === undefined) return undefined;
  const words = TRUST_WORDS[language];
  const { email, phone, url } = support;
  return html`<p class="small">${words.question}
${email === undefined ? undefined : html`<a href="mailto:${email}">${email}</a>`}
${phone === undefined ? undefined : html`<a href="tel:${phone.replace(/[^+\d]/g, "")}">${phone}</a>`}
${url === undefined ? undefined : html`<a href="${url}" rel="noreferrer">${words.page}</a>`}</p>`;
}
