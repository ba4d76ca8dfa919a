import { beforeAll, describe, expect, it } from "vitest";
import type { Id } from "../../core/ids.ts";
import { openLog } from "../../platform/log.ts";
import { newId } from "../../platform/new-id.ts";
import { aCallback } from "../../testing/builders/callbacks.ts";
import { aPayin, aPayout, ISSUED, receive } from "../../testing/builders/payments.ts";
import { aProject, testKeyring } from "../../testing/builders/projects.ts";
import { useTestDatabase } from "../../testing/database/test-database.ts";
import { sealReceiver, sealRequisites } from "../payments/payment-secrets.ts";
import { settlePayment } from "../payments/settle-payment.ts";
import { readPaymentDetail } from "./read-payment-detail.ts";
import type { ReportScope } from "./report-scope.ts";

const { db } = useTestDatabase();
const keyring = testKeyring();
const logged: string[] = [];
const log = openLog({ level: "error", destination: { write: (line: string) => void logged.push(line) } });
const deps = { db, keyring, publicUrl: () => "https://pay.example", log };

let mine: ReportScope;
let foreign: ReportScope;
let projectId: Id;

beforeAll(async () => {
  const { merchantId, ...made } = await aProject(db);
  projectId = made.projectId;
  const other = await aProject(db);
  mine = { merchantId, projects: [{ id: projectId, name: "Web", book: "test" }] };
  foreign = { merchantId: other.merchantId, projects: [{ id: other.projectId, name: "Web", book: "test" }] };
  await aPayin(db, ISSUED, { projectId: other.projectId });
});

async function detailOf(requestId: Id) {
  const detail = await readPaymentDetail(deps, mine, requestId);
  if (!detail.ok) throw new Error(detail.error);
  return detail.value;
}

describe("one payment", () => {
  it("shows its timeline, money and ledger lines", async () => {
    const payin = await aPayin(db, ISSUED, { projectId, paymentId: "order-1" });
    await receive(db, payin, 1000);
    const { payment, timeline, lines, curl, project } = await detailOf(payin.requestId);
    expect(project.book).toBe("test");
    expect(payment).toMatchObject({
      paymentId: "order-1",
      state: "success",
      amount: 1000n,
      fee: 25n,
      receivedAmount: 1000n,
    });
    expect(timeline.map(({ event, toState }) => [event, toState])).toEqual([
      ["created", "processing:new"],
      ["submitted", "processing:requisites"],
      ["requisites_issued", "processing:awaiting_confirm"],
      ["received_exact", "success"],
    ]);
    expect([timeline[0]?.actor, timeline.at(-1)?.actor]).toEqual(["merchant", "provider"]);
    // Lines of one commit have no order among them.
    expect(
      lines.map(({ from, to, amount, kind, change }) => [kind, from, to, amount, change.available]).sort(),
    ).toEqual([
      ["fee", "clearing", "fees", 25n, 0n],
      ["settle", "clearing", "available", 975n, 975n],
    ]);
    expect(curl).toContain("https://pay.example/api/v1/payment/p2p/payin/info");
  });

  it("shows where the money was to go only masked", async () => {
    const payin = await aPayin(db, ISSUED, { projectId });
    const payout = await aPayout(db, [], { projectId });
    const card = {
      type: "card",
      value: "4111111111111111",
      holder: "IVAN I",
      bank: "sberbank",
      bankName: undefined,
    } as const;
    const phone = { type: "phone", phone: "+79001234567", bank: "tinkoff" } as const;
    await db.run({
      text: "update payments set requisites = $3 where project_id = $1 and request_id = $2",
      values: [projectId, payin.requestId, sealRequisites(keyring, payin.requestId, card)],
    });
    await db.run({
      text: "update payments set receiver = $3 where project_id = $1 and request_id = $2",
      values: [projectId, payout.requestId, sealReceiver(keyring, payout.requestId, phone)],
    });
    const shown = [await detailOf(payin.requestId), await detailOf(payout.requestId)];
    expect(shown.map(({ place }) => [place?.type, place?.value, place?.bank])).toEqual([
      ["card", "411111******1111", "sberbank"],
      ["phone", "+7********67", "tinkoff"],
    ]);
    const text = JSON.stringify(shown, (_, value) => (typeof value === "bigint" ? String(value) : value));
    for (const secret of ["4111111111111111", "9001234567", "IVAN"]) expect(text).not.toContain(secret);
  });

  it("names no operator, and repeats nothing that was written for operators", async () => {
    const payout = await aPayout(db, ["claimed", "timed_out"], { projectId });
    const words = { through: "manual", reference: "bank-77", reason: "looks like fraud", actor: "anna" };
    const settled = await settlePayment(db, { requestId: payout.requestId, ...words });
    expect(settled.ok).toBe(true);
    const { timeline, lines, place } = await detailOf(payout.requestId);
    // The builder's receiver is not sealed by any key: that does not hide the rest, and the operator is told.
    expect(place).toMatchObject({ type: "unreadable", value: "" });
    expect(logged.splice(0).join()).toContain("requisites cannot be read");
    expect(timeline.at(-1)).toMatchObject({ actor: "operator", toState: "success" });
    const text = JSON.stringify([timeline, lines], (_, value) => (typeof value === "bigint" ? String(value) : value));
    for (const word of ["anna", "fraud", "bank-77", "sandbox", "manual"]) expect(text).not.toContain(word);
  });

  it("shows each callback with each attempt, as it was sent and answered", async () => {
    const { requestId } = await aPayin(db, [], { projectId });
    const callback = await aCallback(db, projectId, {
      ...{ requestId, state: "dead", attempts: ["connect_timeout", 500], answer: "<b>no</b>" },
    });
    const shown = (await detailOf(requestId)).callbacks.find(({ id }) => id === callback.id);
    expect(shown).toMatchObject({ state: "dead", url: "https://shop.example/callbacks", sequence: 2 });
    expect(shown?.body).toMatchObject({ status: { status: "processing", sub_status: "paid" } });
    expect(shown?.attempts.map(({ status, failure, answer }) => [status, failure, answer?.toString() ?? null])).toEqual(
      [
        [null, "connect_timeout", null],
        [500, null, "<b>no</b>"],
      ],
    );
  });

  it("of another merchant is not told from one that does not exist", async () => {
    const { requestId } = await aPayin(db, [], { projectId });
    for (const id of [requestId, newId()]) {
      expect(await readPaymentDetail(deps, foreign, id)).toEqual({ ok: false, error: "not_found" });
    }
  });
});
