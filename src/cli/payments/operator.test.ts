import { describe, expect, it } from "vitest";
import { aPayin, aPayout, CONFIRMED, ISSUED, receive, referenceOf } from "../../testing/builders/payments.ts";
import { aProject, credit } from "../../testing/builders/projects.ts";
import { aTriedPage } from "../../testing/builders/tried-page.ts";
import { useTestDatabase } from "../../testing/database/test-database.ts";
import { openCommandLine, outcomesOf } from "../../testing/program/command-line.ts";
import { EXIT } from "../kit/command.ts";

const { db } = useTestDatabase();
const tillgate = openCommandLine(db);
const { print, json, refusal } = outcomesOf(tillgate);
const NOBODY = "0".repeat(32);
/** A reference is good for one movement of a book, so each payment has its own. */
const proofOf = (requestId: string) => ["--reference", `bank-${requestId}`, "--reason", "seen in the statement"];

async function lateMoney(amount: number) {
  const key = await aPayin(db, [...ISSUED, { kind: "cancelled" }]);
  await receive(db, key, amount);
  return key;
}

it("attention is calm where nothing happened", async () => {
  expect(await print("attention")).toBe("Nothing needs attention.");
  expect((await json("attention")).late).toEqual({ count: 0, oldest_s: 0 });
});

describe("pause and resume", () => {
  it("payouts, in words", async () => {
    expect(await print("pause", "payouts", "--reason", "night")).toBe(
      "Payouts of all projects are paused. They are accepted, their money is locked, and they wait. Payouts that were sent continue.",
    );
    expect(await print("pause", "payouts", "--reason", "night")).toBe(
      "Payouts of all projects are paused already, and nothing was changed.",
    );
    expect(await print("attention")).toMatch(
      /^Payouts of all projects are paused by olga since \S+: night → tillgate resume payouts$/,
    );
    const { projectId, requestId } = await aPayout(db);
    await db.run({
      text: "update payments set due_at = now() + interval '1 minute' where request_id = $1",
      values: [requestId],
    });
    expect(await print("attention")).toContain(
      "1 payment, 10.00 RUB (test), of payouts waiting because payouts are paused",
    );
    await print("pause", "payouts", projectId, "--reason", "r");
    expect(await print("resume", "payouts", projectId)).toContain("But payouts of all projects are paused");
    await db.run({
      text: "update payments set due_at = now() + interval '1 hour' where request_id = $1",
      values: [requestId],
    });
    expect(await print("resume", "payouts")).toBe("Payouts of all projects go on. 1 that waited goes on at once.");
    expect(await print("resume", "payouts")).toBe("Payouts of all projects are not paused, and nothing was changed.");
  });

  it("projects, methods and providers", async () => {
    const { projectId } = await aProject(db);
    expect(await print("pause", "project", projectId, "--reason", "r")).toContain("403 project_inactive");
    expect((await json("project", "show", projectId)).status).toBe("paused");
    expect(await json("resume", "project", projectId)).toMatchObject({
      kind: "project",
      project_id: projectId,
      changed: true,
    });
    expect(await print("pause", "method", "card-p2p", "--reason", "r")).toContain("403 method_not_enabled");
    expect(await json("pause", "method", "card-p2p", "--reason", "r")).toEqual({
      kind: "method",
      name: "card-p2p",
      paused: true,
      changed: false,
    });
    await print("resume", "method", "card-p2p");
    expect(await print("pause", "provider", "sandbox", "--reason", "r")).toContain("It gets no new payments;");
    expect(await print("resume", "provider", "sandbox")).toContain("Provider sandbox goes on.");
    expect(await refusal("pause", "project", NOBODY, "--reason", "r")).toBe(`There is no project ${NOBODY}.`);
    expect(await refusal("resume", "payouts", NOBODY)).toBe(`There is no project ${NOBODY}.`);
  });
});

describe("lists", () => {
  it("of payments have pages", async () => {
    const { projectId } = await aProject(db);
    for (let count = 0; count < 3; count += 1) await aPayin(db, [], { projectId, paymentId: `ord-${count}` });
    const first = await json("payment", "list", "--project", projectId, "--limit", "2");
    expect(first.payments.map((each: { payment_id: string }) => each.payment_id)).toEqual(["ord-2", "ord-1"]);
    const second = await json("payment", "list", "--project", projectId, "--limit", "2", "--after", first.next_after);
    expect(second).toMatchObject({
      payments: [{ payment_id: "ord-0", status: "processing", sub_status: "new" }],
      next_after: null,
    });
    const text = await print("payment", "list", "--project", projectId, "--limit", "2");
    expect(text).toMatch(/^REQUEST +TYPE +STATE/);
    expect(text).toContain(`--after ${first.next_after}`);
    expect(await print("payment", "list", "--project", projectId, "--status", "dispute")).toBe("There are none.");
    expect(await refusal("payment", "list", "--project", NOBODY)).toBe(`There is no project ${NOBODY}.`);
  });

  it("of payouts show those that have not ended, the oldest first", async () => {
    const { projectId } = await aProject(db);
    const open = await aPayout(db, ["claimed"], { projectId });
    const ended = await aPayout(db, ["claimed", "approved"], { projectId });
    const fresh = await aPayout(db, [], { projectId });
    const list = async (...words: string[]) =>
      (await json("payout", "list", "--project", projectId, ...words)).payments.map(
        (each: { request_id: string }) => each.request_id,
      );
    expect(await list()).toEqual([open.requestId, fresh.requestId]);
    expect(await list("--all")).toEqual([open.requestId, ended.requestId, fresh.requestId]);
    expect(await list("--status", "success")).toEqual([ended.requestId]);
    const text = await print("payout", "list", "--project", projectId);
    expect(text).toContain(`sandbox   ${await referenceOf(db, open)}`);
    expect(text).toContain("none yet");
  });
});

describe("payment show", () => {
  it("tells the whole story, and nothing that is sealed", async () => {
    const key = await aPayin(db, CONFIRMED, { paymentId: "story" });
    await receive(db, key, 400, "t-77");
    const text = await print("payment", "show", key.requestId);
    for (const part of [
      "state        dispute:different_amount",
      "received     4.00 RUB",
      "in suspense  4.00 RUB",
      "t-77",
      "clearing:sandbox  suspense  4.00 RUB",
      "received_other",
      "https://shop.example/cb",
      "pending",
    ]) {
      expect(text).toContain(part);
    }
    const named = await json("payment", "show", "--project", key.projectId, "--payment-id", "story");
    expect(named).toMatchObject({
      request_id: key.requestId,
      in_suspense: 400,
      receipts: [{ transfer_reference: "t-77", amount: 400 }],
      callbacks: [{ sequence: 2 }, { sequence: 3 }, { sequence: 4 }, { sequence: 5 }],
    });
    for (const name of ["receiver", "requisites", "customer"]) expect(named).not.toHaveProperty(name);
  });

  it("says in words what will happen when", async () => {
    const waiting = await print("payment", "show", (await aPayin(db, ISSUED)).requestId);
    expect(waiting).toMatch(/deadline +in 1[45] min.*: it becomes dispute:no_payment/);
    expect(waiting).toMatch(/lifetime +ends in 1[45] min/);
    const sent = await aPayout(db, ["claimed"]);
    await db.run({
      text: "update payments set unknown_since = now() - interval '90 minutes' where request_id = $1",
      values: [sent.requestId],
    });
    const unknown = await print("payment", "show", sent.requestId);
    expect(unknown).toContain("unknown for 1 h 30 min: the provider has not reported the result");
    expect(unknown).toMatch(/it becomes dispute:payout_timeout/);
    expect(await print("attention")).toContain("1 payment, 10.00 RUB (test), with an unknown outcome");
    expect(await print("payment", "list", "--attention", "unknown")).toContain(sent.requestId);
    await db.run({ text: "update payments set unknown_since = null" });
  });

  it("asks for the direction where two have the name, and knows no others", async () => {
    const payin = await aPayin(db, [], { paymentId: "twice" });
    await aPayout(db, [], { paymentId: "twice", projectId: payin.projectId });
    const name = ["payment", "show", "--project", payin.projectId, "--payment-id", "twice"];
    expect(await refusal(...name)).toContain("Choose one with --direction.");
    expect((await json(...name, "--direction", "payin")).request_id).toBe(payin.requestId);
    expect(await refusal("payment", "show", NOBODY)).toBe("There is no such payment.");
  });
});

describe("payment settle and decline", () => {
  it("end a payment, and say so", async () => {
    const key = await aPayin(db, CONFIRMED);
    expect(await print("payment", "settle", key.requestId, ...proofOf(key.requestId))).toBe(
      `Pay-in ${key.requestId} of 10.00 RUB is success now.`,
    );
    const history = (await json("payment", "show", key.requestId)).history;
    expect(history.at(-1)).toMatchObject({
      actor: "olga",
      detail: `reference bank-${key.requestId}: seen in the statement`,
    });
    const payout = await aPayout(db, ["claimed", "timed_out"]);
    expect(await json("payment", "decline", payout.requestId, ...proofOf(payout.requestId))).toMatchObject({
      status: "decline",
      sub_status: null,
      decline_code: "operator",
    });
  });

  it("say what can be done instead", async () => {
    const refused = (key: { requestId: string }, end: string, proof = proofOf(key.requestId)) =>
      refusal("payment", end, key.requestId, ...proof);
    expect(await refused(await aPayout(db, ["claimed"]), "decline")).toMatch(
      /^The payment is processing:payout_process, so this cannot be done\. The worker is asking its provider\./,
    );
    expect(await refused(await aPayout(db), "settle")).toContain("payment decline cancels it");
    expect(await refused(await aPayin(db, ISSUED), "settle")).toContain("Money that arrives completes it.");
    expect(await refused(await lateMoney(5), "settle")).toContain("see suspense list");
    expect(await refused({ requestId: NOBODY }, "settle")).toBe(`There is no payment ${NOBODY}.`);
    const full = await aPayin(db, CONFIRMED);
    await credit(db, full.projectId, 9_999_999_999_999n);
    expect(await refused(full, "settle")).toContain("The project would hold more than 10000000000000 minor units");
    const twin = await aPayin(db, CONFIRMED, { projectId: (await aProject(db)).projectId });
    const other = await aPayin(db, CONFIRMED, { projectId: twin.projectId });
    await print("payment", "settle", twin.requestId, ...proofOf(twin.requestId));
    expect(await refused(other, "settle", proofOf(twin.requestId))).toContain(
      `Reference bank-${twin.requestId} names another movement of money already.`,
    );
  });
});

describe("suspense", () => {
  it("is listed, assigned once, and returned", async () => {
    const key = await lateMoney(900);
    expect(await json("suspense", "list", "--project", key.projectId)).toMatchObject([
      { request_id: key.requestId, amount: 900, currency: "RUB", state: "decline" },
    ]);
    expect(await print("suspense", "list", "--project", key.projectId)).toContain("assign or return");
    expect(await print("attention")).toContain("in suspense");
    const assign = [
      "suspense",
      "assign",
      key.requestId,
      "--amount",
      "300",
      "--to-balance",
      key.projectId,
      ...proofOf(key.requestId),
    ];
    expect(await print(...assign)).toBe(
      `3.00 RUB out of suspense of payment ${key.requestId} assigned to the balance of project ${key.projectId}, reference bank-${key.requestId}.\n6.00 RUB are left there.`,
    );
    expect(await print(...assign)).toMatch(/^This was done before, and nothing was changed: /);
    expect((await json("balance", "show", key.projectId)).balance).toMatchObject([{ amount: 300 }]);
    const back = ["suspense", "return", key.requestId, "--reference", "r-2", "--reason", "sent back"];
    for (const words of [back.concat("--amount", "600"), ["payment", "settle", key.requestId, ...proofOf("x")]]) {
      const { exitCode, errors } = await tillgate(...words, "--through", "nobody");
      expect(exitCode).toBe(EXIT.usage);
      expect(errors).toContain('There is no provider "nobody". The providers are: sandbox, pool.');
    }
    expect(await json(...back, "--amount", "600", "--through", "sandbox")).toMatchObject({
      kind: "return",
      amount: 600,
      through: "sandbox",
      repeated: false,
    });
    expect(await print("suspense", "list", "--project", key.projectId)).toBe("Nothing is in suspense.");
    expect(await print("payment", "show", key.requestId)).toContain("Moved out of suspense");
  });

  it("explains every refusal", async () => {
    const key = await lateMoney(900);
    const give = (target: readonly string[], amount = "1", from: string = key.requestId) =>
      refusal("suspense", "assign", from, "--amount", amount, ...target, ...proofOf(from));
    const open = await aPayin(db, ISSUED);
    await receive(db, open, 5);
    const own = ["--to-balance", key.projectId];
    expect(await give(own, "1", open.requestId)).toBe(
      "The payment is dispute:different_amount, so its money is still being decided about: settle or decline it first. Nothing was changed.",
    );
    expect(await give(own, "901")).toBe("Only 9.00 RUB stand in suspense under this payment. Nothing was changed.");
    expect(await give(own, "1", NOBODY)).toContain(`There is no payment ${NOBODY}.`);
    expect(await give(["--to-balance", NOBODY])).toContain("There is no such payment or project");
    expect(await give(["--to-balance", (await aProject(db, "live")).projectId])).toContain(
      "Test money and live money never meet.",
    );
    expect(await give(["--to-payment", (await aPayout(db)).requestId])).toContain(
      "Only pay-ins by transfer take money",
    );
    expect(await give(["--to-payment", (await aPayin(db)).requestId])).toContain(
      "is processing:new, and takes no money yet.",
    );
    expect(await give(["--to-payment", key.requestId])).toContain("what has ended stays as it is");
    expect(await refusal("suspense", "list", "--project", NOBODY)).toBe(`There is no project ${NOBODY}.`);
  });
});

describe("project set", () => {
  it("sets limits and routes, and project show shows them", async () => {
    const { projectId } = await aProject(db);
    const limits = ["--limit", "payin:RUB", "--daily-count", "10", "--customer-daily-sum", "5000"];
    await print("project", "set", projectId, ...limits, "--route", "payin:card-p2p=sandbox");
    expect(await json("project", "show", projectId)).toMatchObject({
      limits: [
        {
          direction: "payin",
          currency: "RUB",
          daily_count: 10,
          daily_sum: null,
          customer_daily_count: null,
          customer_daily_sum: 5000,
        },
      ],
      routes: [{ direction: "payin", method: "card-p2p", providers: ["sandbox"] }],
    });
    const text = await print("project", "show", projectId);
    expect(text).toMatch(/payin:RUB +10 +none +none +5000/);
    expect(text).toMatch(/payin:card-p2p +sandbox/);
    const undone = await json(
      "project",
      "set",
      projectId,
      "--limit",
      "payin:RUB",
      "--daily-count",
      "none",
      "--route",
      "payin:card-p2p=none",
    );
    expect(undone).toMatchObject({
      limits: [{ daily_count: null, customer_daily_sum: 5000 }],
      routes: [{ providers: [] }],
    });
    expect(await print("project", "show", projectId)).toContain("No route is chosen: the default is used.");
  });

  it("says how often a payer may choose how to pay: five times unless it says otherwise, and never none", async () => {
    const { projectId } = await aProject(db);
    expect(await json("project", "show", projectId)).toMatchObject({ payer_attempts: 5 });
    expect(await print("project", "set", projectId, "--payer-attempts", "1")).toMatch(/payer-attempts +1/);
    expect(await json("project", "show", projectId)).toMatchObject({ payer_attempts: 1 });
    expect(await print("project", "show", projectId)).toMatch(/payer-attempts +1/);
    for (const wrong of ["0", "11", "2.5", "none"])
      expect((await tillgate("project", "set", projectId, "--payer-attempts", wrong)).errors).toContain(
        "--payer-attempts must be a whole number from 1 to 10.",
      );
    expect(await json("project", "show", projectId)).toMatchObject({ payer_attempts: 1 });
  });

  it("caps the unpaid confirms of a customer: three unless it says otherwise, none for no cap", async () => {
    const { projectId } = await aProject(db, "live");
    expect(await json("project", "show", projectId)).toMatchObject({ unpaid_confirms_max: 3 });
    expect(await print("project", "set", projectId, "--unpaid-confirms", "5")).toMatch(/unpaid-confirms +5/);
    await print("project", "set", projectId, "--unpaid-confirms", "none");
    expect(await json("project", "show", projectId)).toMatchObject({ unpaid_confirms_max: null });
  });

  it("says what an empty list of addresses means, and of origins, which is the opposite", async () => {
    const { projectId } = await aProject(db);
    const text = await print("project", "set", projectId, "--widget-origin", "none", "--allow-ip", "none");
    expect(text).toMatch(/^allow-ip +none \(any address may call\)$/m);
    expect(text).toMatch(/^widget-origin +none \(no other page may show the payment page in a frame\)$/m);
  });

  it("never routes real money to the sandbox", async () => {
    const { projectId } = await aProject(db, "live");
    expect(await refusal("project", "set", projectId, "--route", "payin:card-p2p=sandbox")).toBe(
      "sandbox never sees live money, and this is a live project. Nothing was changed.",
    );
  });

  it("never routes cards to a provider that charges none", async () => {
    const { projectId } = await aProject(db, "live");
    expect(await refusal("project", "set", projectId, "--route", "payin:card-ecom=pool")).toBe(
      "pool cannot serve payin:card-ecom. Nothing was changed.",
    );
  });
});

it("payment show lists the choices of a payment page's payer", async () => {
  const { projectId } = await aProject(db);
  const { requestId } = await aTriedPage(db, projectId);
  const text = await print("payment", "show", requestId);
  expect(text).toMatch(/Choices of the payer\nNUMBER +METHOD +BANK +CARD +CHOSEN +ENDED +DECLINED +LATE MONEY\n/);
  expect(text).toMatch(/\n1 +card-ecom +400000\*{6}9995 +\S+ +\S+ +insufficient_funds/);
  expect(text).toMatch(/\n2 +sbp-p2p +sberbank +\S+ *\n/);
  const time = expect.stringMatching(/Z$/);
  expect((await json("payment", "show", requestId)).choices).toEqual([
    {
      ...{ number: 1, method: "card-ecom", bank: null, card: { pan: "400000******9995", brand: "visa" } },
      ...{ decline_code: "insufficient_funds", late_money: 0, chosen_at: time, ended_at: time },
    },
    {
      ...{ number: 2, method: "sbp-p2p", bank: "sberbank", card: null },
      ...{ decline_code: null, late_money: 0, chosen_at: time, ended_at: null },
    },
  ]);
  const transfer = await aPayin(db, ISSUED, { projectId });
  expect((await json("payment", "show", transfer.requestId)).choices).toEqual([]);
  expect(await print("payment", "show", transfer.requestId)).not.toContain("Choices");
});
