import { expect } from "vitest";
import { issuerForm, type ThreeDs, type ThreeDsResult, threeDsResult } from "../sdk/src/index.ts";
import { type BrowserPage, openPage, postForm, readForm, submitForm } from "../src/sandbox/test-browser.ts";

/** A payer of the sandbox, whose browser runs no scripts and presses each page's button instead. */
export const RIGHT_CODE = "1234";
export const WRONG_CODE = "0000";

/** Through our page to the issuer and back, with the codes that are typed there; answers where the browser ends up. */
export async function passThroughPage(redirectUrl: string, ...codes: string[]): Promise<BrowserPage> {
  const atIssuer = await submitForm(await openPage(redirectUrl), {});
  return submitForm(await typeCodes(atIssuer, codes), {});
}

/** To the issuer by a form of the shop's own. Answers what the issuer would have the browser post, and where to. */
export async function answerIssuer(
  threeDs: ThreeDs,
  ...codes: string[]
): Promise<{
  readonly returnUrl: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly result: ThreeDsResult;
}> {
  const { action, fields } = issuerForm(threeDs);
  const { action: returnUrl, hidden } = readForm(await typeCodes(await postForm(action, fields), codes));
  const result = threeDsResult(hidden);
  if (result === undefined) throw new Error("the issuer sent the browser back without a word");
  return { returnUrl, fields: hidden, result };
}

async function typeCodes(page: BrowserPage, codes: readonly string[]): Promise<BrowserPage> {
  let shown = page;
  for (const code of codes.length === 0 ? [RIGHT_CODE] : codes) {
    expect(readForm(shown).visible).toEqual(["code"]);
    shown = await submitForm(shown, { code });
  }
  return shown;
}
