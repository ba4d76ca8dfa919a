import { type BrowserPage, openPage, postForm, readForm, submitForm } from "../../src/sandbox/test-browser.ts";
import type { MerchantJson } from "../../src/testing/service/merchant-client.ts";
import { typeCodes, withoutMethodForm } from "./card-payer.ts";

/**
 * A payer whose browser goes from page to page: the shop's, A's, B's and the issuer's. It follows redirects and sends forms
 * that have nothing to fill in, as a browser with JavaScript does by itself.
 */
type Integration = { readonly redirect_url: string; readonly three_ds?: Readonly<Record<string, string>> };

const PAGES_MAX = 12;

async function walk(from: BrowserPage, isThere: (page: BrowserPage) => boolean): Promise<BrowserPage> {
  let page = from;
  for (let pages = 0; pages < PAGES_MAX; pages += 1) {
    if (isThere(page)) return page;
    page = await next(page);
  }
  throw new Error(`the payer is lost at ${page.url}`);
}

function next(page: BrowserPage): Promise<BrowserPage> {
  const location = page.headers.get("location");
  if (location !== null) return openPage(new URL(location, page.url).href);
  return submitForm(withoutMethodForm(page), {});
}

/** The issuer asks for a code, and the provider's own page for a decision. */
function isForPayer(page: BrowserPage): boolean {
  if (page.headers.has("location")) return false;
  const { visible, buttons } = readForm(withoutMethodForm(page));
  return visible.length > 0 || buttons.some(({ label }) => label === "Pay");
}

function integrationOf(payment: MerchantJson): Integration {
  return payment.integration as Integration;
}

/** To the page that asks the payer something, as a payer whom the shop redirects. */
export async function goToIssuer(payment: MerchantJson): Promise<BrowserPage> {
  return walk(await openPage(integrationOf(payment).redirect_url), isForPayer);
}

/** The first page that has the issuer's hidden step in it. */
export async function goToMethodStep(payment: MerchantJson): Promise<BrowserPage> {
  return walk(await openPage(integrationOf(payment).redirect_url), ({ text }) => text.includes('<form id="method"'));
}

/** To the issuer's page: posted by the shop itself. */
export async function postToIssuer(payment: MerchantJson): Promise<BrowserPage> {
  const { acs_url = "", ...terms } = integrationOf(payment).three_ds ?? {};
  const fields: Record<string, string> =
    terms.version === "2.2.0"
      ? { creq: terms.creq ?? "", threeDSSessionData: terms.three_ds_session_data ?? "" }
      : { PaReq: terms.pa_req ?? "", MD: terms.md ?? "", TermUrl: terms.term_url ?? "" };
  return walk(await postForm(acs_url, fields), isForPayer);
}

/** Types the codes one after the other, and goes back to the shop. */
export async function authenticate(issuer: BrowserPage, shopUrl: string, ...codes: string[]): Promise<BrowserPage> {
  return goBack(await typeCodes(issuer, ...codes), shopUrl);
}

/** Presses a button, and goes back to the shop. */
export async function press(page: BrowserPage, shopUrl: string, label: string): Promise<BrowserPage> {
  return goBack(await submitForm(page, {}, label), shopUrl);
}

function goBack(page: BrowserPage, shopUrl: string): Promise<BrowserPage> {
  return walk(page, ({ url }) => url.startsWith(shopUrl));
}
