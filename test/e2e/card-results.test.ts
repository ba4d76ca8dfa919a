import { describe, expect, it } from "vitest";
import { type BrowserPage, openPage, postForm, readForm, submitForm } from "../../src/sandbox/test-browser.ts";
import { useTestDatabase } from "../../src/testing/database/test-database.ts";
import { useTestService } from "../../src/testing/service/test-service.ts";
import { goBack, goDirectly, goThroughPage, openForward, readResult, typeCodes } from "./card-payer.ts";
import { AMOUNT, type CardOrder, type ShownPayment, SOON, shown, stateOf, useCardShop } from "./card-shop.ts";

const database = useTestDatabase();
const service = useTestService(database);
const shop = useCardShop(database, service);

const AT_ISSUER = "processing:awaiting_3ds_result";
const CARDS = { "2.2.0": "4000000000003220", "1.0.2": "4111111111111111" } as const;
type Version = keyof typeof CARDS;
type Result = Readonly<Record<string, string>>;

async function challenged(version: Version = "2.2.0", order: CardOrder = {}): Promise<ShownPayment> {
  return shop.until(await shop.create({ pan: CARDS[version], ...order }), AT_ISSUER);
}

/** The payer did everything right, and the browser is about to come back with this. */
async function authenticated(version: Version = "2.2.0") {
  const payment = await challenged(version);
  const page = await typeCodes(await goDirectly(payment), "1234");
  return { payment, page, fields: readResult(page), returnUrl: readForm(page).action };
}

const others: Partial<Record<Version, ReturnType<typeof authenticated>>> = {};

/** Somebody else's, whose browser never comes back. */
function anotherOf(version: Version): ReturnType<typeof authenticated> {
  others[version] ??= authenticated(version);
  return others[version];
}

/** The browser's fields, as a merchant passes them on. */
function passedOn({ cres, PaRes, MD }: Result): object {
  return cres === undefined ? { pa_res: PaRes, md: MD } : { cres };
}

/** The issuer's message with another word in it. */
function reworded(text: string, change: object, encoding: "base64" | "base64url"): string {
  const message = JSON.parse(Buffer.from(text, "base64").toString("utf8"));
  return Buffer.from(JSON.stringify({ ...message, ...change })).toString(encoding);
}

function cutOff(text: string): string {
  return text.slice(0, -4);
}

type Forgery = [what: string, version: Version, forge: (right: Result, other: Result) => Result];

const FORGERIES: readonly Forgery[] = [
  ["made up", "2.2.0", () => ({ cres: Buffer.from('{"transStatus":"Y"}').toString("base64url") })],
  ["cut off", "2.2.0", ({ cres = "" }) => ({ cres: cutOff(cres) })],
  ["for another amount", "2.2.0", ({ cres = "" }) => ({ cres: reworded(cres, { purchaseAmount: 1 }, "base64url") })],
  ["of another payment", "2.2.0", (_, other) => ({ cres: other.cres ?? "" })],
  ["as long as a body may be", "2.2.0", () => ({ cres: "A".repeat(60_000) })],
  ["of no letters that it could have", "2.2.0", () => ({ cres: "\\\"'; --" })],
  ["in the words of 3-D Secure 1", "2.2.0", ({ cres = "" }) => ({ PaRes: cres, MD: "1" })],
  ["with the MD of another", "1.0.2", ({ PaRes = "" }, { MD = "" }) => ({ PaRes, MD })],
  ["with the PaRes of another", "1.0.2", ({ MD = "" }, { PaRes = "" }) => ({ PaRes, MD })],
  ["cut off, of 3-D Secure 1", "1.0.2", ({ PaRes = "", MD = "" }) => ({ PaRes: cutOff(PaRes), MD })],
  ["in the words of 3-D Secure 2", "1.0.2", ({ PaRes = "" }) => ({ cres: PaRes })],
];

describe("a false result", () => {
  it.each(FORGERIES)("%s (%s) changes nothing, and the true one still counts", async (_, version, forge) => {
    const other = await anotherOf(version);
    const { payment, fields, returnUrl } = await authenticated(version);
    const forged = forge(fields, other.fields);
    const answer = await shop.confirm(payment, passedOn(forged));
    expect([answer.status, answer.json.code]).toEqual([422, "three_ds_result_invalid"]);
    await postForm(returnUrl, forged);
    expect(stateOf(await shop.info(payment))).toBe(AT_ISSUER);
    expect(await shop.booksOf(payment)).toMatchObject({ clearing: 0, bank: 0 });
    expect(stateOf(shown(await shop.confirm(payment, passedOn(fields))))).toBe("success");
    // After the end whatever is brought answers the present state.
    expect(stateOf(shown(await shop.confirm(payment, passedOn(forged))))).toBe("success");
    expect(stateOf(await shop.info(other.payment))).toBe(AT_ISSUER);
  });

  it("of a megabyte is not even read", async () => {
    const { payment, returnUrl } = await authenticated();
    const large = { cres: "A".repeat(1024 * 1024) };
    expect((await shop.confirm(payment, large)).status).toBe(413);
    expect((await postForm(returnUrl, large)).status).toBe(413);
    expect(stateOf(await shop.info(payment))).toBe(AT_ISSUER);
  });

  it("with members that do not go together is refused by its form", async () => {
    const payment = await challenged();
    for (const wrong of [{}, { cres: "a", md: "b" }, { md: "b" }, { pa_res: "b" }, { cres: "" }, { cres: 1 }]) {
      expect((await shop.confirm(payment, wrong)).json.code).toBe("validation_failed");
    }
  });
});

describe("a result", () => {
  it("brought by everybody at once charges once, and everybody is answered with the end", async () => {
    const { payment, fields, returnUrl } = await authenticated();
    const [answers, pages] = await Promise.all([
      Promise.all(Array.from({ length: 6 }, () => shop.confirm(payment, passedOn(fields)))),
      Promise.all(Array.from({ length: 6 }, () => postForm(returnUrl, fields))),
    ]);
    expect(answers.map((answer) => stateOf(shown(answer)))).toEqual(answers.map(() => "success"));
    expect(pages.map(({ status }) => status)).toEqual(pages.map(() => 200));
    expect(await shop.booksOf(payment)).toMatchObject({ clearing: -AMOUNT, bank: AMOUNT });
    await shop.hears(payment, [AT_ISSUER, "success"]);
  });

  it("of a payer who failed, brought by everybody at once, is answered with the end too", async () => {
    const payment = await challenged();
    // Nobody is told by the provider, so that whoever brings the result finds it open.
    await shop.control().setNotifyUrl("http://127.0.0.1:9/");
    const fields = readResult(await submitForm(await goDirectly(payment), {}, "Cancel"));
    const answers = await Promise.all(Array.from({ length: 12 }, () => shop.confirm(payment, passedOn(fields))));
    await shop.control().setNotifyUrl(`${service.url()}/provider/sandbox/notifications`);
    expect(answers.map((answer) => stateOf(shown(answer)))).toEqual(answers.map(() => "decline:three_ds_failed"));
  });

  it("is taken again while the provider finishes", async () => {
    await shop.wish("slow_approval", 60_000);
    const { payment, fields } = await authenticated();
    for (const _ of [1, 2]) {
      expect(stateOf(shown(await shop.confirm(payment, passedOn(fields))))).toBe("processing:paid");
    }
    await shop.moveClock(60);
    await shop.until(payment, "success");
  });

  it("is not awaited before there is a challenge, nor at the provider's page, and is after the end", async () => {
    await shop.spoil("create", "error500_before");
    const unsent = await shop.create();
    expect(await confirmFault(unsent)).toEqual([409, "wrong_state"]);
    await shop.wish("plain_redirect");
    const redirected = await shop.until(await shop.create(), "processing:awaiting_redirect_result");
    expect(await confirmFault(redirected)).toEqual([409, "wrong_state"]);
    const abandoned = await challenged();
    await shop.moveClock(601);
    for (const payment of [redirected, abandoned]) {
      await expect.poll(async () => (await shop.info(payment)).status, SOON).toBe("decline");
      const answer = await shop.confirm(payment, { cres: "anything" });
      expect([answer.status, answer.json.status]).toEqual([200, "decline"]);
    }
    expect(await confirmFault({ payment_id: "nobody" })).toEqual([404, "payment_not_found"]);
  });
});

async function confirmFault(payment: { readonly payment_id: string }): Promise<unknown[]> {
  const { status, json } = await shop.confirm(payment, { cres: "anything" });
  return [status, json.code];
}

describe("the payer's browser goes on to the shop", () => {
  const lastReturn = () => shop.returns().at(-1);

  it("by GET with the payment's name and no status, when it came through our page", async () => {
    const payment = await challenged();
    const { ours, shop: page } = await goBack(await typeCodes(await goThroughPage(payment), "1234"));
    expect([ours.status, page.status]).toEqual([303, 200]);
    expect(lastReturn()).toMatchObject({ method: "GET", path: `/return?shop=1&payment_id=${payment.payment_id}` });
  });

  it("by POST with the issuer's word, when the merchant posted it there", async () => {
    const { page, fields } = await authenticated();
    await goBack(page);
    expect(lastReturn()).toMatchObject({ method: "POST", path: "/return?shop=1" });
    expect(postedFields()).toEqual(fields);
  });

  it("by POST with PaRes and MD, of 3-D Secure 1", async () => {
    const { page, fields } = await authenticated("1.0.2");
    await goBack(page);
    expect(Object.keys(postedFields()).sort()).toEqual(["MD", "PaRes"]);
    expect(postedFields()).toEqual(fields);
  });

  it("with nothing that the issuer did not say, and the first of what is said twice", async () => {
    const { fields, returnUrl } = await authenticated();
    const body = new URLSearchParams({ ...fields, status: "success" });
    body.append("cres", "another");
    const answer = await fetch(returnUrl, { method: "POST", body });
    const page: BrowserPage = {
      url: returnUrl,
      status: answer.status,
      text: await answer.text(),
      headers: answer.headers,
    };
    expect(readForm(page).hidden).toEqual(fields);
  });

  it("again and again, when it comes back again after the end", async () => {
    const { payment, page } = await authenticated();
    await goBack(page);
    await goBack(page);
    expect(shop.returns().at(-1)?.method).toBe("POST");
    const late = await openForward(payment);
    expect(late.headers.get("location")).toBe(`${shop.url()}/return?shop=1&payment_id=${payment.payment_id}`);
  });

  it("or reads how it ended, where the shop has no page", async () => {
    const payment = await challenged("2.2.0", { general: { redirect_url: undefined } });
    const issuer = await goThroughPage(payment);
    const codes = await submitForm(issuer, { code: "1234" });
    const end = await submitForm(codes, {});
    expect([end.status, end.text]).toEqual([200, expect.stringContaining("<h1>Payment received</h1>")]);
  });

  function postedFields(): Result {
    return Object.fromEntries(new URLSearchParams(lastReturn()?.rawBody.toString("utf8")));
  }
});

describe("our pages", () => {
  it("say nothing to whoever has no token", async () => {
    for (const token of ["0".repeat(40), "x", "0".repeat(41), "%00"]) {
      const page = await openPage(`${service.url()}/3ds/${token}`);
      expect([page.status, page.text]).toEqual([404, expect.stringContaining("There is no such payment")]);
      expect((await postForm(`${service.url()}/3ds/${token}/return`, { cres: "x" })).status).toBe(404);
    }
  });

  it("load nothing, are kept nowhere, and tell nobody their address", async () => {
    const page = await openForward(await challenged());
    const policy = page.headers.get("content-security-policy") ?? "";
    expect(policy).toMatch(/^default-src 'none'; base-uri 'none'; style-src 'nonce-[^']+'; script-src 'nonce-[^']+'$/);
    expect(page.headers.get("cache-control")).toBe("no-store");
    expect(page.headers.get("referrer-policy")).toBe("strict-origin");
    expect(page.headers.get("x-content-type-options")).toBe("nosniff");
  });

  it("frame the issuer only where it wants to look at the browser", async () => {
    await shop.wish("method_step");
    const page = await openForward(await challenged());
    const issuer = new URL(readForm({ ...page, text: page.text.replace(/<form id="method".*<\/form>/s, "") }).action);
    expect(page.headers.get("content-security-policy")).toContain(`; frame-src ${issuer.origin} 'self'`);
  });
});
