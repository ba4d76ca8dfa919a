import { type Html, html } from "../../platform/html.ts";
import { hiddenFields, type Page } from "../cards/page.ts";
import { formatAmount } from "../cards/pages.ts";
import type { SandboxWords } from "../words/sandbox-words.ts";
import type { Speech } from "../words/words.ts";
import type { LinkedPayin } from "./linked-payins.ts";

/** The result of the payer's last click. */
export type BankNotice = "paid" | "refused" | "wrong_amount" | "outdated" | undefined;

const REFERENCE_END_SHOWN = 8;

function bankOf({ rooms }: SandboxWords): Html {
  return html`<header><strong>Sandbox Bank</strong><span>${rooms.transfer}</span></header>`;
}

export function bankPage({ language, words }: Speech, payin: LinkedPayin, notice: BankNotice): Page {
  const { titles, toPay, paidSoFar, payment } = words.bank;
  const title = notice === "paid" || notice === "refused" ? titles[notice] : titles.confirm;
  return {
    language,
    title,
    staysHere: true,
    body: html`${bankOf(words)}
<h1>${title}</h1>
<p>${textOf(words.bank.texts, payin, notice)}</p>
<dl>
<div><dt>${toPay}</dt><dd class="sum">${formatAmount(payin, words)}</dd></div>
<div><dt>${paidSoFar}</dt><dd>${formatAmount({ ...payin, amount: payin.paid_amount }, words)}</dd></div>
<div><dt>${payment}</dt><dd>…${payin.reference.slice(-REFERENCE_END_SHOWN)}</dd></div>
</dl>
${formOf(words, payin, notice)}
<p class="note">${words.note}</p>`,
  };
}

function textOf(
  texts: SandboxWords["bank"]["texts"],
  { is_over, paid_count }: LinkedPayin,
  notice: BankNotice,
): string {
  if (notice === "paid" || notice === "refused") return texts[notice];
  if (paid_count > 0) return texts.again;
  return is_over ? texts.late : texts.asked;
}

function formOf(words: SandboxWords, payin: LinkedPayin, notice: BankNotice): Html {
  const { pay, payAgain, refuse, otherAmount, payOther, troubles } = words.bank;
  const seen = hiddenFields({ paid_count: String(payin.paid_count) });
  const sum = formatAmount(payin, words);
  const isAgain = payin.paid_count > 0;
  return html`<form method="post" autocomplete="off">
${seen}
${notice === "outdated" ? alertOf(troubles.outdated) : ""}
<button type="submit" name="action" value="pay" ${isAgain ? html`class="quiet"` : ""}>${isAgain ? payAgain(sum) : pay(sum)}</button>
${isAgain ? "" : html`<button type="submit" name="action" value="refuse" class="quiet">${refuse}</button>`}
</form>
<form method="post" autocomplete="off">
${seen}
<label for="amount">${otherAmount(payin.currency)}</label>
${notice === "wrong_amount" ? alertOf(troubles.wrong_amount) : ""}
<input type="text" id="amount" name="amount" inputmode="decimal" maxlength="18"
 ${notice === "wrong_amount" ? html`aria-invalid="true" aria-describedby="trouble" autofocus` : ""}>
<button type="submit" name="action" value="other" class="quiet">${payOther}</button>
</form>`;
}

function alertOf(text: string): Html {
  return html`<p class="bad" role="alert" id="trouble">${text}</p>`;
}

export function noLinkPage({ language, words }: Speech): Page {
  const { title, text } = words.noLink;
  return {
    language,
    title,
    status: 404,
    body: html`${bankOf(words)}
<h1>${title}</h1>
<p>${text}</p>`,
  };
}
