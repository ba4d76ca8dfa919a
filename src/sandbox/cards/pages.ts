import { type Html, html } from "../../platform/html.ts";
import type { SandboxWords } from "../words/sandbox-words.ts";
import type { Speech } from "../words/words.ts";
import type { PagedCharge } from "./authentications.ts";
import { hiddenFields, type Page } from "./page.ts";
import { CODES_MAX, RIGHT_CODE } from "./scenario.ts";

function issuerOf({ rooms }: SandboxWords): Html {
  return html`<header><strong>Sandbox Bank</strong><span>${rooms.confirmation}</span></header>`;
}

function providerOf({ rooms }: SandboxWords): Html {
  return html`<header><strong>Sandbox Pay</strong><span>${rooms.card}</span></header>`;
}

function detailsOf(charge: PagedCharge, words: SandboxWords): Html {
  const { merchant, amount, card } = words.details;
  return html`<dl>
<div><dt>${merchant}</dt><dd>${charge.merchant_name ?? charge.project_id}</dd></div>
<div><dt>${amount}</dt><dd class="sum">${formatAmount(charge, words)}</dd></div>
<div><dt>${card}</dt><dd class="card">${groupDigits(charge.masked_pan)}</dd></div>
</dl>`;
}

/** For people: `RUB 2,500.00`, or as the language writes it. The digits are put in by hand, since a double does not hold every sum. */
export function formatAmount(
  { amount, currency }: Pick<PagedCharge, "amount" | "currency">,
  { separators }: Pick<SandboxWords, "separators">,
): string {
  const [thousands, point] = separators;
  const decimals = decimalsOf(currency);
  const digits = amount.padStart(decimals + 1, "0");
  const whole = digits.slice(0, digits.length - decimals).replace(/\B(?=(?:\d{3})+$)/g, thousands);
  const number = `${whole}${decimals === 0 ? "" : `${point}${digits.slice(-decimals)}`}`;
  return point === "." ? `${currency} ${number}` : `${number} ${currency}`;
}

/** How many digits of an amount stand behind the point. */
export function decimalsOf(currency: string): number {
  const format = new Intl.NumberFormat("en", { style: "currency", currency, currencyDisplay: "code" });
  return format.resolvedOptions().maximumFractionDigits ?? 0;
}

function groupDigits(pan: string): string {
  return pan.replace(/\*/g, "•").replace(/(.{4})(?=.)/g, "$1 ");
}

/** `outdated`: another page was sent meanwhile, so this one's code was not looked at. */
export type CodeTrouble = "wrong" | "missing" | "outdated" | undefined;

/** The form comes back to the page that it is on, with what the browser brought. */
export function codePage(
  { language, words }: Speech,
  charge: PagedCharge,
  fields: Readonly<Record<string, string>>,
  trouble: CodeTrouble,
): Page {
  const { title, text, label, confirm, hint } = words.code;
  const wrong = troubleWords(words.code, trouble, CODES_MAX - charge.wrong_codes);
  return {
    language,
    title,
    staysHere: true,
    body: html`${issuerOf(words)}
<h1>${title}</h1>
<p>${text}</p>
${detailsOf(charge, words)}
<form method="post" autocomplete="off">
${hiddenFields({ ...fields, wrong_codes: String(charge.wrong_codes) })}
${wrong === undefined ? "" : html`<p class="bad" role="alert" id="trouble">${wrong}</p>`}
<label for="code">${label}</label>
<input type="text" id="code" name="code" inputmode="numeric" autocomplete="one-time-code" maxlength="16" autofocus
 ${wrong === undefined ? "" : html`aria-invalid="true" aria-describedby="trouble"`}>
<button type="submit">${confirm}</button>
<button type="submit" name="cancel" value="yes" class="quiet">${words.cancel}</button>
</form>
<p class="note">${words.note} ${hint(RIGHT_CODE)}</p>`,
  };
}

function troubleWords(words: SandboxWords["code"], trouble: CodeTrouble, left: number): string | undefined {
  if (trouble === undefined) return undefined;
  return `${words.troubles[trouble]} ${left === 1 ? words.lastTry : words.triesLeft(left)}`;
}

/** Takes the issuer's word back to the gateway, by itself or by its button. */
export function returnPage(
  { language, words }: Speech,
  charge: PagedCharge,
  fields: Readonly<Record<string, string>>,
): Page {
  const { title, text } = words.returned[charge.outcome === "passed" ? "passed" : "failed"];
  return {
    language,
    title,
    submitsItself: true,
    body: html`${issuerOf(words)}
<h1>${title}</h1>
<p>${text}</p>
${detailsOf(charge, words)}
<form method="post" action="${charge.return_url}">
${hiddenFields(fields)}
<button type="submit">${words.continue}</button>
</form>`,
  };
}

export function methodPage({ language, words }: Speech, notificationUrl: string, methodData: string): Page {
  return {
    language,
    title: words.deviceCheck,
    submitsItself: true,
    body: html`<form method="post" action="${notificationUrl}">
${hiddenFields({ threeDSMethodData: methodData })}
<button type="submit">${words.continue}</button>
</form>`,
  };
}

export function checkoutPage(speech: Speech, charge: PagedCharge): Page {
  if (charge.status !== "redirect") return endedPage(speech, charge);
  const { language, words } = speech;
  const { title, text, pay, note } = words.checkout;
  return {
    language,
    title,
    body: html`${providerOf(words)}
<h1>${title}</h1>
<p>${text}</p>
${detailsOf(charge, words)}
<form method="post">
<button type="submit" name="action" value="pay">${pay}</button>
<button type="submit" name="action" value="cancel" class="quiet">${words.cancel}</button>
</form>
<p class="note">${note}</p>`,
  };
}

/** The payer chose another way at the merchant while this page was open. It takes nothing back and asks for nothing. */
export function cancelledPage({ language, words }: Speech, charge: PagedCharge): Page {
  const { title, text } = words.cancelled;
  return {
    language,
    title,
    body: html`${issuerOf(words)}
<h1>${title}</h1>
<p>${text}</p>
${detailsOf(charge, words)}
<p><a href="${charge.return_url}">${words.ended.back}</a></p>`,
  };
}

function endedPage({ language, words }: Speech, charge: PagedCharge): Page {
  const { title, texts, back } = words.ended;
  const byStatus: Readonly<Record<string, string>> = texts;
  return {
    language,
    title,
    body: html`${providerOf(words)}
<h1>${title}</h1>
<p>${byStatus[charge.status] ?? texts.notMade}</p>
${detailsOf(charge, words)}
<p><a href="${charge.return_url}">${back}</a></p>`,
  };
}

export function unknownPage({ language, words }: Speech, status: number): Page {
  const { title, text } = words.unknown;
  return {
    language,
    title,
    status,
    body: html`${issuerOf(words)}
<h1>${title}</h1>
<p>${text}</p>`,
  };
}
