import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, inject, it, vi } from "vitest";
import type { AuthenticationResult, ThreeDsChallenge } from "../../core/card-acquirer.ts";
import type { Currency } from "../../core/currency.ts";
import type { Minor } from "../../core/money.ts";
import { type BrowserPage, openPage, postForm, readForm, submitForm } from "../../sandbox/test-browser.ts";
import { useTestSandbox } from "../../sandbox/test-sandbox.ts";
import { ASKED_FOR } from "../../testing/builders/asked-for.ts";
import { newReference, type Trouble } from "../conformance.ts";
import type { CardConformanceWorld, CardWish, PayerConduct } from "../conformance-card-world.ts";
import { describeCardConformance } from "../conformance-cards.ts";
import { openSandboxConnector, type SandboxConnector } from "./connector.ts";
import { openSandboxControl, type SandboxControl, type SandboxFault } from "./control.ts";

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
const TROUBLES: Readonly<Record<Trouble, Pick<SandboxFault, "kind" | "ms">>> = {
  timeout: { kind: "slow", ms: 20_000 },
  error500: { kind: "error500_after_success" },
  garbage: { kind: "garbage" },
  reset: { kind: "reset" },
};
const LIFETIME_S = 600;
const TIME_S = { settled: 10, expiry: LIFETIME_S + 1 } as const;
const TIMEOUT_MS = 10_000;
const IMPATIENT_MS = 400;
const RETURN_URL = "http://127.0.0.1:1/return?token=a&b=%22";

const told: string[] = [];
const receiver = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    const read = get(opened).connector.readNotification({
      headers: request.headers as Record<string, string>,
      rawBody: Buffer.concat(chunks),
    });
    const charges = read.ok ? read.value.filter(({ direction }) => direction === "charge") : [];
    told.push(...charges.map(({ reference }) => reference));
    response.end();
  });
});
beforeAll(() => new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve)));
afterAll(() => new Promise((resolve) => receiver.close(resolve)));

const sandbox = useTestSandbox(inject("postgres"), {
  notifyUrl: () => `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`,
});
let opened: Readonly<Record<"connector" | "impatient" | "unreachable", SandboxConnector>> | undefined;
let control: SandboxControl | undefined;
beforeAll(() => {
  const options = { baseUrl: sandbox.url(), secret: sandbox.secret, timeoutMs: TIMEOUT_MS };
  opened = {
    connector: openSandboxConnector(options),
    impatient: openSandboxConnector({ ...options, timeoutMs: IMPATIENT_MS }),
    unreachable: openSandboxConnector({ ...options, baseUrl: "http://127.0.0.1:1" }),
  };
  control = openSandboxControl(options);
});
afterAll(async () => {
  await Promise.all([...Object.values(opened ?? {}), control].map((each) => each?.close()));
});

function get<T>(value: T | undefined): T {
  if (value === undefined) throw new Error("opened before the tests");
  return value;
}

async function done(action: Promise<boolean>): Promise<void> {
  expect(await action).toBe(true);
}

function openChallenge(challenge: ThreeDsChallenge): Promise<BrowserPage> {
  const fields: Record<string, string> =
    challenge.version === "2.2.0"
      ? { creq: challenge.creq, threeDSSessionData: challenge.sessionData }
      : { PaReq: challenge.paReq, MD: challenge.md, TermUrl: challenge.termUrl };
  return postForm(challenge.acsUrl, fields);
}

const CODES: Readonly<Record<Exclude<PayerConduct, "cancels">, readonly string[]>> = {
  right: ["1234"],
  mistaken_once: ["0000", "1234"],
  wrong: ["0000", "1111", "2222"],
};

async function authenticate(challenge: ThreeDsChallenge, conduct: PayerConduct): Promise<AuthenticationResult> {
  let page = await openChallenge(challenge);
  if (conduct === "cancels") page = await submitForm(page, {}, "Cancel");
  else for (const code of CODES[conduct]) page = await submitForm(page, { code });
  const { action, hidden } = readForm(page);
  expect(action).toBe(RETURN_URL);
  if (challenge.version === "2.2.0") {
    expect(hidden.threeDSSessionData).toBe(challenge.sessionData);
    return { cres: hidden.cres ?? "" };
  }
  return { paRes: hidden.PaRes ?? "", md: hidden.MD ?? "" };
}

const world: CardConformanceWorld = {
  cards: () => get(opened).connector.cards,
  canCancel: true,
  impatient: () => get(opened).impatient.cards,
  unreachable: () => get(opened).unreachable.cards,
  trouble: (kind, reference) => done(get(control).addFault({ reference, ...TROUBLES[kind] })),
  troubleBefore: (reference) => done(get(control).addFault({ reference, kind: "error500_before" })),
  request: (reference, card) => ({
    reference,
    // A project, so a clock, of its own.
    projectId: `p${reference.slice(1)}`,
    merchantName: "Shop <b>of</b> Tests",
    amount: 250_000n as Minor,
    currency: "RUB" as Currency,
    card: { pan: PANS[card], cvv: "123", holder: "IVAN IVANOV", expiryMonth: 12, expiryYear: 2040 },
    returnUrl: RETURN_URL,
    browser: undefined,
    expiresAt: new Date(Date.now() + LIFETIME_S * 1000),
    ...ASKED_FOR,
  }),
  wish: (reference, kind) => done(get(control).addFault({ reference, kind })),
  letTimePass: (request, until) => done(get(control).moveClock(request.projectId, TIME_S[until])),
  authenticate,
  visit: async (url, conduct) => {
    const page = await openPage(url);
    expect(page.status).toBe(200);
    const back = page.text.includes("<form")
      ? await submitForm(page, {}, conduct === "pays" ? "Pay" : "Cancel")
      : await postForm(url, { action: conduct === "pays" ? "pay" : "cancel" });
    expect(back.status).toBe(303);
    return back.headers.get("location") ?? "";
  },
  readBooks: async (reference) => {
    const page = await get(control).listEntries({ projectId: `p${reference.slice(1)}`, limit: 1_000 });
    const amounts = (direction: string) =>
      (page?.entries ?? [])
        .filter((entry) => entry.direction === direction)
        .map(({ amount }) => BigInt(amount) as Minor);
    return { arrived: amounts("arrived"), left: amounts("left") };
  },
  waitUntilTold: (reference, times) =>
    vi.waitFor(() => expect(told.filter((each) => each === reference)).toHaveLength(times), 20_000),
};

describeCardConformance("sandbox", world);

it("is one connector for everything: the requests of the other products do not see the charges", async () => {
  const request = world.request(newReference(), "approved");
  await world.cards().charge(request);
  expect(await get(opened).connector.askPayinState(request.reference)).toEqual({ kind: "never_seen" });
});
