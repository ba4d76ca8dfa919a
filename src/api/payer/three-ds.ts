import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { findPayerPage, markOpened, type PagePayment, type PayerPageDeps, takeReturn } from "../../app/payer-pages.ts";
import { findHostedPage } from "../../app/widget-page.ts";
import type { AuthenticationResult, ThreeDs2Challenge, ThreeDsChallenge } from "../../core/card-acquirer.ts";
import { formatMoney } from "../../core/money.ts";
import { html } from "../html.ts";
import { forwardingPage, hiddenFields, type PayerPage, sendPayerPage, sumLine } from "./page.ts";

type ByToken = { readonly Params: { readonly token: string } };

/** The way of a card's payer to the issuer and back. Whoever has the token is taken for the payer; it proves nothing. */
export function addThreeDsRoutes(server: FastifyInstance, deps: PayerPageDeps): void {
  server.get<ByToken>("/3ds/:token", async (request, reply) => {
    const found = await findPayerPage(deps, request.params.token);
    if (found === undefined) return sendPayerPage(reply, NOT_FOUND);
    const { payment, step } = found;
    if (step === undefined) return sendBack(deps, reply, payment, undefined);
    await markOpened(deps, payment);
    if (step.kind === "redirect") return reply.header("cache-control", "no-store").redirect(step.url, 303);
    const methodReturnUrl = `${deps.publicUrl()}/3ds/${request.params.token}/method`;
    return sendPayerPage(reply, challengePage(step.challenge, sumOf(payment), methodReturnUrl));
  });

  // The issuer's look at the browser ends in a hidden frame of our page, which then goes on.
  server.post<ByToken>("/3ds/:token/method", async (_request, reply) =>
    sendPayerPage(reply, {
      title: "Done",
      body: html`<p>Done.</p>`,
      script: "parent.postMessage('method-done', location.origin);",
    }),
  );

  const comeBack = async (request: FastifyRequest<ByToken>, reply: FastifyReply) => {
    const brought = readBrought(request.body);
    const found = await takeReturn(deps, request.params.token, brought?.result);
    if (found === undefined) return sendPayerPage(reply, NOT_FOUND);
    return sendBack(deps, reply, found.payment, found.cameThroughPage ? undefined : brought?.fields);
  };
  server.post<ByToken>("/3ds/:token/return", comeBack);
  server.get<ByToken>("/3ds/:token/return", comeBack);
}

const NOT_FOUND: PayerPage = {
  title: "Not found",
  body: html`<div class="mark" aria-hidden="true">?</div>
<h1>There is no such payment</h1>
<p>The link may be incomplete. Go back to the shop and try again.</p>`,
  status: 404,
};

function sumOf({ requestedAmount, currency }: PagePayment): string {
  return formatMoney(requestedAmount, currency);
}

function challengePage(challenge: ThreeDsChallenge, sum: string, methodReturnUrl: string): PayerPage {
  const fields: Record<string, string> =
    challenge.version === "2.2.0"
      ? { creq: challenge.creq, threeDSSessionData: challenge.sessionData }
      : { PaReq: challenge.paReq, MD: challenge.md, TermUrl: challenge.termUrl };
  const page = forwardingPage({
    title: "Going to your bank",
    sum,
    words: "Your bank wants to make sure that it is you. This takes a moment.",
    action: challenge.acsUrl,
    fields,
    button: "Continue to the bank",
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
<iframe name="look" title="The bank looks at this browser" tabindex="-1" aria-hidden="true"></iframe>
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
  return hosted === undefined ? sendOn(deps, reply, payment, fields) : sendPayerPage(reply, hostedEnd(hosted));
}

/** In a frame the page around it is told; in a window of its own it takes the window. */
function hostedEnd(hosted: string): PayerPage {
  return {
    title: "Back to the payment",
    body: html`<h1>Thank you</h1><p><a class="button" href="${hosted}" target="_top">Back to the payment</a></p>`,
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
  if (target === undefined) return sendPayerPage(reply, endPage(payment));
  if (fields !== undefined) {
    const words = "You are being sent back to the shop.";
    return sendPayerPage(
      reply,
      forwardingPage({ title: "Back to the shop", words, action: target, fields, button: "Back to the shop" }),
    );
  }
  const url = new URL(target);
  url.searchParams.set("payment_id", payment.paymentId);
  return reply.header("cache-control", "no-store").header("referrer-policy", "no-referrer").redirect(url.href, 303);
}

const UNDER_WAY = "The shop will tell you as soon as it is done. You can close this page.";
const NOT_PAID = "Nothing was paid. Go back to the shop to try again.";
const GIVEN_BACK = "Your card was charged too late, and the money is given back to it.";

function endPage(payment: PagePayment): PayerPage {
  const { title, words, mark, look } = endOf(payment);
  const body = html`<div class="mark ${look}" aria-hidden="true">${mark}</div>
<h1>${title}</h1>
${sumLine(sumOf(payment))}<p>${words}</p>`;
  return { title, body };
}

function endOf({ state, receivedAmount }: PagePayment) {
  switch (state) {
    case "success":
      return { title: "Payment received", words: "Thank you. You can close this page.", mark: "✓", look: "good" };
    case "decline":
      return { title: "Payment declined", words: receivedAmount > 0n ? GIVEN_BACK : NOT_PAID, mark: "✕", look: "bad" };
    default:
      return { title: "Payment under way", words: UNDER_WAY, mark: "…", look: "" };
  }
}

/** What the issuer gave the browser to bring: the result, and the fields that a merchant is to have of it. */
type Brought = { readonly result: AuthenticationResult; readonly fields: Readonly<Record<string, string>> };

/** Whatever else the browser sends is nobody's. */
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
