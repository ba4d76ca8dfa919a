import { describe, expect, it } from "vitest";
import type { ChargeWish } from "../../src/connectors/sandbox/control.ts";
import { submitForm } from "../../src/sandbox/test-browser.ts";
import { FEES_BP, type LineOptions, useTwoGateways } from "../../src/testing/rigs/two-gateways.ts";
import { untilBooksAgree } from "../../src/testing/rigs/two-gateways-books.ts";
import { payinBody } from "../../src/testing/service/merchant-client.ts";
import { sandboxBooks } from "../../src/testing/service/test-sandbox-control.ts";
import { playMethodStep, withoutMethodForm } from "./card-payer.ts";
import { authenticate, goToIssuer, goToMethodStep, postToIssuer, press } from "./upstream-cardholder.ts";
import {
  type Counter,
  counterOf,
  endOf,
  type Followed,
  follow,
  openDirectCounter,
  useShopServer,
} from "./upstream-counters.ts";

/** A card that A sends on to B: each of the sandbox's cards, and each way through 3-D Secure, ends as it does at B itself. */
const gateways = useTwoGateways();
const shop = useShopServer();

const PAYIN = "/api/v1/payment/ecom/payin";
const AMOUNT = 250_019;
const CARDS = { challenge: "4000000000003220", challenge1: "4111111111111111", silent: "4100401111100062" } as const;
const AT_ISSUER = "processing:awaiting_3ds_result";
const AT_PROVIDER = "processing:awaiting_redirect_result";
const SOON = { timeout: 60_000, interval: 50 };

type Case = {
  readonly what: string;
  readonly pan: string;
  /** Asked of B's acquirer before the charge. */
  readonly wish?: ChargeWish;
  /** Before the payer does something. */
  readonly waits?: string;
  readonly play?: (payin: Followed, counter: Counter) => Promise<unknown>;
  readonly end: string;
};

async function typeAt(payin: Followed, ...codes: string[]): Promise<void> {
  await authenticate(await goToIssuer(await payin.info()), shop.url(), ...codes);
}

/** Before the acquirer of B is asked again, the money has moved there. */
async function chargedAtBank({ projectAtBank }: Counter): Promise<void> {
  const charged = () => sandboxBooks(gateways.sandbox(), projectAtBank as Counter["client"]["projectId"]);
  await expect.poll(charged, SOON).toEqual({ RUB: BigInt(AMOUNT) });
}

const PAID = { end: "success" } as const;
const declined = (code: string) => ({ end: `decline:${code}` });

const CASES: readonly Case[] = [
  { what: "approved", pan: "4242424242424242", ...PAID },
  { what: "approved", pan: "5555555555554444", ...PAID },
  { what: "approved", pan: "2202208311110010", ...PAID },
  { what: "declined", pan: "4000000000000002", ...declined("provider_declined") },
  { what: "without money", pan: "4000000000009995", ...declined("insufficient_funds") },
  { what: "expired at the issuer", pan: "4000000000000069", ...declined("card_expired") },
  { what: "that cannot be processed", pan: "4000000000000119", ...declined("provider_declined") },
  {
    what: "whose acquirer does not answer until it is asked again",
    pan: CARDS.silent,
    play: async (_payin, counter) => {
      await chargedAtBank(counter);
      await counter.passTime(31);
    },
    ...PAID,
  },
];

/** `redirect_url`: the payer goes through A's page. The walks end at the shop, whichever gateways lie on the way. */
const CHALLENGES: readonly Case[] = [
  { what: "with the right code", pan: CARDS.challenge, play: (payin) => typeAt(payin, "1234"), ...PAID },
  {
    what: "with the right code at last",
    pan: "2200111753579001",
    play: (payin) => typeAt(payin, "1111", "2222", "1234"),
    ...PAID,
  },
  {
    what: "with three wrong codes",
    pan: CARDS.challenge,
    play: (payin) => typeAt(payin, "1111", "2222", "3333"),
    ...declined("three_ds_failed"),
  },
  {
    what: "whose payer cancels",
    pan: CARDS.challenge,
    play: async (payin) => press(await goToIssuer(await payin.info()), shop.url(), "Cancel"),
    ...declined("three_ds_failed"),
  },
  {
    what: "whose payer never comes back",
    pan: CARDS.challenge,
    play: async (payin, { passTime }) => {
      await goToIssuer(await payin.info());
      await passTime(640);
    },
    ...declined("expired"),
  },
  { what: "of 3-D Secure 1", pan: CARDS.challenge1, play: (payin) => typeAt(payin, "1234"), ...PAID },
];

const POSTED: readonly Case[] = (["challenge", "challenge1"] as const).map((card) => ({
  what: "posted to the issuer by the shop",
  pan: CARDS[card],
  waits: AT_ISSUER,
  play: async (payin) => authenticate(await postToIssuer(await payin.info()), shop.url(), "1234"),
  ...PAID,
}));

const ON_PAGE: readonly Case[] = [
  {
    what: "paid on the provider's page",
    pan: "4242424242424242",
    wish: "plain_redirect",
    waits: AT_PROVIDER,
    play: async (payin) => press(await goToIssuer(await payin.info()), shop.url(), "Pay"),
    ...PAID,
  },
  {
    what: "given up on the provider's page",
    pan: "4242424242424242",
    wish: "plain_redirect",
    waits: AT_PROVIDER,
    play: async (payin) => press(await goToIssuer(await payin.info()), shop.url(), "Cancel"),
    ...declined("cancelled"),
  },
];

const WITH_METHOD_STEP: Case = {
  what: "whose issuer looks at the browser first",
  pan: CARDS.challenge,
  wish: "method_step",
  play: async (payin) => {
    const page = await goToMethodStep(await payin.info());
    expect((await playMethodStep(page)).text).toContain("postMessage('method-done'");
    await authenticate(await submitForm(withoutMethodForm(page), {}), shop.url(), "1234");
  },
  ...PAID,
};

function cardBody(projectId: string, pan: string): object {
  const card = { pan, cvv: "987", card_holder: "OLGA SERGEEVA", expiry_month: 11, expiry_year: 2041 };
  const payment = { method: "card-ecom", amount: AMOUNT };
  return { ...payinBody(projectId, { general: shop.urls(), payment }), card };
}

async function pay(counter: Counter, { pan, wish, waits, play, end }: Case): Promise<Followed> {
  const { client, projectAtBank: projectId } = counter;
  if (wish !== undefined) expect(await gateways.sandbox().addFault({ projectId, kind: wish })).toBe(true);
  const { status, json } = await client.post(PAYIN, cardBody(client.projectId, pan));
  expect([status, json.code]).toEqual([200, undefined]);
  const payin = follow(counter, PAYIN, json);
  if (waits !== undefined) await payin.reaches(waits);
  await play?.(payin, counter);
  await payin.reaches(end);
  return payin;
}

/** At B first; then at A, whose states on the way may have other names where the payer goes through B's page. */
async function payAtBoth(each: Case, options: LineOptions, waitsAtA: string | undefined): Promise<void> {
  const line = await gateways.openLine(options);
  const [direct, through] = [await openDirectCounter(gateways), counterOf(gateways, line)];
  const waitsAtB = each.waits ?? (waitsAtA === undefined ? undefined : AT_ISSUER);
  const atB = await pay(direct, { ...each, ...(waitsAtB === undefined ? {} : { waits: waitsAtB }) });
  const atA = await pay(through, { ...each, ...(waitsAtA === undefined ? {} : { waits: waitsAtA }) });
  expect(endOf(await atA.info())).toEqual(endOf(await atB.info()));
  const heardAtB = await shop.hears(direct, atB.created, each.end);
  const expected = heardAtB.map((state) => (state === waitsAtB ? (waitsAtA ?? state) : state));
  expect(await shop.hears(through, atA.created, each.end)).toEqual(expected);
  const fee = Math.round((AMOUNT * FEES_BP.b) / 10_000);
  expect(await untilBooksAgree(gateways, line)).toEqual(each.end === "success" ? { RUB: BigInt(AMOUNT - fee) } : {});
}

describe.concurrent("a card", () => {
  it.each(CASES)("$what: $pan → $end, at A as at B", (each) => payAtBoth(each, {}, undefined));
});

describe.concurrent("a card whose payer A takes to the issuer", () => {
  it.each([...CHALLENGES, ...POSTED])("$what: $pan → $end, at A as at B", (each) =>
    payAtBoth(each, { settings: { threeDs: "challenge" } }, AT_ISSUER),
  );

  it.each(ON_PAGE)("$what: $pan → $end, at A as at B", (each) => payAtBoth(each, {}, AT_PROVIDER));
});

describe.concurrent("a card whose payer goes to the issuer through B's page", () => {
  it.each([...CHALLENGES, WITH_METHOD_STEP])("$what: $pan → $end, at A as at B", (each) =>
    payAtBoth(each, { settings: { threeDs: "redirect" } }, AT_PROVIDER),
  );
});

describe("a card of the sandbox on a live project", () => {
  it("is refused unless the provider is one for rehearsals", async () => {
    const line = await gateways.openLine({ settings: { testCards: false } });
    const answer = await line.shop.post(PAYIN, cardBody(line.shop.projectId, "4242424242424242"));
    expect([answer.status, answer.json.code]).toEqual([422, "test_card_on_live_project"]);
  });

  it("and a test project of A can use a provider of the test book", async () => {
    const each = { what: "approved", pan: "4242424242424242", ...PAID };
    await payAtBoth(each, { book: "test", settings: { testCards: false } }, undefined);
  });
});
