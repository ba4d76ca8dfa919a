import { beforeAll, expect, it, vi } from "vitest";
import type { AuthenticationResult, ThreeDsChallenge } from "../../core/card-acquirer.ts";
import type { Currency } from "../../core/currency.ts";
import type { Minor } from "../../core/money.ts";
import { type BrowserPage, openPage, postForm, readForm, submitForm } from "../../sandbox/test-browser.ts";
import { ASKED_FOR } from "../../testing/builders/asked-for.ts";
import { useTestDatabase } from "../../testing/database/test-database.ts";
import { GATEWAY_FEE_BP, useUpstreamGateway } from "../../testing/rigs/upstream-gateway.ts";
import { useTestService } from "../../testing/service/test-service.ts";
import { newReference } from "../conformance.ts";
import {
  approvedOf,
  type CardConformanceWorld,
  type CardWish,
  challenged,
  type PayerConduct,
  VERSIONS,
} from "../conformance-card-world.ts";
import { describeCardConformance } from "../conformance-cards.ts";
import type { UpstreamConnector } from "./connector.ts";

/** Everything here is told to a whole service, which plays the gateway with the sandbox behind it. */
const database = useTestDatabase();
const service = useTestService(database);
const gateway = useUpstreamGateway(database, service);

const PANS: Readonly<Record<CardWish, string>> = {
  approved: "4242424242424242",
  answered_late: "4100401111100062",
  challenge: "4000000000003220",
  challenge_1: "4111111111111111",
  card_declined: "4000000000000002",
  insufficient_funds: "4000000000009995",
  card_expired: "4000000000000069",
  processing_error: "4000000000000119",
};
/** After half a minute the gateway asks about a charge that it was not answered about. */
const TIME_S = { settled: 31, expiry: 601 } as const;
const IMPATIENT_MS = 400;
const RETURN_URL = "http://127.0.0.1:1/return?token=a";
const SOON = { timeout: 60_000, interval: 50 };

type Opened = Readonly<Record<"connector" | "impatient" | "unreachable" | "byRedirect", UpstreamConnector>>;
let opened: Opened;
beforeAll(() => {
  opened = {
    connector: gateway.connect(),
    impatient: gateway.connect({ settings: { timeoutMs: IMPATIENT_MS } }),
    unreachable: gateway.connect({ baseUrl: "http://127.0.0.1:1" }),
    byRedirect: gateway.connect({ settings: { threeDs: "redirect" } }),
  };
});

const CODES: Readonly<Record<Exclude<PayerConduct, "cancels">, readonly string[]>> = {
  right: ["1234"],
  mistaken_once: ["0000", "1234"],
  wrong: ["0000", "1111", "2222"],
};

async function playIssuer(first: BrowserPage, conduct: PayerConduct): Promise<BrowserPage> {
  let page = first;
  if (conduct === "cancels") return submitForm(page, {}, "Cancel");
  for (const code of CODES[conduct]) page = await submitForm(page, { code });
  return page;
}

async function answerIssuer(challenge: ThreeDsChallenge, conduct: PayerConduct): Promise<BrowserPage> {
  const fields: Record<string, string> =
    challenge.version === "2.2.0"
      ? { creq: challenge.creq, threeDSSessionData: challenge.sessionData }
      : { PaReq: challenge.paReq, MD: challenge.md, TermUrl: challenge.termUrl };
  return playIssuer(await postForm(challenge.acsUrl, fields), conduct);
}

/**
 * What the issuer's page is about to send to the gateway. The gateway would take it to its provider at once, before it sends the
 * browser on to us; a result that it did not see there is what the suite is about.
 */
async function authenticate(challenge: ThreeDsChallenge, conduct: PayerConduct): Promise<AuthenticationResult> {
  const { action, hidden } = readForm(await answerIssuer(challenge, conduct));
  expect(action).toMatch(`${service.url()}/3ds/`);
  return resultOf(hidden);
}

function resultOf(hidden: Readonly<Record<string, string>>): AuthenticationResult {
  return hidden.cres === undefined ? { paRes: hidden.PaRes ?? "", md: hidden.MD ?? "" } : { cres: hidden.cres };
}

const STEPS_MAX = 10;

/** From the gateway's page to wherever its payer ends up, which is our address with the payment's id behind it. */
async function walk(url: string, act: (page: BrowserPage) => Promise<BrowserPage>): Promise<string> {
  let page = await openPage(url);
  for (let step = 0; step < STEPS_MAX; step += 1) {
    const location = page.headers.get("location");
    if (location?.startsWith(RETURN_URL)) return location.replace(/[?&]payment_id=[^&]*$/, "");
    page = location === null ? await act(page) : await openPage(new URL(location, page.url).href);
  }
  throw new Error(`the payer is still at ${page.url}: ${page.text}`);
}

const world: CardConformanceWorld = {
  cards: () => opened.connector.cards,
  canCancel: false,
  cannotReverse: true,
  impatient: () => opened.impatient.cards,
  unreachable: () => opened.unreachable.cards,
  trouble: async (kind, reference) => gateway.proxy().loseAnswer(reference, kind),
  troubleBefore: async (reference) => gateway.proxy().loseCall(reference),
  request: (reference, card) => ({
    reference,
    projectId: "ours",
    merchantName: "Shop",
    amount: 250_000n as Minor,
    currency: "RUB" as Currency,
    card: { pan: PANS[card], cvv: "123", holder: "IVAN IVANOV", expiryMonth: 12, expiryYear: 2040 },
    returnUrl: RETURN_URL,
    browser: undefined,
    expiresAt: new Date(Date.now() + 600_000),
    ...ASKED_FOR,
  }),
  wish: async (reference, kind) => {
    const atSandbox = gateway.sandboxReference("payin", reference);
    expect(await gateway.sandbox().addFault({ reference: atSandbox, kind })).toBe(true);
  },
  letTimePass: (_request, until) => gateway.sandbox().passTime(gateway.client().projectId, TIME_S[until]),
  authenticate,
  visit: (url, conduct) =>
    walk(url, (page) =>
      page.text.includes("<form") ? submitForm(page, {}, conduct === "pays" ? "Pay" : "Cancel") : openPage(page.url),
    ),
  readBooks: async (reference) => {
    const atSandbox = gateway.sandboxReference("payin", reference);
    const page = await gateway.sandbox().listEntries({ projectId: gateway.client().projectId, limit: 1_000 });
    expect(page?.next).toBeNull();
    const own = page?.entries.filter((entry) => entry.reference === atSandbox) ?? [];
    const amounts = (direction: string) =>
      own.filter((entry) => entry.direction === direction).map(({ amount }) => BigInt(amount) as Minor);
    return { arrived: amounts("arrived"), left: amounts("left") };
  },
  waitUntilTold: (reference, times) =>
    vi.waitFor(() => {
      const told = gateway.callbacks().received.filter(({ body }) => body.general.payment_id === reference);
      expect(told.length).toBeGreaterThanOrEqual(times);
      const { headers, rawBody } = told[0] ?? { headers: {}, rawBody: Buffer.of() };
      const read = gateway.connect().readNotification({ headers: headers as Record<string, string>, rawBody });
      expect(read).toEqual({ ok: true, value: [{ direction: "charge", reference }] });
    }, SOON),
  tellsCurrency: true,
  feeOf: (amount) => ((amount * BigInt(GATEWAY_FEE_BP)) / 10_000n) as Minor,
  ways: {
    answers: "later",
    tellsAfterEnd: false,
    judgesAfterEnd: false,
    tellsMethodStep: false,
    // The protocol has one word for whatever the gateway's provider declines.
    tellsReason: (reason) => (reason === "processing_error" ? "card_declined" : reason),
  },
};

describeCardConformance("upstream", world);

it.each(VERSIONS)("gets the issuer's result from the gateway, and the gateway takes it again (%s)", async (card) => {
  const { request, challenge } = await challenged(world, card);
  const atGateway = await submitForm(await answerIssuer(challenge, "right"), {});
  const { action, hidden } = readForm(atGateway);
  expect(action).toBe(RETURN_URL);
  const passed = await world.cards().passAuthentication(request.reference, resultOf(hidden));
  expect(passed).toEqual(approvedOf(world, request));
  expect((await world.readBooks(request.reference)).arrived).toEqual([request.amount]);
});

it.each([
  ["right", "approved"],
  ["wrong", "declined"],
] as const)("takes the payer to the gateway's own page where it is set so (%s code: %s)", async (conduct, kind) => {
  const { cards } = opened.byRedirect;
  const request = world.request(newReference(), "challenge");
  await cards.charge(request);
  const answer = await vi.waitFor(async () => {
    const state = await cards.askChargeState(request.reference);
    if (state.kind !== "redirect") throw new Error(state.kind);
    return state;
  }, SOON);
  let isAtIssuer = false;
  const back = await walk(answer.url, (page) => {
    const isCodePage = page.text.includes('name="code"') && !isAtIssuer;
    isAtIssuer ||= isCodePage;
    return isCodePage ? playIssuer(page, conduct) : submitForm(page, {});
  });
  expect(back).toBe(RETURN_URL);
  await vi.waitFor(async () => expect((await cards.askChargeState(request.reference)).kind).toBe(kind), SOON);
});
