import { beforeAll, describe, expect, it, vi } from "vitest";
import { useTestDatabase } from "../../src/testing/database/test-database.ts";
import {
  openTestSandbox,
  ourBooks,
  sandboxBooks,
  type TestSandbox,
} from "../../src/testing/service/test-sandbox-control.ts";
import { useTestService } from "../../src/testing/service/test-service.ts";
import { type Made, usePayShop } from "../browser/pay-shop.ts";
import {
  ASK_EVERY_MS,
  CARDS,
  chargesOf,
  deed,
  payByCard,
  payByTransfer,
  see,
  trailOf,
  untilStep,
} from "./page-payer.ts";

/** A payer of the hosted page who pays at the second try, or at the fifth: one payment, one end, one charge. */
const database = useTestDatabase();
const service = useTestService(database);
const shop = usePayShop(database, service);
const { db } = database;
let sandbox: TestSandbox;

beforeAll(async () => {
  sandbox = await openTestSandbox(db, service);
});

const CALLBACK = { merchant_callback_url: "http://127.0.0.1:9/callbacks" };
const create = (amount = 250_000) => shop.create({ amount, general: CALLBACK });
const trail = (made: Made) => trailOf(db, shop.projectId(), made);
const WAIT = { timeout: 60_000, interval: 20 } as const;

async function attemptsMax(count: number): Promise<void> {
  await db.run({ text: "update projects set payer_attempts = $2 where id = $1", values: [shop.projectId(), count] });
  await service.settled();
}

/** What the sandbox has of the charges of a payment, in their order. */
async function charges(made: Made): Promise<readonly string[]> {
  const { attempts } = await trail(made);
  return chargesOf(
    database.sandboxUrl,
    attempts.map(({ reference }) => reference),
  );
}

async function booksAgree(): Promise<void> {
  await vi.waitFor(async () => expect(await ourBooks(db)).toEqual(await sandboxBooks(sandbox)), WAIT);
}

describe("after a card that was declined", () => {
  it("the payer sees why, pays with another card, and the merchant hears of one end", async () => {
    const made = await create();
    await payByCard(made, CARDS.poor);
    const again = await untilStep(made, "choose");
    expect(again.chance).toEqual({ left: 4, last: { method: "payin-ecom-card", decline_code: "insufficient_funds" } });
    expect(again.actions).toEqual(["choose", "cancel"]);
    await payByCard(made, CARDS.approved);
    await untilStep(made, "success");
    const { choices, attempts, told, state } = await trail(made);
    expect(state).toBe("success");
    expect(told).toEqual(["success"]);
    expect(choices.map(({ number, mask, declineCode }) => [number, mask, declineCode])).toEqual([
      [1, "400000******9995", "insufficient_funds"],
      [2, "424242******4242", null],
    ]);
    expect(choices.every(({ endedAt }) => endedAt !== null)).toBe(true);
    expect(new Set(attempts.map(({ reference }) => reference)).size).toBe(2);
    await booksAgree();
  });

  it("the lifetime goes on, and a try that comes too late is refused", async () => {
    const made = await create();
    const first = (await payByCard(made, CARDS.declined)).json.expires_at;
    await untilStep(made, "choose");
    await payByTransfer(made);
    expect((await untilStep(made, "transfer")).expires_at).toBe(first);
    await deed(made, "change");
    await shop.moveClock(550);
    // Less than a minute is left: no further chance.
    await payByCard(made, CARDS.declined);
    expect((await untilStep(made, "decline")).decline_code).toBe("provider_declined");
    const late = await create();
    await payByCard(late, CARDS.declined);
    await untilStep(late, "choose");
    await shop.moveClock(700);
    expect((await untilStep(late, "decline")).decline_code).toBe("expired");
    expect((await trail(late)).told).toEqual(["decline"]);
  });

  it("and all attempts used up, the payment ends with the last one's reason", async () => {
    await attemptsMax(2);
    try {
      const made = await create();
      await payByCard(made, CARDS.poor);
      expect((await untilStep(made, "choose")).chance?.left).toBe(1);
      await payByCard(made, CARDS.declined);
      expect((await untilStep(made, "decline")).decline_code).toBe("provider_declined");
      expect((await trail(made)).told).toEqual(["decline"]);
    } finally {
      await attemptsMax(5);
    }
  });

  it("a charge that turns approved in spite of its decline is posted and given back, beside the one that counts", async () => {
    const made = await create();
    expect(await sandbox.addFault({ projectId: shop.projectId(), kind: "late_approval", ms: 60_000 })).toBe(true);
    await payByCard(made, CARDS.declined);
    await untilStep(made, "choose");
    await payByCard(made, CARDS.approved);
    await untilStep(made, "success");
    await shop.moveClock(90);
    await vi.waitFor(async () => {
      const { choices, released, suspense } = await trail(made);
      expect([choices[0]?.receivedAmount, released, suspense]).toEqual([250_000n, [true], 0n]);
    }, WAIT);
    expect((await trail(made)).received).toBe("250000");
    await booksAgree();
  });
});

describe("a transfer", () => {
  it("for which there are no requisites leads to another way", async () => {
    const made = await create(250_005);
    await payByTransfer(made);
    const again = await untilStep(made, "choose");
    expect(again.chance?.last).toEqual({ method: "payin-p2p-card", decline_code: "no_requisites" });
    // The same provider is asked again: it is another choice.
    await payByTransfer(made);
    await vi.waitFor(async () => expect((await see(made)).chance?.left).toBe(3), { ...WAIT, interval: ASK_EVERY_MS });
    await payByCard(made, CARDS.approved);
    await untilStep(made, "success");
    expect((await trail(made)).attempts).toHaveLength(3);
  });

  it("that the payer leaves is given back, and its money is counted once and settles nothing", async () => {
    const made = await create(250_002);
    await payByTransfer(made);
    expect((await untilStep(made, "transfer")).actions).toEqual(["confirm", "cancel", "change"]);
    const left = await deed(made, "change");
    expect([left.status, left.json.step, left.json.chance?.last?.decline_code]).toEqual([200, "choose", "cancelled"]);
    // In another tab, and again: what there is now.
    expect((await deed(made, "change")).json.step).toBe("choose");
    await vi.waitFor(async () => expect((await trail(made)).released).toEqual([true]), WAIT);
    const [reference = ""] = (await trail(made)).attempts.map((attempt) => attempt.reference);
    expect(await sandbox.sendMoney(reference, 250_002)).toBe(true);
    await vi.waitFor(async () => expect((await trail(made)).suspense).toBe(250_002n), WAIT);
    expect((await see(made)).step).toBe("choose");
    await payByCard(made, CARDS.approved);
    await untilStep(made, "success");
    expect(await sandbox.sendMoney(reference, 1_000)).toBe(true);
    await vi.waitFor(async () => expect((await trail(made)).suspense).toBe(251_002n), WAIT);
    const { told, received } = await trail(made);
    expect([told.filter((status) => !status.startsWith("processing")), received]).toEqual([["success"], "250002"]);
    await booksAgree();
  });
});

describe("a challenge", () => {
  it("that the payer leaves is ended at the acquirer, and its page changes nothing any more", async () => {
    const made = await create();
    await payByCard(made, CARDS.challenged);
    const challenged = await untilStep(made, "challenge");
    expect(challenged.actions).toEqual(["change"]);
    const left = await deed(made, "change");
    expect([left.status, left.json.step, left.json.chance?.left]).toEqual([200, "choose", 4]);
    await payByCard(made, CARDS.challenged);
    const second = await untilStep(made, "challenge");
    expect(second.challenge_url).not.toBe(challenged.challenge_url);
    for (const back of ["", "/return"]) {
      const old = await fetch(`${challenged.challenge_url}${back}`, { redirect: "manual" });
      expect([old.status, (await old.text()).includes(made.url)]).toEqual([200, true]);
    }
    const forged = new URLSearchParams({ cres: "x" });
    await fetch(`${challenged.challenge_url}/return`, { method: "POST", body: forged });
    expect((await see(made)).step).toBe("challenge");
    await deed(made, "change");
    await payByCard(made, CARDS.approved);
    await untilStep(made, "success");
    expect((await trail(made)).told.filter((status) => !status.startsWith("processing"))).toEqual(["success"]);
    await booksAgree();
  });

  it("that is decided already stays: nothing is charged beside it", async () => {
    const made = await create();
    await payByCard(made, CARDS.challenged);
    await untilStep(made, "challenge");
    const [{ reference = "" } = {}] = (await trail(made)).attempts;
    expect(await sandbox.addFault({ reference, kind: "reset", call: "cancel" })).toBe(true);
    expect((await deed(made, "change")).status).toBe(409);
    expect(await sandbox.endCharge(reference, { status: "approved" })).toBe(true);
    await deed(made, "change");
    await untilStep(made, "success");
    expect((await trail(made)).choices).toHaveLength(1);
  });
});

describe("no new choice is accepted", () => {
  it("while the outcome of a charge is unknown; once it is certain that there was none, the payer chooses again", async () => {
    const made = await create();
    expect(await sandbox.addFault({ projectId: shop.projectId(), kind: "error500_before", call: "create" })).toBe(true);
    await payByCard(made, CARDS.approved);
    await vi.waitFor(async () => expect((await trail(made)).attempts).toHaveLength(1), WAIT);
    for (const pay of [payByCard(made, CARDS.approved), payByTransfer(made), deed(made, "change")])
      expect((await pay).status).toBe(409);
    expect((await see(made)).step).toBe("prepare");
    await shop.moveClock(35);
    await vi.waitFor(async () => expect(await unknownFor(made)).toBe(true), WAIT);
    await shop.moveClock(40);
    await untilStep(made, "choose");
    await payByCard(made, CARDS.approved);
    await untilStep(made, "success");
    expect((await charges(made)).filter((status) => status === "approved")).toHaveLength(1);
    await booksAgree();
  });

  it("from two tabs at once: one is taken, and one charge is made", async () => {
    const made = await create();
    await payByCard(made, CARDS.declined);
    await untilStep(made, "choose");
    const answers = await Promise.all([1, 2, 3, 4].map(() => payByCard(made, CARDS.approved)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
    await untilStep(made, "success");
    expect(await charges(made)).toEqual(["declined", "approved"]);
  });
});

async function unknownFor({ paymentId }: Made): Promise<boolean> {
  const [row] = await db.run<{ known: boolean }>({
    text: "select unknown_since is null as known from payments where payment_id = $1",
    values: [paymentId],
  });
  return row?.known === false;
}
