import { beforeAll, expect, vi } from "vitest";
import type { Notification } from "../../core/connector.ts";
import type { Currency } from "../../core/currency.ts";
import type { Minor } from "../../core/money.ts";
import { ASKED_FOR, CUSTOMER } from "../../testing/builders/asked-for.ts";
import { useTestDatabase } from "../../testing/database/test-database.ts";
import { useUpstreamGateway } from "../../testing/rigs/upstream-gateway.ts";
import { useTestService } from "../../testing/service/test-service.ts";
import { stateOf } from "../../testing/service/wait-for-payment.ts";
import { type ConformanceWorld, describeConformance, newReference } from "../conformance.ts";
import type { PayoutEnd, SandboxControl } from "../sandbox/control.ts";
import type { UpstreamConnector } from "./connector.ts";

/** Everything here is told to a whole service, which plays the gateway with the sandbox behind it. */
const database = useTestDatabase();
const service = useTestService(database);
const gateway = useUpstreamGateway(database, service);

const RUB = "RUB" as Currency;
/** Amounts whose last two digits make the gateway's sandbox do what is wished. */
const PAYIN_AMOUNTS = { usual: 250_000n, no_requisites: 250_005n };
const PAYOUT_AMOUNTS = { usual: 100_003n, declined: 100_001n };
const ENDS: Readonly<Record<string, readonly [PayoutEnd["status"], string]>> = {
  approved: ["paid", "success"],
  declined: ["rejected", "decline"],
  may_have_left: ["failed", "dispute:payout_failed"],
  receiver_wrong: ["wrong_details", "dispute:incorrect_requisites"],
};
const IMPATIENT_MS = 400;
const HOUR_MS = 3_600_000;
const SOON = { timeout: 60_000, interval: 50 };

type Opened = Readonly<Record<"connector" | "impatient" | "unreachable" | "stranger" | "hourLater", UpstreamConnector>>;
let opened: Opened;
beforeAll(() => {
  opened = {
    connector: gateway.connect(),
    impatient: gateway.connect({ settings: { timeoutMs: IMPATIENT_MS } }),
    unreachable: gateway.connect({ baseUrl: "http://127.0.0.1:1" }),
    stranger: gateway.connect({ callbackKeys: [] }),
    hourLater: gateway.connect({ clock: { nowMs: () => Date.now() + HOUR_MS } }),
  };
});

/** What is done at the gateway's sandbox reaches the gateway a moment later. */
async function play(action: (sandbox: SandboxControl) => Promise<boolean>): Promise<void> {
  expect(await action(gateway.sandbox())).toBe(true);
}

const world: ConformanceWorld = {
  connector: () => opened.connector,
  impatient: () => opened.impatient,
  unreachable: () => opened.unreachable,
  trouble: async (kind, reference) => gateway.proxy().loseAnswer(reference, kind),
  troubleBefore: async (reference) => gateway.proxy().loseCall(reference),
  payin: (reference, wish) => ({
    reference,
    projectId: "ours",
    method: "card-p2p",
    amount: PAYIN_AMOUNTS[wish] as Minor,
    currency: RUB,
    bank: undefined,
    expiresAt: new Date(Date.now() + 900_000),
    ...ASKED_FOR,
  }),
  payout: (reference, wish) => ({
    reference,
    projectId: "ours",
    method: "card-p2p",
    amount: PAYOUT_AMOUNTS[wish] as Minor,
    currency: RUB,
    receiver: { type: "card", pan: "4242424242424242", holder: undefined },
    ...CUSTOMER,
  }),
  moneyArrives: async (reference, amount) => {
    const received = async () =>
      Number((await gateway.client().payinInfo(reference)).json.payment.received_amount ?? 0);
    const before = await received();
    await play((sandbox) => sandbox.sendMoney(gateway.sandboxReference("payin", reference), Number(amount)));
    await vi.waitFor(async () => expect(await received()).toBe(before + Number(amount)), SOON);
  },
  payoutEnds: async (reference, end) => {
    const [status, state = ""] = ENDS[end] ?? ["failed"];
    const atSandbox = gateway.sandboxReference("payout", reference);
    // The gateway answers before it has sent the payout on, and what the sandbox does not have yet it does not end.
    await vi.waitFor(async () => {
      await play((sandbox) => sandbox.endPayout(atSandbox, { status: status as "failed" }));
      expect(stateOf((await gateway.client().payoutInfo(reference)).json)).toBe(state);
    }, SOON);
  },
  payinIsDeclined: async (reference) => {
    await play((sandbox) => sandbox.cancelPayin(gateway.sandboxReference("payin", reference)));
    const state = async () => stateOf((await gateway.client().payinInfo(reference)).json);
    await vi.waitFor(async () => expect(await state()).toBe("decline"), SOON);
  },
  listLeft: async (reference) => {
    const atSandbox = gateway.sandboxReference("payout", reference);
    const page = await gateway.sandbox().listEntries({ projectId: gateway.client().projectId, limit: 1_000 });
    expect(page?.next).toBeNull();
    const left = page?.entries.filter((entry) => entry.direction === "left" && entry.reference === atSandbox) ?? [];
    return left.map(({ amount }) => BigInt(amount) as Minor);
  },
  notifications: {
    connector: () => opened.connector,
    stranger: () => opened.stranger,
    hourLater: () => opened.hourLater,
    takeNotification: async () => {
      const request = world.payin(newReference(), "usual");
      await opened.connector.askForRequisites(request);
      const notification = await vi.waitFor(() => callbackAbout(request.reference), SOON);
      return { notification, subject: { direction: "payin", reference: request.reference } };
    },
    signs: "values",
  },
  ways: { answers: "later", reports: "totals", tellsAfterEnd: false },
};

function callbackAbout(reference: string): Notification {
  const found = gateway.callbacks().received.find(({ body }) => body.general.payment_id === reference);
  if (found === undefined) throw new Error("no callback yet");
  return { headers: found.headers as Record<string, string>, rawBody: found.rawBody };
}

describeConformance("upstream", world);
