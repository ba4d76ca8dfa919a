import { describe, expect, it } from "vitest";
import type { Currency } from "../../core/currency.ts";
import type { Id } from "../../core/ids.ts";
import { newId } from "../../platform/new-id.ts";
import type { DailyLimits, NewPayin } from "../../store/payments/create-payments.ts";
import { aNewPayin, aNewPayout } from "../../testing/builders/new-payments.ts";
import { aProject, credit, minor } from "../../testing/builders/projects.ts";
import { useTestDatabase } from "../../testing/database/test-database.ts";
import { openApplyPayments } from "./apply-payments.ts";
import { openCreatePayments } from "./create-payments.ts";

const { db, openAnother } = useTestDatabase();
const creates = openCreatePayments(db);
const apply = openApplyPayments(db);

const KZT = "KZT" as Currency;
const NO_LIMITS: DailyLimits = { countMax: null, sumMax: null, customerCountMax: null, customerSumMax: null };

const OVER = { ok: false, error: "over_daily_limit" };
const MADE = { ok: true, value: { replayed: false } };

async function usageOf(projectId: Id): Promise<Record<string, string>> {
  const rows = await db.run<{ place: string; used: string }>({
    text: `select direction || ' ' || currency || ' ' || customer_id as place, count || ' / ' || sum as used
             from daily_usage where project_id = $1 order by 1`,
    values: [projectId],
  });
  return Object.fromEntries(rows.map(({ place, used }) => [place.trim(), used]));
}

describe.each(["payin", "payout"] as const)("the limits of a day: %ss", (direction) => {
  async function aLimited(limits: Partial<DailyLimits>) {
    const { projectId } = await aProject(db);
    await credit(db, projectId, 1_000_000);
    const all = { ...NO_LIMITS, ...limits };
    const make = (change: Partial<NewPayin> = {}, by = creates) =>
      direction === "payin"
        ? by.payin(aNewPayin(projectId, { limits: all, ...change }))
        : by.payout(aNewPayout(projectId, { limits: all, ...change }));
    return { projectId, make };
  }

  it.each([
    ["count of the project", { countMax: 3 }, {}],
    ["sum of the project", { sumMax: minor(3500) }, {}],
    ["count of a customer", { customerCountMax: 3 }, { customerId: "c2" }],
    ["sum of a customer", { customerSumMax: minor(3000) }, { customerId: "c2" }],
  ] as const)("%s", async (_, limits, another) => {
    const { make } = await aLimited(limits);
    for (let count = 0; count < 3; count += 1) expect(await make()).toMatchObject(MADE);
    expect(await make()).toEqual(OVER);
    const ofAnother = await make(another);
    if ("customerId" in another) expect(ofAnother).toMatchObject(MADE);
    else expect(ofAnother).toEqual(OVER);
    expect(await make({ currency: KZT, limits: NO_LIMITS })).toMatchObject(
      direction === "payin" ? MADE : { ok: false },
    );
  });

  it("refuse nothing that exists already", async () => {
    const { make, projectId } = await aLimited({ countMax: 1 });
    const paymentId = newId();
    expect(await make({ paymentId })).toMatchObject(MADE);
    expect(await make({ paymentId })).toMatchObject({ ok: true, value: { replayed: true } });
    expect(await make({ paymentId, bodyHash: Buffer.from("other") })).toEqual({
      ok: false,
      error: "payment_id_conflict",
    });
    expect((await usageOf(projectId))[`${direction} RUB`]).toBe("1 / 1000");
  });

  it("cannot be slipped past by twins that come together", async () => {
    const { make, projectId } = await aLimited({ countMax: 1 });
    expect(await make()).toMatchObject(MADE);
    const paymentId = newId();
    const twins = await Promise.all(Array.from({ length: 40 }, () => make({ paymentId })));
    expect(twins).toEqual(twins.map(() => OVER));
    expect((await usageOf(projectId))[`${direction} RUB`]).toBe("1 / 1000");
  });

  it("count twins that come together once", async () => {
    const { make, projectId } = await aLimited({ countMax: 5 });
    const ids = Array.from({ length: 4 }, () => newId());
    const twins = await Promise.all(ids.flatMap((paymentId) => Array.from({ length: 30 }, () => make({ paymentId }))));
    expect(twins.every((result) => result.ok)).toBe(true);
    expect((await usageOf(projectId))[`${direction} RUB`]).toBe("4 / 4000");
    expect(await make()).toMatchObject(MADE);
    expect(await make()).toEqual(OVER);
  });

  it("hold with two processes: 64 callers at once, and exactly as many as fit", async () => {
    const { make, projectId } = await aLimited({ countMax: 10, customerCountMax: 7 });
    const elsewhere = openAnother();
    const both = [creates, openCreatePayments(elsewhere)];
    const callers = Array.from({ length: 64 }, (_, caller) =>
      make({ customerId: caller % 4 === 0 ? "c2" : "c1" }, both[caller % 2]),
    );
    const made = (await Promise.all(callers)).filter((result) => result.ok);
    await elsewhere.close();
    expect(made).toHaveLength(10);
    const usage = await usageOf(projectId);
    expect(usage[`${direction} RUB`]).toBe("10 / 10000");
    expect(Number.parseInt(usage[`${direction} RUB c1`] ?? "", 10)).toBeLessThanOrEqual(7);
  });

  it("are given back by a decline, once, and by nothing else", async () => {
    const { make, projectId } = await aLimited({ countMax: 2, customerSumMax: minor(2000) });
    const created = [await make(), await make()];
    const requestIds = created.flatMap((result) => (result.ok ? [result.value.requestId] : []));
    const [kept, declined] = requestIds as [Id, Id];
    expect(await make()).toEqual(OVER);
    const end = (requestId: Id, how: "well" | "badly") =>
      direction === "payin"
        ? [apply({ projectId, requestId, actor: "test", payin: { kind: how === "well" ? "submitted" : "cancelled" } })]
        : (["claimed", how === "well" ? "approved" : "declined"] as const).map((kind) =>
            apply({ projectId, requestId, actor: "test", payout: { kind, clearing: "clearing:sandbox" } }),
          );
    await Promise.all(end(kept, "well"));
    expect(await make()).toEqual(OVER);
    await Promise.all(end(declined, "badly"));
    await Promise.all(end(declined, "badly"));
    expect((await usageOf(projectId))[`${direction} RUB c1`]).toBe("1 / 1000");
    expect(await make()).toMatchObject(MADE);
    expect(await make()).toEqual(OVER);
  });
});

it("a payout that there is no money for uses up no limit", async () => {
  const { projectId } = await aProject(db);
  await credit(db, projectId, 1500);
  const limits = { ...NO_LIMITS, countMax: 2 };
  expect(await creates.payout(aNewPayout(projectId, { limits }))).toMatchObject(MADE);
  for (let count = 0; count < 3; count += 1) {
    expect(await creates.payout(aNewPayout(projectId, { limits }))).toEqual({
      ok: false,
      error: "insufficient_balance",
    });
  }
  expect(await usageOf(projectId)).toEqual({ "payout RUB": "1 / 1000", "payout RUB c1": "1 / 1000" });
});

it("one id for two bodies at two processes at once is counted where it was created", async () => {
  const { projectId } = await aProject(db);
  const elsewhere = openAnother();
  const other = openCreatePayments(elsewhere);
  const limits = { ...NO_LIMITS, countMax: 100 };
  const ids = Array.from({ length: 40 }, () => newId());
  const results = await Promise.all(
    ids.flatMap((paymentId) => [
      creates.payin(aNewPayin(projectId, { paymentId, limits })),
      other.payin(aNewPayin(projectId, { paymentId, limits, currency: KZT, bodyHash: Buffer.from("other") })),
    ]),
  );
  await elsewhere.close();
  expect(results.filter((result) => result.ok)).toHaveLength(40);
  const usage = await usageOf(projectId);
  const counted = ["payin RUB", "payin KZT"].map((place) => Number.parseInt(usage[place] ?? "0", 10));
  expect(counted.reduce((sum, count) => sum + count, 0)).toBe(40);
  const [row] = await db.run<{ count: number }>({
    text: "select count(*)::int as count from payments where project_id = $1 and counted_on is not null",
    values: [projectId],
  });
  expect(row?.count).toBe(40);
});
