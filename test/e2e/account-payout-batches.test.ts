import { beforeAll, describe, expect, it } from "vitest";
import type { Id } from "../../src/core/ids.ts";
import type { Role } from "../../src/core/people/rights.ts";
import { newId } from "../../src/platform/new-id.ts";
import {
  type AccountClient,
  type AccountReply,
  aMember,
  openAccountClient,
  sessionOf,
} from "../../src/testing/account-client.ts";
import { aProject } from "../../src/testing/builders/projects.ts";
import { useTestDatabase } from "../../src/testing/database/test-database.ts";
import { useTestService } from "../../src/testing/service/test-service.ts";

/** Payouts by hand through the account's door, with the sandbox as the provider that pays them. */
const database = useTestDatabase();
const service = useTestService(database);
const { db } = database;

let merchantId: Id;
let projectId: Id;
let author: AccountClient;
let owner: AccountClient;

beforeAll(async () => {
  projectId = service.sandbox().project_id as Id;
  const [row] = await db.run<{ merchantId: Id }>({
    text: `select merchant_id as "merchantId" from projects where id = $1`,
    values: [projectId],
  });
  merchantId = row?.merchantId ?? projectId;
  author = await signedIn("accountant");
  owner = await signedIn("owner");
});

async function signedIn(role: Role, steppedUp = true): Promise<AccountClient> {
  const member = await aMember(db, merchantId, role);
  return openAccountClient(service.url(), (await sessionOf(db, member, { steppedUp })).token);
}

const PAYOUT = { method: "card-p2p", currency: "RUB", amount: "15.50", pan: "4242424242424242" };

function checkFile(text: string, name = "pay.csv", by = author): Promise<AccountReply> {
  return by.post("payout-batches/check", { project_id: projectId, file: { name, text } });
}

function checkForm(payout: object, by = author): Promise<AccountReply> {
  return by.post("payout-batches/check", { project_id: projectId, payout });
}

async function aChecked(payout: object = PAYOUT): Promise<string> {
  const { json } = await checkForm(payout);
  expect(json).toMatchObject({ result: "checked" });
  return json.id;
}

async function stateOf(id: string): Promise<string> {
  return (await author.get(`payout-batches/${id}`)).json.batch.state;
}

async function setLimit(amount: number | null): Promise<void> {
  expect((await owner.post("payout-approval", { currency: "RUB", amount })).status).toBe(200);
}

function codeOf({ status, json }: AccountReply): string {
  return status === 200 ? "ok" : json.error.code;
}

describe("a form", () => {
  it("becomes one payout, which the account shows with the person who made it", async () => {
    const id = await aChecked({ ...PAYOUT, description: "<b>prize</b>" });
    const draft = (await author.get(`payout-batches/${id}`)).json;
    expect(draft).toMatchObject({
      batch: { state: "checked", source: "form", book: "test", row_count: 1, totals: [{ amount: 1550, fee: 16 }] },
      rows: [{ line: 1, amount: 1550, receiver: "424242******4242", state: "waiting", description: "<b>prize</b>" }],
      may: { confirm: true, withdraw: true, decide: false, retry: false },
    });
    expect(JSON.stringify(draft)).not.toContain("4242424242424242");
    const plain = openAccountClient(service.url(), (await sessionOf(db, await aMember(db, merchantId, "owner"))).token);
    expect(codeOf(await plain.post(`payout-batches/${id}/confirm`))).toBe("step_up_required");
    // Of another person: only the author confirms.
    expect(codeOf(await owner.post(`payout-batches/${id}/confirm`))).toBe("forbidden");
    expect((await author.post(`payout-batches/${id}/confirm`)).json).toEqual({ state: "making" });
    expect(codeOf(await author.post(`payout-batches/${id}/confirm`))).toBe("wrong_state");
    await expect.poll(() => stateOf(id)).toBe("done");
    await expect
      .poll(async () => (await author.get(`payout-batches/${id}`)).json.rows[0].payment?.status, { timeout: 20_000 })
      .toBe("success");
    const [row] = (await author.get(`payout-batches/${id}`)).json.rows;
    const { json: payment } = await author.get(`payments/${row.request_id}`);
    expect(payment).toMatchObject({
      payment: { payment_id: row.payment_id, description: "<b>prize</b>", amount: 1550 },
      made_by: { batch_id: id, author: "The accountant", approved_by: null },
      requisites: { type: "card", value: "424242******4242" },
    });
    const lines = (await owner.get("audit")).json.lines.filter((line: { subject: string }) => line.subject === id);
    expect(lines.map((line: { action: string }) => line.action)).toEqual([
      "payout_batch.confirm",
      "payout_batch.check",
    ]);
    expect(lines[0]).toMatchObject({ before: { state: "checked" }, after: { state: "making", sums: ["15.50 RUB"] } });
    expect(service.logLines().join()).not.toContain("4242424242424242");
  });

  it("says what is wrong with each field, and stores nothing", async () => {
    const count = async () =>
      (await db.run<{ n: number }>({ text: "select count(*)::int as n from payout_batches" }))[0]?.n;
    const before = await count();
    const faultsOf = async (payout: object) =>
      (await checkForm(payout)).json.faults.map(
        (fault: { column: string; code: string }) => `${fault.column} ${fault.code}`,
      );
    expect(await faultsOf({})).toEqual(["amount required", "method required", "currency required"]);
    expect(await faultsOf({ ...PAYOUT, pan: "4242 4242", amount: "1,555" })).toEqual([
      "amount bad_amount",
      "pan bad_format",
    ]);
    expect(await faultsOf({ ...PAYOUT, pan: "4242424242424243" })).toEqual(["pan card_invalid"]);
    expect(await faultsOf({ ...PAYOUT, method: "ussd" })).toEqual(["method not_allowed"]);
    expect(await faultsOf({ ...PAYOUT, currency: "USD" })).toEqual(["method method_not_enabled"]);
    expect(await faultsOf({ ...PAYOUT, phone: "+79001234567" })).toEqual(["phone unknown_member"]);
    const sbp = { method: "sbp-p2p", currency: "RUB", amount: "10", phone: "+79001234567" };
    expect(await faultsOf(sbp)).toEqual(["bank required"]);
    expect(await faultsOf({ ...sbp, bank: "no-such-bank" })).toEqual(["bank bank_unknown"]);
    expect((await checkForm({ ...sbp, bank: "sberbank" })).json.result).toBe("checked");
    expect(await count()).toBe((before ?? 0) + 1);
    for (const body of [
      {},
      { project_id: projectId },
      { project_id: projectId, payout: PAYOUT, file: { name: "x", text: "" } },
      { project_id: projectId, payout: { colour: "red" } },
    ])
      expect(codeOf(await author.post("payout-batches/check", body))).toBe("validation_failed");
  });

  it("offers the methods and banks of the project, and is not found for another merchant's", async () => {
    const { json } = await author.get(`payout-options?project=${projectId}`);
    const sbp = json.methods.find((each: { method: string }) => each.method === "sbp-p2p");
    expect(sbp).toMatchObject({ currency: "RUB", required: ["phone", "bank"], min: 1 });
    expect(sbp.banks).toContain("sberbank");
    expect(json.banks.length).toBeGreaterThan(sbp.banks.length);
    const other = await aProject(db);
    await service.settled();
    for (const id of [other.projectId, newId(), "x"]) {
      expect((await author.get(`payout-options?project=${id}`)).status).toBe(404);
      expect((await author.post("payout-batches/check", { project_id: id, payout: PAYOUT })).status).toBe(404);
      expect((await author.get(`payout-batches?project=${id}`)).status).toBe(404);
    }
  });
});

describe("a file", () => {
  it("is judged whole: one wrong row, and nothing is stored", async () => {
    const rows = Array.from({ length: 250 }, () => "card-p2p,RUB,x,1");
    const { json } = await checkFile(
      `method,currency,amount,pan\ncard-p2p,RUB,1,4242424242424242\n${rows.join("\n")}\n`,
    );
    expect(json).toMatchObject({ result: "faults", fault_count: 500 });
    expect(json.faults).toHaveLength(200);
    expect(json.faults[0]).toMatchObject({ line: 3, column: "amount", code: "bad_amount" });
    const twins = await checkFile(
      `payment_id,method,currency,amount,pan\n${["a", "b", "a"].map((id) => `${id},card-p2p,RUB,1,4242424242424242`).join("\n")}`,
    );
    expect(twins.json.faults).toEqual([
      { line: 4, column: "payment_id", code: "repeated_payment_id", message: "is the payment_id of line 2 already" },
    ]);
  });

  it("is paid row by row, shows each result, and what was refused can be retried without paying anything twice", async () => {
    // The second is more than the sandbox's project has.
    const text = ["10.00", "9999999.00", "30.00"]
      .map((amount, n) => `order-${n},card-p2p,RUB,${amount},4242424242424242,=cmd${n}`)
      .join("\n");
    const { json } = await checkFile(`payment_id,method,currency,amount,pan,description\n${text}`, "=pay.csv");
    const { id } = json;
    const { json: view } = await author.get(`payout-batches/${id}`);
    expect(view.available[0].amount).toBeLessThan(view.batch.totals[0].amount);
    await author.post(`payout-batches/${id}/confirm`);
    await expect.poll(() => stateOf(id)).toBe("done");
    const done = (await author.get(`payout-batches/${id}`)).json;
    expect(done.rows.map((row: { state: string; error_code: string }) => [row.state, row.error_code])).toEqual([
      ["made", null],
      ["refused", "insufficient_balance"],
      ["made", null],
    ]);
    expect(done.batch.progress).toEqual({ waiting: 0, made: 2, refused: 1, failed: 0 });
    const refused = (await author.get(`payout-batches/${id}?state=refused`)).json;
    expect(refused.rows.map((row: { line: number }) => row.line)).toEqual([3]);
    const csv = await author.get(`payout-batches/${id}/results.csv`);
    expect(csv.headers["content-disposition"]).toContain("payout-results.csv");
    const lines = String(csv.json).trim().split("\r\n");
    expect(lines).toHaveLength(4);
    expect(lines[2]).toMatch(
      /^3,order-1,refused,,,,card-p2p,RUB,9999999\.00,424242\*{6}4242,,'=cmd1,insufficient_balance,/,
    );
    expect(String(csv.json)).not.toContain("4242424242424242");

    // The same file again shows what it made.
    expect((await checkFile(`payment_id,method,currency,amount,pan,description\n${text}`)).json).toEqual({
      result: "same_file",
      id,
    });
    // Another file with an id that is paid.
    const again = await checkFile(`payment_id,method,currency,amount,pan\norder-0,card-p2p,RUB,1,4242424242424242`);
    expect(again.json.faults).toMatchObject([{ line: 2, column: "payment_id", code: "payment_id_taken" }]);
    const retry = (await author.post(`payout-batches/${id}/retry`)).json;
    expect(retry.result).toBe("checked");
    const draft = (await author.get(`payout-batches/${retry.id}`)).json;
    expect(draft.batch).toMatchObject({ source: "retry", row_count: 1 });
    expect(draft.rows).toMatchObject([{ line: 3, payment_id: "order-1", amount: 999_999_900, description: "=cmd1" }]);
    expect(codeOf(await author.post(`payout-batches/${retry.id}/retry`))).toBe("wrong_state");
    await author.post(`payout-batches/${retry.id}/withdraw`);
  });

  it("may be as large as promised and no larger, and its body is not read of a stranger", async () => {
    const head = "method,currency,amount,pan,description\n";
    const row = `card-p2p,RUB,1.00,4242424242424242,${"x".repeat(200)}\n`;
    const { json } = await checkFile(head + row.repeat(10_000));
    expect(json).toMatchObject({ result: "checked" });
    const view = (await author.get(`payout-batches/${json.id}`)).json;
    expect(view).toMatchObject({
      batch: { row_count: 10_000, totals: [{ amount: 1_000_000 }] },
      repeated_count: 9_999,
    });
    expect(view.rows).toHaveLength(50);
    const next = (await author.get(`payout-batches/${json.id}?cursor=${view.next}`)).json;
    expect(next.rows[0].line).toBe(52);
    expect((await checkFile(head + row.repeat(10_001))).json.faults).toMatchObject([{ code: "too_many_rows" }]);
    const large = await checkFile(`${head}card-p2p,RUB,1,4242424242424242,${"я".repeat(3 * 1024 * 1024)}`);
    expect(large.json.faults).toMatchObject([{ code: "too_large" }]);
    const stranger = await openAccountClient(service.url()).post("payout-batches/check", {
      file: { text: "x".repeat(2 ** 21) },
    });
    expect([stranger.status, stranger.json.error.code]).toEqual([401, "not_signed_in"]);
    // Every other route still takes forms only.
    expect((await author.post("payout-approval", { currency: "x".repeat(40_000) })).json.error.code).toBe(
      "malformed_json",
    );
  });
});

describe("approval", () => {
  it("waits for another person above the limit, who is told on the overview, and approves", async () => {
    await setLimit(1_000);
    expect((await author.get("payout-approval")).json).toMatchObject({ limits: [{ currency: "RUB", amount: 1_000 }] });
    const id = await aChecked();
    expect((await author.get(`payout-batches/${id}`)).json).toMatchObject({
      exceeded: [{ currency: "RUB", limit: 1_000 }],
      approver_count: expect.any(Number),
    });
    expect((await author.post(`payout-batches/${id}/confirm`)).json).toEqual({ state: "awaiting_approval" });
    const { attention } = (await owner.get("overview")).json;
    expect(attention).toContainEqual(expect.objectContaining({ kind: "waiting_batches", count: 1 }));
    expect(codeOf(await author.post(`payout-batches/${id}/approve`))).toBe("forbidden");
    expect((await owner.get(`payout-batches/${id}`)).json.may).toMatchObject({ decide: true, withdraw: false });
    expect((await owner.post(`payout-batches/${id}/approve`)).json).toEqual({ state: "making" });
    await expect.poll(() => stateOf(id)).toBe("done");
    const [row] = (await author.get(`payout-batches/${id}`)).json.rows;
    const { json } = await owner.get(`payments/${row.request_id}`);
    expect(json.made_by).toEqual({ batch_id: id, author: "The accountant", approved_by: "The owner" });
  });

  it("can be refused with a reason, and withdrawn by the author", async () => {
    const [first, second] = [await aChecked(), await aChecked()];
    for (const id of [first, second])
      expect((await author.post(`payout-batches/${id}/confirm`)).json).toEqual({ state: "awaiting_approval" });
    expect(codeOf(await owner.post(`payout-batches/${first}/refuse`, { reason: "" }))).toBe("validation_failed");
    expect((await owner.post(`payout-batches/${first}/refuse`, { reason: "<i>twice</i>" })).json).toEqual({
      state: "refused",
    });
    expect((await author.get(`payout-batches/${first}`)).json.batch).toMatchObject({
      refused_by: "The owner",
      refusal: "<i>twice</i>",
    });
    expect(codeOf(await owner.post(`payout-batches/${second}/withdraw`))).toBe("forbidden");
    expect((await author.post(`payout-batches/${second}/withdraw`)).json).toEqual({ state: "withdrawn" });
    expect(codeOf(await owner.post(`payout-batches/${second}/approve`))).toBe("wrong_state");
    const listed = (await owner.get("payout-batches")).json.batches;
    expect(
      listed
        .slice(0, 2)
        .map((batch: { state: string }) => batch.state)
        .sort(),
    ).toEqual(["refused", "withdrawn"]);
  });

  it("is set by owners alone, as a line of the audit log", async () => {
    expect(codeOf(await author.post("payout-approval", { currency: "RUB", amount: null }))).toBe("forbidden");
    await setLimit(null);
    expect((await author.get("payout-approval")).json.limits).toEqual([]);
    const { lines } = (await owner.get("audit")).json;
    expect(lines[0]).toMatchObject({
      action: "security.payout_approval",
      subject: "RUB",
      before: { amount: 1_000 },
      after: { amount: null },
    });
    for (const body of [
      { currency: "RUB", amount: -1 },
      { currency: "XXX", amount: 1 },
      { currency: "RUB", amount: 1.5 },
    ])
      expect(codeOf(await owner.post("payout-approval", body))).toBe("validation_failed");
  });
});
