import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { languageOf, languageOfBrowser, type PageLanguage } from "../../app/page/page-language.ts";
import {
  findPayerPage,
  markOpened,
  type PagePayment,
  type PayerPageDeps,
  takeReturn,
} from "../../app/page/payer-pages.ts";
import { findHostedPage } from "../../app/page/widget-page.ts";
import type { AuthenticationResult, ThreeDs2Challenge, ThreeDsChallenge } from "../../core/card-acquirer.ts";
import { formatMoney } from "../../core/money.ts";
import { html } from "../../platform/html.ts";
import { type AdmitPayerDeps, type AdmittedPayer, admitPayer, retryAfterS } from "./admit-payer.ts";
import { forwardingPage, hiddenFields, type PayerPage, sendPayerPage, sumLine } from "./page.ts";
import { PAYER_WORDS } from "./words/words.ts";

type ByToken = { readonly Params: { readonly token: string } };

/** The way of a card's payer to the issuer and back. A visitor with the token is treated as the payer; the token proves nothing else. */
export function addThreeDsRoutes(server: FastifyInstance, deps: PayerPageDeps & AdmitPayerDeps): void {
  server.get<ByToken>("/3ds/:token", async (request, reply) => {
    const admitted = await admitPayer(deps, request, () => findPayerPage(deps, request.params.token));
    if (admitted.kind !== "in") return turnAway(request, reply, admitted);
    const { payment, step, number } = admitted.value;
    if (step === undefined) return sendBack(deps, reply, payment, undefined);
    await markOpened(deps, payment, number);
    if (step.kind === "redirect") return reply.header("cache-control", "no-store").redirect(step.url, 303);
    const methodReturnUrl = `${deps.publicUrl()}/3ds/${request.params.token}/method`;
    return sendPayerPage(reply, challengePage(step.challenge, payment, languageIn(reply, payment), methodReturnUrl));
  });

  // The issuer's look at the browser ends in a hidden frame of our page, which then goes on.
  server.post<ByToken>("/3ds/:token/method", async (_request, reply) =>
    sendPayerPage(reply, {
      language: "en",
      title: "Done",
      body: html`<p>Done.</p>`,
      script: "parent.postMessage('method-done', location.origin);",
    }),
  );

  const comeBack = async (request: FastifyRequest<ByToken>, reply: FastifyReply) => {
    const brought = readBrought(request.body);
    const take = () => takeReturn(deps, request.params.token, brought?.result);
    const admitted = await admitPayer(deps, request, take);
    if (admitted.kind !== "in") return turnAway(request, reply, admitted);
    const { payment, cameThroughPage } = admitted.value;
    return sendBack(deps, reply, payment, cameThroughPage ? undefined : brought?.fields);
  };
  server.post<ByToken>("/3ds/:token/return", comeBack);
  server.get<ByToken>("/3ds/:token/return", comeBack);
}

/** The payment is unknown, so the page uses the browser's language. */
function turnAway(
  request: FastifyRequest,
  reply: FastifyReply,
  refusal: Exclude<AdmittedPayer<never>, { readonly kind: "in" }>,
): FastifyReply {
  const language = languageOfBrowser(request.headers["accept-language"]);
  const isTooFast = refusal.kind === "too_fast";
  if (isTooFast) reply.header("retry-after", retryAfterS(refusal.waitMs));
  const { title, heading, text } = PAYER_WORDS[language].threeDs[isTooFast ? "tooFast" : "notFound"];
  const body = html`<div class="mark" aria-hidden="true">?</div>
<h1>${heading}</h1>
<p>${text}</p>`;
  return sendPayerPage(reply, { language, title, body, status: isTooFast ? 429 : 404 });
}

function sumOf({ requestedAmount, currency }: PagePayment): string {
  return formatMoney(requestedAmount, currency);
}

/** The language of the payer who is answered. */
function languageIn({ request }: FastifyReply, payment: PagePayment): PageLanguage {
  return languageOf(payment, request.headers["accept-language"]);
}

function challengePage(
  challenge: ThreeDsChallenge,
  payment: PagePayment,
  language: PageLanguage,
  methodReturnUrl: string,
): PayerPage {
  const { title, text, button } = PAYER_WORDS[language].threeDs.toBank;
  const fields: Record<string, string> =
    challenge.version === "2.2.0"
      ? { creq: challenge.creq, threeDSSessionData: challenge.sessionData }
      : { PaReq: challenge.paReq, MD: challenge.md, TermUrl: challenge.termUrl };
  const page = forwardingPage({
    ...{ language, title, button, fields },
    sum: sumOf(payment),
    words: text,
    action: challenge.acsUrl,
  });
  return challenge.version === "2.2.0" && challenge.method !== undefined
    ? withMethodStep(page, challenge.method, methodReturnUrl)
    : page;
}

/** The issuer gets this long to look at the browser; then the payer goes on without. */
const METHOD_WAITS_MS = 5_000;

function withMethodStep(
  page: PayerPage,
  method: NonNullable<ThreeDs2Challenge["method"]>,
  returnUrl: string,
): PayerPage {
  const data = { threeDSServerTransID: method.serverTransactionId, threeDSMethodNotificationURL: returnUrl };
  const threeDSMethodData = Buffer.from(JSON.stringify(data)).toString("base64url");
  return {
    ...page,
    framesFrom: new URL(method.url).origin,
    body: html`${page.body}
<iframe name="look" title="${PAYER_WORDS[page.language].threeDs.toBank.frame}" tabindex="-1" aria-hidden="true"></iframe>
<form id="method" method="post" action="${method.url}" target="look">
${hiddenFields({ threeDSMethodData })}</form>`,
    script: `
const go = () => document.getElementById("go").submit();
const timer = setTimeout(go, ${METHOD_WAITS_MS});
addEventListener("message", (event) => {
  if (event.origin !== location.origin || event.data !== "method-done") return;
  clearTimeout(timer);
  go();
});
document.getElementById("method").submit();`,
  };
}

/** The payer of a hosted page goes back to that page, and others to their merchant. */
async function sendBack(
  deps: PayerPageDeps,
  reply: FastifyReply,
  payment: PagePayment,
  fields: Brought["fields"] | undefined,
): Promise<FastifyReply> {
  const hosted = await findHostedPage(deps, payment);
  return hosted === undefined
    ? sendOn(deps, reply, payment, fields)
    : sendPayerPage(reply, hostedEnd(hosted, languageIn(reply, payment)));
}

/** In a frame the page around it is told; in a window of its own it takes the window. */
function hostedEnd(hosted: string, language: PageLanguage): PayerPage {
  const { title, heading } = PAYER_WORDS[language].threeDs.toPayment;
  return {
    language,
    title,
    body: html`<h1>${heading}</h1><p><a class="button" href="${hosted}" target="_top">${title}</a></p>`,
    script: `
if (parent === window) location.replace(document.querySelector("a").href);
else parent.postMessage("tillgate-returned", location.origin);`,
  };
}

/** Back to the merchant: by GET with the payment's name and no status, or by POST with what the issuer said. */
function sendOn(
  deps: PayerPageDeps,
  reply: FastifyReply,
  payment: PagePayment,
  fields: Brought["fields"] | undefined,
): FastifyReply {
  const target = deps.redirectUrlOf(payment);
  if (target === undefined) return sendPayerPage(reply, endPage(payment, languageIn(reply, payment)));
  if (fields !== undefined) {
    const language = languageIn(reply, payment);
    const { title, text } = PAYER_WORDS[language].threeDs.toShop;
    return sendPayerPage(
      reply,
      forwardingPage({ language, title, words: text, action: target, fields, button: title }),
    );
  }
  const url = new URL(target);
  url.searchParams.set("payment_id", payment.paymentId);
  return reply.header("cache-control", "no-store").header("referrer-policy", "no-referrer").redirect(url.href, 303);
}

function endPage(payment: PagePayment, language: PageLanguage): PayerPage {
  const { end, mark, look } = endOf(payment);
  const { title, text } = PAYER_WORDS[language].threeDs.ends[end];
  const body = html`<div class="mark ${look}" aria-hidden="true">${mark}</div>
<h1>${title}</h1>
${sumLine(sumOf(payment))}<p>${text}</p>`;
  return { language, title, body };
}

function endOf({ state, receivedAmount }: PagePayment) {
  switch (state) {
    case "success":
      return { end: "success", mark: "✓", look: "good" } as const;
    case "decline":
      return { end: receivedAmount > 0n ? "givenBack" : "decline", mark: "✕", look: "bad" } as const;
    default:
      return { end: "underWay", mark: "…", look: "" } as const;
  }
}

/** What the issuer gave the browser to bring: the result, and the fields that a merchant is to have of it. */
type Brought = { readonly result: AuthenticationResult; readonly fields: Readonly<Record<string, string>> };

/** All other data from the browser is ignored. */
function readBrought(body: unknown): Brought | undefined {
  const form = new URLSearchParams(Buffer.isBuffer(body) ? body.toString("utf8") : "");
  const [cres, paRes, md] = [form.get("cres"), form.get("PaRes"), form.get("MD")];
  if (cres !== null) {
    const sessionData = form.get("threeDSSessionData");
    const session = sessionData === null ? {} : { threeDSSessionData: sessionData };
    return { result: { cres }, fields: { cres, ...session } };
  }
  return paRes !== null && md !== null ? { result: { paRes, md }, fields: { PaRes: paRes, MD: md } } : undefined;
}
