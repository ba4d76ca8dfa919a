import { type Html, html } from "../../platform/html.ts";
import type { PagedCharge } from "./authentications.ts";
import { hiddenFields, type Page } from "./page.ts";
import { CODES_MAX, RIGHT_CODE } from "./scenario.ts";

const ISSUER = html`<header><strong>Sandbox Bank</strong><span>Confirmation</span></header>`;
const PROVIDER = html`<header><strong>Sandbox Pay</strong><span>Card payment</span></header>`;

function detailsOf(charge: PagedCharge): Html {
  return html`<dl>
<div><dt>Merchant</dt><dd>${charge.merchant_name ?? charge.project_id}</dd></div>
<div><dt>Amount</dt><dd class="sum">${formatAmount(charge)}</dd></div>
<div><dt>Card</dt><dd class="card">${groupDigits(charge.masked_pan)}</dd></div>
</dl>`;
}

/** For people: `RUB 2,500.00`. The digits are put in by hand, since a double does not hold every sum. */
export function formatAmount({ amount, currency }: Pick<PagedCharge, "amount" | "currency">): string {
  const decimals = decimalsOf(currency);
  const digits = amount.padStart(decimals + 1, "0");
  const whole = digits.slice(0, digits.length - decimals).replace(/\B(?=(?:\d{3})+$)/g, ",");
  return `${currency} ${whole}${decimals === 0 ? "" : `.${digits.slice(-decimals)}`}`;
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

const TROUBLE_WORDS = {
  wrong: "That code is wrong.",
  missing: "Enter the code.",
  outdated: "This page was out of date. Enter the code again.",
} as const;

/** The form comes back to the page that it is on, with what the browser brought. */
export function codePage(charge: PagedCharge, fields: Readonly<Record<string, string>>, trouble: CodeTrouble): Page {
  const words = troubleWords(trouble, CODES_MAX - charge.wrong_codes);
  return {
    title: "Confirm your payment",
    staysHere: true,
    body: html`${ISSUER}
<h1>Confirm your payment</h1>
<p>Your bank wants to be sure that it is you who pays.</p>
${detailsOf(charge)}
<form method="post" autocomplete="off">
${hiddenFields({ ...fields, wrong_codes: String(charge.wrong_codes) })}
${words === undefined ? "" : html`<p class="bad" role="alert" id="trouble">${words}</p>`}
<label for="code">Confirmation code</label>
<input type="text" id="code" name="code" inputmode="numeric" autocomplete="one-time-code" maxlength="16" autofocus
 ${words === undefined ? "" : html`aria-invalid="true" aria-describedby="trouble"`}>
<button type="submit">Confirm</button>
<button type="submit" name="cancel" value="yes" class="quiet">Cancel</button>
</form>
<p class="note">This is a sandbox: no bank is asked and no money moves. The code is ${RIGHT_CODE}.</p>`,
  };
}

function troubleWords(trouble: CodeTrouble, left: number): string | undefined {
  if (trouble === undefined) return undefined;
  const tries = left === 1 ? "This is your last try." : `You have ${left} tries left.`;
  return `${TROUBLE_WORDS[trouble]} ${tries}`;
}

/** Takes the issuer's word back to the gateway, by itself or by its button. */
export function returnPage(charge: PagedCharge, fields: Readonly<Record<string, string>>): Page {
  const passed = charge.outcome === "passed";
  return {
    title: passed ? "Confirmed" : "Not confirmed",
    submitsItself: true,
    body: html`${ISSUER}
<h1>${passed ? "Confirmed" : "Not confirmed"}</h1>
<p>${passed ? "You are being taken back to finish the payment." : "The payment was declined. You are being taken back."}</p>
${detailsOf(charge)}
<form method="post" action="${charge.return_url}">
${hiddenFields(fields)}
<button type="submit">Continue</button>
</form>`,
  };
}

export function methodPage(notificationUrl: string, methodData: string): Page {
  return {
    title: "Device check",
    submitsItself: true,
    body: html`<form method="post" action="${notificationUrl}">
${hiddenFields({ threeDSMethodData: methodData })}
<button type="submit">Continue</button>
</form>`,
  };
}

export function checkoutPage(charge: PagedCharge): Page {
  if (charge.status !== "redirect") return endedPage(charge);
  return {
    title: "Pay by card",
    body: html`${PROVIDER}
<h1>Pay by card</h1>
<p>You pay here and then return to the merchant.</p>
${detailsOf(charge)}
<form method="post">
<button type="submit" name="action" value="pay">Pay</button>
<button type="submit" name="action" value="cancel" class="quiet">Cancel</button>
</form>
<p class="note">This is a sandbox: no money moves.</p>`,
  };
}

/** The payer chose another way at the merchant while this page was open. It takes nothing back and asks for nothing. */
export function cancelledPage(charge: PagedCharge): Page {
  return {
    title: "Nothing to confirm any more",
    body: html`${ISSUER}
<h1>Nothing to confirm any more</h1>
<p>The merchant cancelled this payment by card. The card is not charged.</p>
${detailsOf(charge)}
<p><a href="${charge.return_url}">Back to the merchant</a></p>`,
  };
}

const ENDED_WORDS: Readonly<Record<string, string>> = {
  approved: "The payment was approved.",
  pending: "The payment is being processed.",
  reversed: "The payment was given back.",
};

function endedPage(charge: PagedCharge): Page {
  return {
    title: "Payment finished",
    body: html`${PROVIDER}
<h1>Payment finished</h1>
<p>${ENDED_WORDS[charge.status] ?? "The payment was not made."}</p>
${detailsOf(charge)}
<p><a href="${charge.return_url}">Back to the merchant</a></p>`,
  };
}

export function unknownPage(status: number): Page {
  return {
    title: "Nothing to confirm",
    status,
    body: html`${ISSUER}
<h1>Nothing to confirm</h1>
<p>This page is opened by a shop during a payment. Go back to the shop and try again.</p>`,
  };
}
