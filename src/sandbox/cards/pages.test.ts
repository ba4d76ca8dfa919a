import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { type Channel, openChannel } from "../../connectors/sandbox/channel.ts";
import { openSandboxControl, type SandboxControl } from "../../connectors/sandbox/control.ts";
import { type BrowserPage, openPage, postForm, readForm, submitForm } from "../test-browser.ts";
import { CARDS, LIFETIME_S, newCharge, RETURN_URL, type WireCharge } from "../test-charge.ts";
import { useTestSandbox } from "../test-sandbox.ts";

const sandbox = useTestSandbox(inject("postgres"));
let channel: Channel;
let control: SandboxControl;
const opened: { close: () => Promise<void> }[] = [];
beforeAll(connect);
afterAll(() => Promise.all(opened.map((each) => each.close())));

function connect(): void {
  const options = { baseUrl: sandbox.url(), secret: sandbox.secret, timeoutMs: 10_000 };
  channel = openChannel(options);
  control = openSandboxControl(options);
  opened.push(channel, control);
}

type State = {
  readonly status: string;
  readonly reason?: string;
  readonly redirect_url: string;
  readonly three_ds: Readonly<Record<string, string>>;
};

async function ask(method: "GET" | "POST", path: string, body?: object): Promise<State> {
  const answer = await channel.ask(method, path, body);
  if (answer.kind === "lost") throw new Error("lost");
  return JSON.parse(answer.body.toString());
}

const sendCharge = (charge: WireCharge): Promise<State> => ask("POST", "/cards/charges", charge);
const stateOf = ({ reference }: WireCharge): Promise<State> => ask("GET", `/cards/charges/${reference}`);
const authenticate = ({ reference }: WireCharge, result: object): Promise<State> =>
  ask("POST", `/cards/charges/${reference}/authenticate`, result);

const SESSION = 'of the shop: "<&>"';

/** A charge whose payer has the issuer's page before him. */
async function challenge(members: object = {}): Promise<{ charge: WireCharge; creq: string; page: BrowserPage }> {
  const charge = newCharge(CARDS.challenge, members);
  const { three_ds } = await sendCharge(charge);
  const creq = three_ds.creq ?? "";
  return { charge, creq, page: await openChallenge(creq) };
}

function openChallenge(creq: string): Promise<BrowserPage> {
  return postForm(`${sandbox.url()}/acs/challenge`, { creq, threeDSSessionData: SESSION });
}

const enter = (page: BrowserPage, code: string): Promise<BrowserPage> => submitForm(page, { code });
const alertOf = ({ text }: BrowserPage): string | undefined => /role="alert"[^>]*>([^<]*)</.exec(text)?.[1];
const transStatusOf = (result: string): string =>
  JSON.parse(Buffer.from(result, "base64url").toString("utf8")).transStatus;

/** What the page takes back to the gateway. */
function resultOf(page: BrowserPage): string {
  const { action, hidden } = readForm(page);
  expect(action).toBe(RETURN_URL);
  expect(hidden.threeDSSessionData).toBe(SESSION);
  return hidden.cres ?? "";
}

describe("the issuer's page", () => {
  it("shows what is paid, and of the card only the ends", async () => {
    const { page } = await challenge({ merchant_name: '<script>"Shop" & Co', amount: 1_234_567_89, currency: "UZS" });
    expect(page.status).toBe(200);
    expect(page.text).toContain("&lt;script&gt;&quot;Shop&quot; &amp; Co");
    expect(page.text).toContain("UZS 1,234,567.89");
    expect(page.text).toContain("4000 00•• •••• 3220");
    expect(page.text.replace(/[^0-9]/g, "")).not.toContain(CARDS.challenge);
    expect((await challenge({ currency: "JPY" })).page.text).toContain("JPY 250,000<");
    expect((await challenge({ currency: "KWD", amount: 5 })).page.text).toContain("KWD 0.005<");
  });

  it.each([
    ["kk-KZ, ru;q=0.8", "kk", "Растау коды", "1\u00a0234\u00a0567,89 UZS"],
    ["de, es;q=0.9", "es", "Código de confirmación", "1.234.567,89 UZS"],
    ["de", "en", "Confirmation code", "UZS 1,234,567.89"],
  ])("speaks the browser's language: %s", async (accepted, language, label, sum) => {
    const { creq } = await challenge({ amount: 1_234_567_89, currency: "UZS" });
    const body = new URLSearchParams({ creq, threeDSSessionData: SESSION });
    const headers = { "accept-language": accepted };
    const answer = await fetch(`${sandbox.url()}/acs/challenge`, { method: "POST", body, headers });
    const page = await answer.text();
    for (const text of [`<html lang="${language}">`, `>${label}</label>`, `>${sum}<`]) expect(page).toContain(text);
    const link = await fetch(`${sandbox.url()}/qr/none`, { headers });
    expect(await link.text()).toContain(`<html lang="${language}">`);
  });

  it("has one field that can be seen, with its label, and Enter presses Confirm", async () => {
    const { page } = await challenge();
    const form = readForm(page);
    expect(form.visible).toEqual(["code"]);
    expect(form.buttons.map(({ label }) => label)).toEqual(["Confirm", "Cancel"]);
    expect(page.text).toContain('<html lang="en">');
    expect(page.text).toContain('<label for="code">');
    expect(page.text).not.toContain("<script");
  });

  it("may load nothing, run nothing but its own, and is kept by nobody", async () => {
    const { page } = await challenge();
    const back = await enter(page, "1234");
    const policies = [page, back].map(({ headers }) => headers.get("content-security-policy") ?? "");
    for (const [index, { headers, text }] of [page, back].entries()) {
      expect(headers.get("cache-control")).toBe("no-store");
      expect(headers.get("content-type")).toBe("text/html; charset=utf-8");
      expect(policies[index]).toMatch(/^default-src 'none'; base-uri 'none'; style-src 'nonce-[^']+'/);
      expect(policies[index]).not.toMatch(/https?:|unsafe|\*/);
      const nonce = /'nonce-([^']+)'/.exec(policies[index] ?? "")?.[1];
      for (const [, given] of text.matchAll(/<(?:script|style) nonce="([^"]+)"/g)) expect(given).toBe(nonce);
    }
    expect(policies[0]).toContain("form-action 'self'");
    expect(policies[0]).not.toContain("script-src");
    expect(policies[1]).toContain("script-src 'nonce-");
    expect(policies[0]?.split("'")[5]).not.toBe(policies[1]?.split("'")[5]);
  });

  it("goes back by itself, or by a button without JavaScript, with the issuer's word", async () => {
    const { charge, page } = await challenge();
    const back = await enter(page, " 1234 ");
    expect(back.text).toMatch(/<script nonce="[^"]+">document\.forms\[0\]\.submit\(\);<\/script>/);
    expect(readForm(back).buttons.map(({ label }) => label)).toEqual(["Continue"]);
    expect(transStatusOf(resultOf(back))).toBe("Y");
    expect(await stateOf(charge)).toMatchObject({ status: "challenge" });
    expect(await authenticate(charge, { cres: resultOf(back) })).toMatchObject({ status: "approved" });
  });

  it("posts to the address that the charge was requested with, whatever TermUrl the browser brings", async () => {
    const { three_ds } = await sendCharge(newCharge(CARDS.challenge1));
    const { pa_req: PaReq = "", md: MD = "", acs_url = "" } = three_ds;
    const page = await postForm(acs_url, { PaReq, MD, TermUrl: "https://evil.invalid/" });
    const { action, hidden } = readForm(await enter(page, "1234"));
    expect([action, hidden.MD, Object.keys(hidden)]).toEqual([RETURN_URL, MD, ["PaRes", "MD"]]);
  });
});

describe("the code", () => {
  it("has three tries; the third wrong one declines", async () => {
    const { charge, page } = await challenge();
    const second = await enter(page, "0000");
    expect(alertOf(second)).toBe("That code is wrong. You have 2 tries left.");
    const third = await enter(second, "12345");
    expect(alertOf(third)).toBe("That code is wrong. This is your last try.");
    expect(await stateOf(charge)).toMatchObject({ status: "challenge" });
    const back = await enter(third, "1233");
    expect(transStatusOf(resultOf(back))).toBe("N");
    expect(await stateOf(charge)).toMatchObject({ status: "declined", reason: "authentication_failed" });
    expect(await authenticate(charge, { cres: resultOf(back) })).toMatchObject({ status: "declined" });
  });

  it("may be forgotten without losing a try", async () => {
    const { page } = await challenge();
    expect(alertOf(await enter(page, "  "))).toBe("Enter the code. You have 3 tries left.");
  });

  it("is counted over a restart, in another browser and on a page loaded anew", async () => {
    const { charge, creq, page } = await challenge();
    await enter(page, "0000");
    await sandbox.restart();
    connect();
    const again = await openChallenge(creq);
    expect(alertOf(again)).toBeUndefined();
    const third = await enter(again, "0000");
    expect(alertOf(third)).toBe("That code is wrong. This is your last try.");
    await enter(third, "0000");
    expect(await stateOf(charge)).toMatchObject({ status: "declined" });
  });

  it("is looked at once for each page that was shown, so that nobody guesses more than three", async () => {
    const { charge, page } = await challenge();
    const guesses = Array.from({ length: 20 }, (_, index) => String(5000 + index));
    const pages = await Promise.all(guesses.map((code) => enter(page, code)));
    expect(pages.filter((each) => alertOf(each)?.startsWith("That code is wrong.")).length).toBe(1);
    const stale = await enter(page, "1234");
    expect(alertOf(stale)).toBe("This page was out of date. Enter the code again. You have 2 tries left.");
    for (const wrong_codes of ["", "x", "-1", "1e0", "99"])
      expect((await postForm(stale.url, { ...readForm(stale).hidden, wrong_codes, code: "1234" })).status).toBe(200);
    expect(await stateOf(charge)).toMatchObject({ status: "challenge" });
    expect(transStatusOf(resultOf(await enter(stale, "1234")))).toBe("Y");
  });
});

describe("a page that comes too late", () => {
  it("shows the result to a second browser, and changes nothing", async () => {
    const { charge, creq, page } = await challenge();
    const result = resultOf(await enter(page, "1234"));
    const late = [
      await openChallenge(creq),
      await enter(page, "0000"),
      await submitForm(page, {}, "Cancel"),
      await enter(page, "1234"),
    ];
    expect(late.map(resultOf)).toEqual(late.map(() => result));
    expect(await authenticate(charge, { cres: result })).toMatchObject({ status: "approved" });
    expect(resultOf(await openChallenge(creq))).toBe(result);
    expect(await stateOf(charge)).toMatchObject({ status: "approved" });
  });

  it("stays cancelled", async () => {
    const { charge, page } = await challenge();
    const result = resultOf(await submitForm(page, {}, "Cancel"));
    expect(resultOf(await enter(page, "1234"))).toBe(result);
    expect(transStatusOf(result)).toBe("N");
    expect(await stateOf(charge)).toMatchObject({ status: "declined", reason: "authentication_failed" });
  });

  it("goes back with what became of a charge that expired, or that a tester ended", async () => {
    const [expired, ended] = [await challenge(), await challenge()];
    await control.moveClock(expired.charge.project_id, LIFETIME_S + 1);
    await control.endCharge(ended.charge.reference, { status: "approved" });
    expect(transStatusOf(resultOf(await enter(expired.page, "1234")))).toBe("N");
    expect(transStatusOf(resultOf(await openChallenge(ended.creq)))).toBe("Y");
    expect(await stateOf(expired.charge)).toMatchObject({ status: "declined", reason: "expired" });
  });

  it("of a charge that the gateway cancelled says so, and takes nothing back", async () => {
    const [open, answered] = [await challenge(), await challenge()];
    const back = await enter(answered.page, "1234");
    for (const { charge } of [open, answered]) await ask("POST", `/cards/charges/${charge.reference}/cancel`);
    for (const page of [
      await openChallenge(open.creq),
      await enter(open.page, "1234"),
      await submitForm(open.page, {}, "Cancel"),
      await openChallenge(answered.creq),
    ]) {
      expect(page.text).toContain("The merchant cancelled this payment by card.");
      expect(page.text).toContain(`href="${RETURN_URL.replaceAll("&", "&amp;")}"`);
      expect(page.text).not.toContain("<form");
    }
    expect(await authenticate(answered.charge, { cres: resultOf(back) })).toMatchObject({ status: "declined" });
    for (const { charge } of [open, answered])
      expect(await stateOf(charge)).toMatchObject({ status: "declined", reason: "cancelled" });
  });
});

describe("whoever brings something else", () => {
  it.each([
    ["nothing", ""],
    ["no token", "creq="],
    ["a made-up token", "creq=eyJtZXNzYWdlVHlwZSI6IkNSZXEifQ"],
    ["a NUL", "creq=%00"],
    ["bytes that are no text", "creq=%ff%fe"],
    ["a token without end", `creq=${"A".repeat(60_000)}`],
    ["a script", "creq=%3Cscript%3E"],
  ])("gets a page that says so: %s", async (_name, body) => {
    for (const path of ["/acs/challenge", "/acs/pareq", "/acs/method"]) {
      const response = await fetch(sandbox.url() + path, { method: "POST", body });
      expect(response.status).toBe(400);
      expect(await response.text()).toContain("Nothing to confirm");
    }
  });

  it("does not get in with a token of the other protocol, or with two", async () => {
    const { creq } = await challenge();
    const { three_ds } = await sendCharge(newCharge(CARDS.challenge1));
    const { pa_req = "" } = three_ds;
    expect((await openChallenge(pa_req)).status).toBe(400);
    expect((await postForm(`${sandbox.url()}/acs/pareq`, { PaReq: creq })).status).toBe(400);
    const doubled = await fetch(`${sandbox.url()}/acs/challenge`, {
      method: "POST",
      body: `creq=${creq}&creq=${creq}`,
    });
    expect(doubled.status).toBe(400);
    for (const path of ["/checkout/abc", "/checkout/%00"]) expect((await fetch(sandbox.url() + path)).status).toBe(404);
    expect((await fetch(`${sandbox.url()}/acs/challenge`)).status).toBe(400);
  });
});

describe("the hidden step", () => {
  async function methodOf(wished: boolean): Promise<{ charge: WireCharge; threeDs: Readonly<Record<string, string>> }> {
    const charge = newCharge(CARDS.challenge);
    if (wished) await control.addFault({ reference: charge.reference, kind: "method_step" });
    return { charge, threeDs: (await sendCharge(charge)).three_ds };
  }

  function post(id: string | undefined, url: string): Promise<BrowserPage> {
    const data = { threeDSServerTransID: id, threeDSMethodNotificationURL: url };
    const threeDSMethodData = Buffer.from(JSON.stringify(data)).toString("base64url");
    return postForm(`${sandbox.url()}/acs/method`, { threeDSMethodData });
  }

  it("posts the transaction back to the gateway, and is remembered", async () => {
    const { charge, threeDs } = await methodOf(true);
    const page = await post(threeDs.method_transaction_id, "https://gateway.invalid/method");
    const { action, hidden } = readForm(page);
    expect(action).toBe("https://gateway.invalid/method");
    const data = JSON.parse(Buffer.from(hidden.threeDSMethodData ?? "", "base64url").toString());
    expect(data).toEqual({ threeDSServerTransID: threeDs.method_transaction_id });
    expect(page.text).toContain("submit();");
    expect((await stateOf(charge)).three_ds.method_completed).toBe(true);
  });

  it("posts to nobody else, and not where it was not asked for", async () => {
    const { threeDs } = await methodOf(true);
    for (const url of ["https://evil.invalid/", "javascript:alert(1)", "nowhere", "http://gateway.invalid/"])
      expect((await post(threeDs.method_transaction_id, url)).status).toBe(400);
    const without = await methodOf(false);
    expect(without.threeDs.method_url).toBeUndefined();
    const creq = JSON.parse(Buffer.from(without.threeDs.creq ?? "", "base64url").toString());
    expect((await post(creq.threeDSServerTransID, "https://gateway.invalid/method")).status).toBe(400);
  });
});

describe("the provider's page", () => {
  async function checkout(): Promise<{ charge: WireCharge; url: string }> {
    const charge = newCharge(CARDS.approved);
    await control.addFault({ reference: charge.reference, kind: "plain_redirect" });
    return { charge, url: (await sendCharge(charge)).redirect_url };
  }

  it("has two buttons and no field, and sends the browser back by GET", async () => {
    const { charge, url } = await checkout();
    const page = await openPage(url);
    expect(readForm(page).visible).toEqual([]);
    expect(readForm(page).buttons.map(({ label }) => label)).toEqual(["Pay", "Cancel"]);
    expect(page.text.replace(/[^0-9]/g, "")).not.toContain(CARDS.approved);
    const back = await submitForm(page, {}, "Pay");
    expect([back.status, back.headers.get("location")]).toEqual([303, RETURN_URL]);
    expect(await stateOf(charge)).toMatchObject({ status: "approved" });
    const again = await openPage(url);
    expect(again.text).toContain("The payment was approved.");
    expect(again.text).toContain(`href="${RETURN_URL.replaceAll("&", "&amp;")}"`);
  });

  it("charges nothing after the expiry, nor for a button that it does not have", async () => {
    const { charge, url } = await checkout();
    const page = await openPage(url);
    expect((await postForm(url, { action: "give" })).status).toBe(303);
    expect(await stateOf(charge)).toMatchObject({ status: "redirect" });
    await control.moveClock(charge.project_id, LIFETIME_S + 1);
    expect((await submitForm(page, {}, "Pay")).status).toBe(303);
    expect(await stateOf(charge)).toMatchObject({ status: "declined", reason: "expired" });
    expect((await openPage(url)).text).toContain("The payment was not made.");
  });
});
