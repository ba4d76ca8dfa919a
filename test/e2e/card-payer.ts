import { expect } from "vitest";
import { type BrowserPage, openPage, postForm, readForm, submitForm } from "../../src/sandbox/test-browser.ts";
import type { ShownPayment } from "./card-shop.ts";

/** What payers do in their browsers, page by page, without JavaScript. */

function integrationOf({ integration }: ShownPayment) {
  if (integration === undefined) throw new Error("the payer has nowhere to go");
  return integration;
}

function threeDsOf(payment: ShownPayment): Readonly<Record<string, string>> {
  const { three_ds: threeDs } = integrationOf(payment);
  if (threeDs === undefined) throw new Error("there is no challenge");
  return threeDs;
}

/** Our page that takes the payer to the issuer. */
export function openForward(payment: ShownPayment): Promise<BrowserPage> {
  return openPage(integrationOf(payment).redirect_url);
}

/** To the issuer's page: through ours, as a payer whom the merchant redirects. */
export async function goThroughPage(payment: ShownPayment): Promise<BrowserPage> {
  return submitForm(withoutMethodForm(await openForward(payment)), {});
}

/** To the issuer's page: posted by the merchant itself, by the terms of either version. */
export function goDirectly(payment: ShownPayment): Promise<BrowserPage> {
  const terms = threeDsOf(payment);
  const { version, acs_url = "" } = terms;
  return version === "2.2.0"
    ? postForm(acs_url, { creq: terms.creq ?? "", threeDSSessionData: terms.three_ds_session_data ?? "" })
    : postForm(acs_url, { PaReq: terms.pa_req ?? "", MD: terms.md ?? "", TermUrl: terms.term_url ?? "" });
}

/** The step before the challenge has a form of its own, for a hidden frame. */
const METHOD_FORM = /<form id="method".*?<\/form>/s;

export function withoutMethodForm(page: BrowserPage): BrowserPage {
  return { ...page, text: page.text.replace(METHOD_FORM, "") };
}

/** What the hidden frame does: to the issuer, and from there back to us. */
export async function playMethodStep(page: BrowserPage): Promise<BrowserPage> {
  const atIssuer = await submitHidden({ ...page, text: METHOD_FORM.exec(page.text)?.[0] ?? "" });
  expect(atIssuer.status).toBe(200);
  return submitForm(atIssuer, {});
}

function submitHidden(page: BrowserPage): Promise<BrowserPage> {
  const { action, hidden } = readForm(page);
  return postForm(action, hidden);
}

/** Types codes until the issuer sends the payer back; answers the page that does. */
export async function typeCodes(codePage: BrowserPage, ...codes: readonly string[]): Promise<BrowserPage> {
  let page = codePage;
  for (const code of codes) page = await submitForm(page, { code });
  return page;
}

/** What the issuer's page is about to send back to us. */
export function readResult(returnPage: BrowserPage): Readonly<Record<string, string>> {
  return readForm(returnPage).hidden;
}

/** From the issuer back to us, and from us on to the shop; answers our page or redirect, and the shop's page. */
export async function goBack(returnPage: BrowserPage): Promise<{ ours: BrowserPage; shop: BrowserPage }> {
  const ours = await submitForm(returnPage, {});
  return { ours, shop: await followToShop(ours) };
}

export async function followToShop(ours: BrowserPage): Promise<BrowserPage> {
  const location = ours.headers.get("location");
  return location === null ? submitForm(ours, {}) : openPage(location);
}
