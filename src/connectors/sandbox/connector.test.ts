import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, inject, it, vi } from "vitest";
import type { Notification } from "../../core/connector.ts";
import type { Currency } from "../../core/currency.ts";
import type { Minor } from "../../core/money.ts";
import { Secret } from "../../platform/secret.ts";
import { useTestSandbox } from "../../sandbox/test-sandbox.ts";
import { ASKED_FOR, CUSTOMER } from "../../testing/builders/asked-for.ts";
import { type ConformanceWorld, describeConformance, newReference, type Trouble } from "../conformance.ts";
import { openSandboxConnector, type SandboxConnector } from "./connector.ts";
import { openSandboxControl, type PayoutEnd, type SandboxControl, type SandboxFault } from "./control.ts";

const RUB = "RUB" as Currency;
const PROJECT = "conformance";
/** Amounts whose last two digits make the sandbox do what is wished. */
const PAYIN_AMOUNTS = { usual: 250_000n, no_requisites: 250_005n };
const PAYOUT_AMOUNTS = { usual: 100_003n, declined: 100_001n };
const TROUBLES: Readonly<Record<Trouble, Pick<SandboxFault, "kind" | "ms">>> = {
  timeout: { kind: "slow", ms: 20_000 },
  error500: { kind: "error500_after_success" },
  garbage: { kind: "garbage" },
  reset: { kind: "reset" },
};
const ENDS: Readonly<Record<string, PayoutEnd["status"]>> = {
  approved: "paid",
  declined: "rejected",
  may_have_left: "failed",
  receiver_wrong: "wrong_details",
};
const TIMEOUT_MS = 10_000;
const IMPATIENT_MS = 400;
const HOUR_MS = 3_600_000;

const received: Notification[] = [];
const receiver = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    received.push({ headers: request.headers as Record<string, string>, rawBody: Buffer.concat(chunks) });
    response.end();
  });
});
beforeAll(() => new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve)));
afterAll(() => new Promise((resolve) => receiver.close(resolve)));

const sandbox = useTestSandbox(inject("postgres"), {
  notifyUrl: () => `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`,
});

type Opened = Readonly<Record<"connector" | "impatient" | "unreachable" | "stranger" | "hourLater", SandboxConnector>>;
let opened: Opened | undefined;
let control: SandboxControl | undefined;

beforeAll(() => {
  const options = { baseUrl: sandbox.url(), secret: sandbox.secret, timeoutMs: TIMEOUT_MS };
  opened = {
    connector: openSandboxConnector(options),
    impatient: openSandboxConnector({ ...options, timeoutMs: IMPATIENT_MS }),
    unreachable: openSandboxConnector({ ...options, baseUrl: "http://127.0.0.1:1" }),
    stranger: openSandboxConnector({ ...options, secret: new Secret("another") }),
    hourLater: openSandboxConnector({ ...options, clock: { nowMs: () => Date.now() + HOUR_MS } }),
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

const world: ConformanceWorld = {
  chargesCards: true,
  connector: () => get(opened).connector,
  impatient: () => get(opened).impatient,
  unreachable: () => get(opened).unreachable,
  trouble: async (kind, reference) => done(get(control).addFault({ reference, ...TROUBLES[kind] })),
  troubleBefore: async (reference) => done(get(control).addFault({ reference, kind: "error500_before" })),
  payin: (reference, wish) => ({
    reference,
    projectId: PROJECT,
    method: "card-p2p",
    amount: PAYIN_AMOUNTS[wish] as Minor,
    currency: RUB,
    bank: undefined,
    expiresAt: new Date(Date.now() + 900_000),
    ...ASKED_FOR,
  }),
  payout: (reference, wish) => ({
    reference,
    projectId: PROJECT,
    method: "sbp-p2p",
    amount: PAYOUT_AMOUNTS[wish] as Minor,
    currency: RUB,
    receiver: { type: "phone", phone: "+70000000000", bank: "sberbank" },
    ...CUSTOMER,
  }),
  moneyArrives: (reference, amount) => done(get(control).sendMoney(reference, Number(amount))),
  payoutEnds: (reference, end) => done(get(control).endPayout(reference, { status: ENDS[end] ?? "failed" })),
  payinIsDeclined: (reference) => done(get(control).cancelPayin(reference)),
  listLeft: async (reference) => {
    const page = await get(control).listEntries({ projectId: PROJECT, limit: 1_000 });
    expect(page?.next).toBeNull();
    const left = page?.entries.filter((entry) => entry.direction === "left" && entry.reference === reference) ?? [];
    return left.map(({ amount }) => BigInt(amount) as Minor);
  },
  notifications: {
    connector: () => get(opened).connector,
    stranger: () => get(opened).stranger,
    hourLater: () => get(opened).hourLater,
    takeNotification: async () => {
      const request = world.payin(newReference(), "usual");
      await get(opened).connector.askForRequisites(request);
      await world.moneyArrives(request.reference, request.amount);
      const notification = await vi.waitFor(() => {
        const found = received.find(({ rawBody }) => rawBody.includes(request.reference));
        if (found === undefined) throw new Error("no notification yet");
        return found;
      }, 20_000);
      return { notification, subject: { direction: "payin", reference: request.reference } };
    },
  },
};

async function done(action: Promise<boolean>): Promise<void> {
  expect(await action).toBe(true);
}

describeConformance("sandbox", world);

it("says that a payout came back, once it was paid, and which transfer the bank took back", async () => {
  const { sendPayout, askPayoutState, askForRequisites, askPayinState } = world.connector();
  const payout = world.payout(newReference(), "usual");
  await sendPayout(payout);
  await done(get(control).endPayout(payout.reference, { status: "returned" }));
  expect(await askPayoutState(payout.reference)).toMatchObject({ kind: "pending" });
  await world.payoutEnds(payout.reference, "approved");
  await done(get(control).endPayout(payout.reference, { status: "returned" }));
  expect(await askPayoutState(payout.reference)).toMatchObject({ kind: "returned" });

  const payin = world.payin(newReference(), "usual");
  await askForRequisites(payin);
  await world.moneyArrives(payin.reference, 5n as Minor);
  await world.moneyArrives(payin.reference, 7n as Minor);
  for (let time = 0; time < 2; time += 1) await done(get(control).takeMoneyBack(payin.reference));
  const state = await askPayinState(payin.reference);
  const receipts = state.kind === "open" ? state.receipts : [];
  expect(receipts.map(({ amount, reversed }) => [amount, reversed])).toEqual([
    [5n, undefined],
    [7n, true],
  ]);
});
