import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { Id } from "../../core/ids.ts";
import { CARD_SENDING_S } from "../../core/payments/timers.ts";
import { newId } from "../../platform/new-id.ts";
import { listBalances } from "../../store/ledger/balances.ts";
import type { NewCardPayin, NewPayin } from "../../store/payments/create-payments.ts";
import { aNewPayin, aNewPayout } from "../../testing/builders/new-payments.ts";
import { aProject, credit, minor } from "../../testing/builders/projects.ts";
import { useTestDatabase } from "../../testing/database/test-database.ts";
import { openApplyPayments } from "./apply-payments.ts";
import { openCreatePayments } from "./create-payments.ts";

const { db, openAnother } = useTestDatabase();
const creates = openCreatePayments(db);

async function balanceOf(projectId: Id) {
  const [balance] = await listBalances(db, [projectId]);
  return { available: balance?.available ?? 0n, locked: balance?.locked ?? 0n };
}

async function countOf(projectId: Id): Promise<number> {
  const [row] = await db.run<{ count: number }>({
    text: "select count(*)::int as count from payments where project_id = $1",
    values: [projectId],
  });
  return row?.count ?? 0;
}

describe("pay-ins", () => {
  it("are created new, due at once, with a first line of history", async () => {
    const { projectId } = await aProject(db);
    const payin = aNewPayin(projectId);
    expect(await creates.payin(payin)).toMatchObject({
      ok: true,
      value: { requestId: payin.requestId, replayed: false },
    });
    const [row] = await db.run({
      text: `select p.state, p.sequence, p.due_at is not null as due, h.event, h.to_state,
                    extract(epoch from p.expires_at - p.created_at)::int as lifetime
               from payments p join payment_history h using (project_id, request_id) where p.project_id = $1`,
      values: [projectId],
    });
    expect(row).toEqual({
      state: "processing:new",
      sequence: 1,
      due: true,
      event: "created",
      to_state: "processing:new",
      lifetime: 900,
    });
  });

  it("200 identical creates at once for each of 50 ids make 50 payments, one request_id for each", async () => {
    const { projectId } = await aProject(db);
    const ids = Array.from({ length: 50 }, () => newId());
    const results = await Promise.all(
      ids.flatMap((paymentId) =>
        Array.from({ length: 200 }, async () => ({
          paymentId,
          result: await creates.payin(aNewPayin(projectId, { paymentId })),
        })),
      ),
    );
    const requestIds = new Map<string, Set<string>>();
    for (const { paymentId, result } of results) {
      if (!result.ok) throw new Error(result.error);
      requestIds.set(paymentId, (requestIds.get(paymentId) ?? new Set()).add(result.value.requestId));
    }
    expect([...requestIds.values()].every((each) => each.size === 1)).toBe(true);
    expect(await countOf(projectId)).toBe(50);
    expect(results.filter(({ result }) => result.ok && !result.value.replayed)).toHaveLength(50);
  });

  it("the same id for another body is a conflict, in another project or direction it is free", async () => {
    const first = await aProject(db);
    const second = await aProject(db);
    await credit(db, first.projectId, 5000);
    const paymentId = "order 1";
    expect(await creates.payin(aNewPayin(first.projectId, { paymentId }))).toMatchObject({ ok: true });
    const other = aNewPayin(first.projectId, { paymentId, bodyHash: Buffer.from("other") });
    expect(await creates.payin(other)).toEqual({ ok: false, error: "payment_id_conflict" });
    expect(await creates.payin(aNewPayin(second.projectId, { paymentId }))).toMatchObject({
      ok: true,
      value: { replayed: false },
    });
    expect(await creates.payout(aNewPayout(first.projectId, { paymentId }))).toMatchObject({
      ok: true,
      value: { replayed: false },
    });
  });

  it("a bad one does not harm its neighbours", async () => {
    const { projectId } = await aProject(db);
    const payins = Array.from({ length: 20 }, (_, index) =>
      aNewPayin(projectId, index === 7 ? { customerId: "x".repeat(65) } : index === 9 ? { projectId: newId() } : {}),
    );
    const results = await Promise.allSettled(payins.map((payin) => creates.payin(payin)));
    expect(results.flatMap((result, index) => (result.status === "rejected" ? [index] : []))).toEqual([7, 9]);
    expect(await countOf(projectId)).toBe(18);
  });
});

describe("pay-ins by card", () => {
  function aCard(projectId: Id, change: Partial<NewPayin> = {}): NewCardPayin {
    const payin = aNewPayin(projectId, { product: "ecom", method: "card-ecom", ...change });
    const { requestId } = payin;
    const page = { pageToken: randomBytes(20), pageTokenHash: randomBytes(32) };
    const card = { projectId, requestId, mask: "424242******4242", brand: "visa", ...page };
    return { ...payin, card, sentTo: { provider: "sandbox", reference: newId() } };
  }

  const readCards = (projectId: Id) =>
    db.run({
      text: `select p.request_id as "requestId", p.attempt_count as count, a.provider, a.reference, p.reference as own, c.mask,
                    round(extract(epoch from p.due_at - p.created_at))::int as due,
                    (select string_agg(h.event, ',' order by h.number) from payment_history h
                      where h.request_id = p.request_id) as events
               from payments p
               left join attempts a using (project_id, request_id)
               left join card_payins c using (project_id, request_id)
              where p.project_id = $1`,
      values: [projectId],
    });

  it("are created with their attempt and their card, and are the worker's only after a while", async () => {
    const { projectId } = await aProject(db);
    const payin = aCard(projectId);
    expect(await creates.cardPayin(payin)).toMatchObject({ ok: true, value: { replayed: false } });
    const { requestId, sentTo } = payin;
    const sent = { provider: "sandbox", reference: sentTo?.reference, own: sentTo?.reference };
    expect(await readCards(projectId)).toEqual([
      { requestId, count: 1, ...sent, mask: payin.card.mask, due: CARD_SENDING_S, events: "created,sent" },
    ]);
  });

  it("have no attempt where no provider is known yet", async () => {
    const { projectId } = await aProject(db);
    await creates.cardPayin({ ...aCard(projectId), sentTo: undefined });
    expect(await readCards(projectId)).toMatchObject([{ count: 0, provider: null, own: null, events: "created" }]);
  });

  it("of several with one payment_id in one batch the first is made, with one card and one attempt", async () => {
    const { projectId } = await aProject(db);
    const paymentId = newId();
    const twins = Array.from({ length: 20 }, () => aCard(projectId, { paymentId }));
    const others = [aCard(projectId), aCard(projectId)];
    const made = await Promise.all([...twins, ...others].map((payin) => creates.cardPayin(payin)));
    expect(made.filter((each) => each.ok && !each.value.replayed)).toHaveLength(3);
    const rows = await readCards(projectId);
    expect(rows).toHaveLength(3);
    const first = twins[0];
    expect(rows).toContainEqual(
      expect.objectContaining({ requestId: first?.requestId, own: first?.sentTo?.reference }),
    );
    expect(await creates.cardPayin(aCard(projectId, { paymentId }))).toMatchObject({ value: { replayed: true } });
    expect(await readCards(projectId)).toHaveLength(3);
  });
});

describe("payouts", () => {
  it("lock amount and fee in the creating commit", async () => {
    const { projectId } = await aProject(db);
    await credit(db, projectId, 5000);
    expect(await creates.payout(aNewPayout(projectId, { amount: minor(1000), fee: minor(10) }))).toMatchObject({
      ok: true,
    });
    expect(await balanceOf(projectId)).toEqual({ available: 3990n, locked: 1010n });
  });

  it("without the money create nothing, with or without a balance row", async () => {
    const { projectId } = await aProject(db);
    expect(await creates.payout(aNewPayout(projectId))).toEqual({ ok: false, error: "insufficient_balance" });
    await credit(db, projectId, 999);
    expect(await creates.payout(aNewPayout(projectId))).toEqual({ ok: false, error: "insufficient_balance" });
    expect(await countOf(projectId)).toBe(0);
    expect(await balanceOf(projectId)).toEqual({ available: 999n, locked: 0n });
  });

  it("that are too large are passed over; the others in the same batch are served", async () => {
    const { projectId } = await aProject(db);
    await credit(db, projectId, 100);
    const amounts = [60, 50, 40, 1];
    const results = await Promise.all(
      amounts.map((amount) => creates.payout(aNewPayout(projectId, { amount: minor(amount) }))),
    );
    expect(results.map((result) => result.ok)).toEqual([true, false, true, false]);
    expect(await balanceOf(projectId)).toEqual({ available: 0n, locked: 100n });
  });

  it("answer the first result again after the balance was spent", async () => {
    const { projectId } = await aProject(db);
    await credit(db, projectId, 1000);
    const payout = aNewPayout(projectId);
    expect(await creates.payout(payout)).toMatchObject({ ok: true, value: { replayed: false } });
    const again = await creates.payout({ ...payout, requestId: newId(), transferId: newId() });
    expect(again).toMatchObject({ ok: true, value: { requestId: payout.requestId, replayed: true } });
    expect(await balanceOf(projectId)).toEqual({ available: 0n, locked: 1000n });
  });

  it("64 callers with 3 payouts of a tenth each, on two processes: exactly ten are accepted", async () => {
    const { projectId } = await aProject(db);
    await credit(db, projectId, 10_000);
    const elsewhere = openAnother();
    const both = [creates, openCreatePayments(elsewhere)];
    const callers = Array.from({ length: 64 }, async (_, caller) => {
      const results = [];
      for (let turn = 0; turn < 3; turn += 1)
        results.push(await both[(caller + turn) % 2]?.payout(aNewPayout(projectId)));
      return results;
    });
    const results = (await Promise.all(callers)).flat();
    expect(results.filter((result) => result?.ok)).toHaveLength(10);
    expect(await balanceOf(projectId)).toEqual({ available: 0n, locked: 10_000n });
    await elsewhere.close();
  });

  it("twins from two processes, with the same ids in opposite orders, never lock each other out", async () => {
    const { projectId } = await aProject(db);
    await credit(db, projectId, 1_000_000);
    const elsewhere = openAnother();
    const other = openCreatePayments(elsewhere);
    const ids = Array.from({ length: 60 }, () => newId());
    const all = await Promise.all([
      ...ids.map((paymentId) => creates.payout(aNewPayout(projectId, { paymentId }))),
      ...ids.toReversed().map((paymentId) => other.payout(aNewPayout(projectId, { paymentId }))),
      ...ids.map((paymentId) => creates.payin(aNewPayin(projectId, { paymentId }))),
      ...ids.toReversed().map((paymentId) => other.payin(aNewPayin(projectId, { paymentId }))),
    ]);
    expect(all.every((result) => result.ok)).toBe(true);
    expect(await countOf(projectId)).toBe(120);
    expect(await balanceOf(projectId)).toEqual({ available: 940_000n, locked: 60_000n });
    await elsewhere.close();
  });
});

it("the database keeps final payments final, and identities as they are", async () => {
  const { projectId } = await aProject(db);
  const payin = aNewPayin(projectId);
  await creates.payin(payin);
  const update = (set: string) =>
    db.run({ text: `update payments set ${set} where request_id = $1`, values: [payin.requestId] });
  await expect(update("payment_id = 'x'")).rejects.toMatchObject({ code: "23001" });
  await expect(update("requested_amount = 5")).rejects.toMatchObject({ code: "23001" });
  await expect(update("state = 'success'")).rejects.toMatchObject({ code: "23514" });
  await openApplyPayments(db)({ projectId, requestId: payin.requestId, payin: { kind: "cancelled" }, actor: "test" });
  await expect(update("state = 'success', decline_code = null")).rejects.toMatchObject({ code: "23001" });
  await expect(db.run({ text: "delete from payments" })).rejects.toMatchObject({ code: "23001" });
  await expect(db.run({ text: "delete from payment_history" })).rejects.toMatchObject({ code: "23001" });
});
