import { randomBytes } from "node:crypto";
import type { FastifyReply } from "fastify";
import { type Html, html } from "../../platform/html.ts";
import { STYLE } from "./style.ts";

export type Page = {
  readonly language: string;
  readonly title: string;
  readonly body: Html;
  /** A page without one still works: a button does what the script would. */
  readonly submitsItself?: true;
  /**
   * The form's answer is a page of our own. Where the browser is sent back to the gateway nothing can be said: browsers
   * hold a form to the list through all redirects, and only the gateway knows where it sends the payer on to.
   */
  readonly staysHere?: true;
  readonly status?: number;
};

const NONCE_BYTES = 16;
const SUBMIT: Html = { html: "document.forms[0].submit();" };
const NOTHING: Html = { html: "" };

export function sendPage(reply: FastifyReply, page: Page): FastifyReply {
  const nonce = randomBytes(NONCE_BYTES).toString("base64");
  const script = page.submitsItself ? html`<script nonce="${nonce}">${SUBMIT}</script>` : NOTHING;
  const text = html`<!doctype html>
<html lang="${page.language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${page.title}</title>
<style nonce="${nonce}">${{ html: STYLE }}</style>
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
    .headers({
      "content-type": "text/html; charset=utf-8",
      "cache-control": "no-store",
      "content-security-policy": policyOf(nonce, page),
      "referrer-policy": "strict-origin",
      "x-content-type-options": "nosniff",
    })
    .send(text.html);
}

function policyOf(nonce: string, { submitsItself, staysHere }: Page): string {
  return [
    "default-src 'none'",
    "base-uri 'none'",
    `style-src 'nonce-${nonce}'`,
    ...(submitsItself ? [`script-src 'nonce-${nonce}'`] : []),
    ...(staysHere ? ["form-action 'self'"] : []),
  ].join("; ");
}

/** Fields that travel with a form unseen. */
export function hiddenFields(fields: Readonly<Record<string, string>>): readonly Html[] {
  return Object.entries(fields).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`);
}

const FIELD_LENGTH_MAX = 4096;

/** What a browser posted. A field that is doubled, missing or far too long is empty. */
export function readForm(body: unknown): (name: string) => string {
  const form = new URLSearchParams(Buffer.isBuffer(body) ? body.toString("utf8") : "");
  return (name) => {
    const [value = "", ...more] = form.getAll(name);
    return more.length > 0 || value.length > FIELD_LENGTH_MAX ? "" : value;
  };
}

/** PostgreSQL's text holds no NUL, and no token holds anything but these. */
export function isToken(text: string): boolean {
  return /^[A-Za-z0-9+/=_-]{1,2048}$/.test(text);
}
