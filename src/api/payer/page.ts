import { randomBytes } from "node:crypto";
import type { FastifyReply } from "fastify";
import type { PageLanguage } from "../../app/page/page-language.ts";
import { type Html, html } from "../../platform/html.ts";
import { PAYER_STYLE } from "./style.ts";

/** A page that a payer sees on the way to or from the issuer. Everything it needs is in it. */
export type PayerPage = {
  readonly language: PageLanguage;
  readonly title: string;
  readonly body: Html;
  /** What the page does by itself; without JavaScript its button does the same. */
  readonly script?: string;
  /** Where hidden frames may go: the issuer's look at the browser. */
  readonly framesFrom?: string;
  readonly status?: number;
};

const NONCE_BYTES = 16;

/**
 * Forms of these pages lead to the issuer or the merchant, and browsers hold `form-action` against every redirect that
 * follows, which only those know; and merchants show the issuer's pages in a frame, to which the payer then returns. So
 * neither is restricted, and nothing may be loaded from anywhere. The referrer is our origin alone: the address holds the
 * token, and a form sent without any would say `Origin: null`, which firewalls before issuers refuse.
 */
export function sendPayerPage(reply: FastifyReply, page: PayerPage): FastifyReply {
  const nonce = randomBytes(NONCE_BYTES).toString("base64");
  const script =
    page.script === undefined ? undefined : html`<script nonce="${nonce}">${{ html: page.script }}</script>`;
  const text = html`<!doctype html>
<html lang="${page.language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${page.title}</title>
<style nonce="${nonce}">${{ html: PAYER_STYLE }}</style>
</head>
<body>
<main>
${page.body}
</main>
${script}
</body>
</html>
`;
  return reply
    .code(page.status ?? 200)
    .header("content-type", "text/html; charset=utf-8")
    .header("cache-control", "no-store")
    .header("referrer-policy", "strict-origin")
    .header("x-content-type-options", "nosniff")
    .header("content-security-policy", policyOf(nonce, page))
    .send(text.html);
}

function policyOf(nonce: string, { script, framesFrom }: PayerPage): string {
  return [
    "default-src 'none'",
    "base-uri 'none'",
    `style-src 'nonce-${nonce}'`,
    ...(script === undefined ? [] : [`script-src 'nonce-${nonce}'`]),
    ...(framesFrom === undefined ? [] : [`frame-src ${framesFrom} 'self'`]),
  ].join("; ");
}

export function hiddenFields(fields: Readonly<Record<string, string>>): Html[] {
  return Object.entries(fields).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">\n`);
}

/** A form that sends itself, with a button for browsers without JavaScript. */
export function forwardingPage(content: {
  readonly language: PageLanguage;
  readonly title: string;
  /** What is paid, where the payer is about to pay. */
  readonly sum?: string;
  readonly words: string;
  readonly action: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly button: string;
}): PayerPage {
  const body = html`<h1>${content.title}</h1>
${sumLine(content.sum)}<p>${content.words}</p>
<form id="go" method="post" action="${content.action}">
${hiddenFields(content.fields)}<button type="submit">${content.button}</button>
</form>`;
  return { language: content.language, title: content.title, body, script: "document.getElementById('go').submit();" };
}

export function sumLine(sum: string | undefined): Html | undefined {
  return sum === undefined ? undefined : html`<p class="sum">${sum}</p>\n`;
}
