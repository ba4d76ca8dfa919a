import { type Html, html } from "../../platform/html.ts";
import { hiddenFields, type Page } from "../cards/page.ts";
import { formatAmount } from "../cards/pages.ts";
import type { LinkedPayin } from "./linked-payins.ts";

/** The result of the payer's last click. */
export type BankNotice = "paid" | "refused" | "wrong_amount" | "outdated" | undefined;

const BANK = html`<header><strong>Sandbox Bank</strong><span>Transfer</span></header>`;
const SANDBOX_NOTE = html`<p class="note">This is a sandbox: no bank is asked and no money moves. You are the payer.</p>`;

const REFERENCE_END_SHOWN = 8;
const TITLES = { paid: "Paid", refused: "Not paid" } as const;
const TROUBLES = {
  wrong_amount: "Enter an amount, such as 2490.00.",
  outdated: "This page was out of date. Look at it again before you pay.",
} as const;

export function bankPage(payin: LinkedPayin, notice: BankNotice): Page {
  const title = notice === "paid" || notice === "refused" ? TITLES[notice] : "Confirm the transfer";
  return {
    title,
    staysHere: true,
    body: html`${BANK}
<h1>${title}</h1>
<p>${wordsOf(payin, notice)}</p>
<dl>
<div><dt>To pay</dt><dd class="sum">${formatAmount(payin)}</dd></div>
<div><dt>Paid so far</dt><dd>${formatAmount({ ...payin, amount: payin.paid_amount })}</dd></div>
<div><dt>Payment</dt><dd>…${payin.reference.slice(-REFERENCE_END_SHOWN)}</dd></div>
</dl>
${formOf(payin, notice)}
${SANDBOX_NOTE}`,
  };
}

function wordsOf({ is_over, paid_count }: LinkedPayin, notice: BankNotice): string {
  if (notice === "paid") return "The money is on its way to the merchant. You can go back to the shop.";
  if (notice === "refused") return "Nothing was sent, and nothing will be. You can go back to the shop, or still pay.";
  if (paid_count > 0) return "You have paid already. What you pay now is paid again.";
  return is_over
    ? "The time to pay is over. Money that you send now is late."
    : "A merchant asks you for this payment.";
}

function formOf(payin: LinkedPayin, notice: BankNotice): Html {
  const seen = hiddenFields({ paid_count: String(payin.paid_count) });
  const isAgain = payin.paid_count > 0;
  return html`<form method="post" autocomplete="off">
${seen}
${notice === "outdated" ? troubleIn(notice) : ""}
<button type="submit" name="action" value="pay" ${isAgain ? html`class="quiet"` : ""}>${isAgain ? "Pay again:" : "Pay"} ${formatAmount(payin)}</button>
${isAgain ? "" : html`<button type="submit" name="action" value="refuse" class="quiet">Do not pay</button>`}
</form>
<form method="post" autocomplete="off">
${seen}
<label for="amount">Another amount, in ${payin.currency}</label>
${notice === "wrong_amount" ? troubleIn(notice) : ""}
<input type="text" id="amount" name="amount" inputmode="decimal" maxlength="18"
 ${notice === "wrong_amount" ? html`aria-invalid="true" aria-describedby="trouble" autofocus` : ""}>
<button type="submit" name="action" value="other" class="quiet">Pay another amount</button>
</form>`;
}

function troubleIn(notice: keyof typeof TROUBLES): Html {
  return html`<p class="bad" role="alert" id="trouble">${TROUBLES[notice]}</p>`;
}

export function noLinkPage(): Page {
  return {
    title: "Nothing to pay",
    status: 404,
    body: html`${BANK}
<h1>Nothing to pay</h1>
<p>This page is opened by a payment link or its QR code. Go back to the shop and try again.</p>`,
  };
}
