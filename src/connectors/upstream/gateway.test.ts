import { createPrivateKey } from "node:crypto";
import { expect, it, vi } from "vitest";
import type { Notification } from "../../core/connector.ts";
import type { Currency } from "../../core/currency.ts";
import type { Minor } from "../../core/money.ts";
import { Secret } from "../../platform/secret.ts";
import { ASKED_FOR, CUSTOMER } from "../../testing/builders/asked-for.ts";
import { rsaKeyOf } from "../../testing/builders/projects.ts";
import { useTestDatabase } from "../../testing/database/test-database.ts";
import { ACCEPT } from "../../testing/http/callback-receiver.ts";
import { useUpstreamGateway } from "../../testing/rigs/upstream-gateway.ts";
import { useTestService } from "../../testing/service/test-service.ts";
import { stateOf } from "../../testing/service/wait-for-payment.ts";
import { newReference } from "../conformance.ts";
import type { CallKey } from "./connector.ts";

/** What the conformance suites do not ask for, told to a whole service. */
const database = useTestDatabase();
const service = useTestService(database);
const gateway = useUpstreamGateway(database, service);

const RUB = "RUB" as Currency;
const SOON = { timeout: 60_000, interval: 50 };
const PAYIN = {
  projectId: "ours",
  method: "card-p2p",
  amount: 250_000n as Minor,
  currency: RUB,
  bank: undefined,
} as const;

/** Ends with 01: the transfer arrives by itself. */
const PAID_ANYWAY = 250_001n as Minor;

function payin(amount: Minor = PAYIN.amount) {
  return { ...PAYIN, ...ASKED_FOR, amount, reference: newReference(), expiresAt: new Date() };
}

async function rsaKeys(): Promise<readonly CallKey[]> {
  const { projectId, credentials } = gateway.client();
  const merchantId = credentials.merchantId as Parameters<typeof rsaKeyOf>[1]["merchantId"];
  const { token, privateKeyPem } = await rsaKeyOf(database.db, { merchantId, projectId, book: "test" });
  await service.settled();
  const pem = Buffer.from(privateKeyPem.reveal());
  const der = createPrivateKey(pem).export({ type: "pkcs8", format: "der" });
  return [pem, der].map((bytes) => ({ kind: "rsa", token, secret: new Secret(bytes) }));
}

it("is understood under both schemes, with a secret or with an RSA key, whichever way that is written", async () => {
  const [pem, der] = await rsaKeys();
  for (const callKeys of [undefined, [pem], [der]]) {
    for (const scheme of [1, 2] as const) {
      const keys = callKeys === undefined ? {} : { callKeys: callKeys.filter((key) => key !== undefined) };
      const { askForRequisites, books } = gateway.connect({ ...keys, settings: { scheme } });
      expect((await askForRequisites(payin())).kind).toBe("pending");
      expect(await books.readBalances()).toContainEqual(expect.objectContaining({ currency: "RUB" }));
    }
  }
});

it("signs with the newest of its keys", async () => {
  const [pem] = await rsaKeys();
  const unknown: CallKey = { kind: "hmac", token: `ak_${"0".repeat(32)}`, secret: new Secret(Buffer.from("x")) };
  const known = pem as CallKey;
  expect(await gateway.connect({ callKeys: [unknown, known] }).books.readBanks()).not.toBeUndefined();
  expect(await gateway.connect({ callKeys: [known, unknown] }).books.readBanks()).toBeUndefined();
});

it("finds its request again though the lifetime has changed since, and takes no other sum for it", async () => {
  const { askForRequisites } = gateway.connect();
  const request = payin();
  await vi.waitFor(async () => expect((await askForRequisites(request)).kind).toBe("issued"), SOON);
  const issued = await askForRequisites(request);
  expect(await askForRequisites({ ...request, lifetimeS: 301 })).toEqual(issued);
  expect(await askForRequisites({ ...request, lifetimeS: 301, amount: 1n as Minor })).toEqual({ kind: "unknown" });
});

it("reads the gateway's books: balances, banks, and what it says of one request", async () => {
  const { askForRequisites, sendPayout, books } = gateway.connect();
  const balance = async () => (await books.readBalances())?.find(({ currency }) => currency === RUB);
  const before = await balance();
  const request = payin(PAID_ANYWAY);
  await askForRequisites(request);
  const entry = () => books.readEntry({ direction: "payin", reference: request.reference });
  await vi.waitFor(async () => expect(await entry()).toMatchObject({ status: "success" }), SOON);
  const fee = 6_250n;
  const told = { kind: "entry", status: "success", word: "success", amount: request.amount, currency: RUB, fee };
  expect(await entry()).toEqual(told);
  expect((await balance())?.amount).toBe((before?.amount ?? 0n) + request.amount - fee);

  const receiver = { type: "card", pan: "4242424242424242", holder: undefined } as const;
  const payout = { ...PAYIN, ...CUSTOMER, method: "card-ecom", amount: 100_003n as Minor, receiver } as const;
  const reference = newReference();
  expect(await sendPayout({ ...payout, reference })).toEqual({ kind: "pending" });
  // A card payout is on another path than a P2P one, and is found all the same.
  expect(await books.readEntry({ direction: "payout", reference })).toMatchObject({ status: "open", amount: 100_003n });
  expect((await balance())?.lockedAmount).toBe(100_003n + 2_500n);
  for (const direction of ["payin", "payout", "charge"] as const) {
    expect(await books.readEntry({ direction, reference: newReference() })).toEqual({ kind: "never_seen" });
  }
  const banks = await books.readBanks();
  expect(banks).toContainEqual({ symbol: "sberbank", name: "Sberbank", sbpCode: "100000000111", countryCode: "RU" });
  expect(banks?.find(({ symbol }) => symbol === "kaspi-bank")).toMatchObject({ sbpCode: undefined, countryCode: "KZ" });
});

it("cascades after a refusal that is certain, and a bank that the gateway does not know is one", async () => {
  const { askForRequisites, sendPayout } = gateway.connect({
    banks: () => ({ toTheirs: () => undefined, toOurs: () => undefined }),
  });
  const withBank = { ...payin(), method: "sbp-p2p", bank: { symbol: "sberbank", required: true } } as const;
  expect(await askForRequisites(withBank)).toEqual({ kind: "none" });
  // More than the account has.
  const receiver = { type: "card", pan: "4242424242424242", holder: undefined } as const;
  const payout = { ...PAYIN, ...CUSTOMER, reference: newReference(), amount: 9_000_000_000_000n as Minor, receiver };
  expect(await sendPayout(payout)).toEqual({ kind: "declined", reason: "insufficient_funds" });
  expect(await gateway.connect().askPayoutState(payout.reference)).toEqual({ kind: "never_seen" });
});

it("takes callbacks for hints in any order, each once; one that was lost comes again", async () => {
  const { readNotification, askForRequisites, askPayinState } = gateway.connect();
  const answers = [500];
  gateway.callbacks().answerWith(() => ({ status: answers.pop() ?? 200 }));
  const request = payin(PAID_ANYWAY);
  await askForRequisites(request);
  const info = () => gateway.client().payinInfo(request.reference);
  await vi.waitFor(async () => expect(stateOf((await info()).json)).toBe("success"), SOON);
  const received = () =>
    gateway.callbacks().received.filter(({ body }) => body.general.payment_id === request.reference);
  // Three changes of state, and the first one's callback twice.
  const sequences = () => received().map(({ body }) => body.event.sequence);
  await vi.waitFor(() => expect(sequences().toSorted()).toEqual([2, 2, 3, 4]), SOON);
  gateway.callbacks().answerWith(ACCEPT);
  const notifications: Notification[] = received().map(({ headers, rawBody }) => ({
    headers: headers as Record<string, string>,
    rawBody,
  }));
  const hint = { ok: true, value: [{ direction: "payin", reference: request.reference }] };
  for (const notification of notifications.toReversed()) expect(readNotification(notification)).toEqual(hint);
  for (const notification of notifications) expect(readNotification(notification)).toEqual({ ok: true, value: [] });
  expect(await askPayinState(request.reference)).toMatchObject({ total: { amount: request.amount } });
});
