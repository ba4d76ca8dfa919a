import { describe, expect, it } from "vitest";
import type { Id } from "../../core/ids.ts";
import { newId } from "../../platform/new-id.ts";
import { listSuspense } from "../../store/ledger/suspense.ts";
import { aProject, credit, minor, RUB, testKeyring } from "../../testing/builders/projects.ts";
import { anAccount } from "../../testing/builders/receiving-accounts.ts";
import { useTestDatabase } from "../../testing/database/test-database.ts";
import { openPoolRig } from "../../testing/rigs/pool-rig.ts";
import { listViolations } from "../../testing/rigs/with-pool.ts";
import { recordLines } from "./record-lines.ts";
import type { ReportedAccount } from "./reported-lines.ts";

const { db, openAnother } = useTestDatabase();
const keyring = testKeyring();
const rig = openPoolRig(db, keyring);

async function freshPool(quarantineS = 3_600): Promise<{ projectId: Id; account: ReportedAccount }> {
  await db.run({ text: "update receiving_accounts set enabled = false" });
  const { projectId } = await aProject(db, "live");
  return { projectId, account: await anAccount(db, keyring, { settings: { quarantineS } }) };
}

async function started(projectId: Id, amount: number) {
  const payin = await rig.start(projectId, amount);
  if (payin === undefined) throw new Error("nothing was lent");
  return payin;
}

const now = () => new Date();

describe("a transfer of just the sum that was lent", () => {
  it("completes its pay-in, once, however often the bank reports it", async () => {
    const { projectId, account } = await freshPool();
    const payin = await started(projectId, 1_000);
    const line = { account, reference: "b-1", amount: 1_000, at: now() };
    expect(await rig.record([line, line])).toMatchObject([
      { kind: "recorded", outcome: "exact", requestId: payin.requestId },
      { kind: "known" },
    ]);
    expect(await rig.record([line])).toMatchObject([{ kind: "known", line: { requestId: payin.requestId } }]);
    expect(await rig.get(payin)).toMatchObject({ state: "success", receivedAmount: 1_000n });
    expect(await rig.record([{ ...line, amount: 999 }])).toMatchObject([{ kind: "contradicts" }]);
    expect(await rig.desk.findPayin(payin.reference)).toMatchObject({
      kind: "open",
      receipts: [{ receiptReference: "b-1", amount: 1_000n, account: account.code }],
    });
  });

  it("that was booked before the requisites were shown is nobody's", async () => {
    const { projectId, account } = await freshPool();
    const payin = await started(projectId, 1_100);
    const before = new Date(Date.now() - 60_000);
    expect(await rig.record([{ account, reference: "b-2", amount: 1_100, at: before }])).toMatchObject([
      { outcome: "unclaimed" },
    ]);
    expect((await rig.get(payin)).receivedAmount).toBe(0n);
  });

  it("during the quarantine waits under the pay-in that has ended, and after it is nobody's", async () => {
    const { projectId, account } = await freshPool();
    const payin = await started(projectId, 1_200);
    expect(await rig.happen(payin, { kind: "cancelled" })).toBe("decline");
    await rig.passTime(3_000);
    expect(await rig.record([{ account, reference: "b-3", amount: 1_200, at: now() }])).toMatchObject([
      { outcome: "ended", requestId: payin.requestId },
    ]);
    await rig.passTime(601);
    expect(await rig.record([{ account, reference: "b-4", amount: 1_200, at: now() }])).toMatchObject([
      { outcome: "unclaimed" },
    ]);
    const standing = (await listSuspense(db, projectId)).map(({ requestId, amount }) => [requestId, amount]);
    expect(standing).toEqual([[payin.requestId, 1_200n]]);
  });

  it("with a date and no time belongs to the only one of that day, and of two to nobody", async () => {
    const { projectId, account } = await freshPool(900);
    const first = await started(projectId, 1_300);
    const day = now().toISOString().slice(0, 10);
    const reported = (reference: string) => ({
      ...{ account, reference, direction: "credit" as const, currency: RUB, amount: minor(1_300), payer: undefined },
      booked: { kind: "local" as const, from: `${day} 00:00:00.000`, to: `${day} 23:59:59.999` },
    });
    const record = (reference: string) => recordLines({ db, keyring }, [reported(reference)], "test");
    await rig.happen(first, { kind: "cancelled" });
    expect(await record("b-5")).toMatchObject([{ outcome: "ended", requestId: first.requestId }]);
    await db.run({
      text: "update lendings set held_until = now() - interval '1 millisecond' where not freed and ended_at is not null",
    });
    const second = await started(projectId, 1_300);
    expect(await record("b-6")).toMatchObject([{ outcome: "unclaimed" }]);
    expect((await rig.get(second)).receivedAmount).toBe(0n);
  });
});

describe("a transfer of another sum", () => {
  it("is taken for the only pay-in on the account while that runs", async () => {
    const { projectId, account } = await freshPool();
    const payin = await started(projectId, 2_000);
    expect(await rig.record([{ account, reference: "b-10", amount: 1_999, at: now() }])).toMatchObject([
      { outcome: "other_amount", requestId: payin.requestId },
    ]);
    expect(await rig.get(payin)).toMatchObject({ state: "dispute:different_amount", receivedAmount: 1_999n });
    expect(await rig.record([{ account, reference: "b-11", amount: 1, at: now() }])).toMatchObject([
      { outcome: "other_amount" },
    ]);
    expect((await rig.get(payin)).state).toBe("success");
  });

  it("is nobody's where two hold the account, one in quarantine counted, or where the only one has ended", async () => {
    const { projectId, account } = await freshPool();
    const one = await started(projectId, 2_100);
    await rig.happen(one, { kind: "cancelled" });
    expect(await rig.record([{ account, reference: "b-12", amount: 5, at: now() }])).toMatchObject([
      { outcome: "unclaimed" },
    ]);
    const two = await started(projectId, 2_101);
    expect(await rig.record([{ account, reference: "b-13", amount: 5, at: now() }])).toMatchObject([
      { outcome: "unclaimed" },
    ]);
    expect((await rig.get(two)).receivedAmount).toBe(0n);
  });

  it("in one batch with the right one: each sees what the ones before it did", async () => {
    const { projectId, account } = await freshPool();
    const payin = await started(projectId, 2_200);
    const recorded = await rig.record([
      { account, reference: "b-14", amount: 2_200, at: now() },
      { account, reference: "b-15", amount: 7, at: now() },
      { account, reference: "b-16", amount: 2_200, at: now() },
    ]);
    expect(recorded).toMatchObject([{ outcome: "exact" }, { outcome: "unclaimed" }, { outcome: "ended" }]);
    expect((await rig.get(payin)).state).toBe("success");
  });
});

describe("recording", () => {
  it("the same lines by two processes at once are recorded once", async () => {
    const { projectId, account } = await freshPool();
    const payins = await Promise.all([3_000, 3_001, 3_002].map((amount) => started(projectId, amount)));
    const lines = payins.map(({ amount }, index) => ({ account, reference: `c-${index}`, amount, at: now() }));
    const another = openAnother();
    const both = await Promise.all([rig.record(lines), openPoolRig(another, keyring).record([...lines].reverse())]);
    await another.close();
    const kinds = both
      .flat()
      .map(({ kind }) => kind)
      .sort();
    expect(kinds).toEqual(["known", "known", "known", "recorded", "recorded", "recorded"]);
    for (const payin of payins) expect((await rig.get(payin)).receivedAmount).toBe(BigInt(payin.amount));
  });

  it("what does not fit into the merchant's balance waits, and its neighbours do not", async () => {
    const { projectId, account } = await freshPool();
    const other = (await aProject(db, "live")).projectId;
    await credit(db, projectId, 10_000_000_000_000n);
    const [full, fine] = [await started(projectId, 4_000), await started(other, 4_001)];
    await rig.record([
      { account, reference: "d-1", amount: 4_000, at: now() },
      { account, reference: "d-2", amount: 4_001, at: now() },
    ]);
    expect(await rig.get(full)).toMatchObject({ state: "processing:paid", receivedAmount: 4_000n });
    expect(await rig.get(fine)).toMatchObject({ state: "success" });
  });

  it("a debit that nobody can explain makes us short of it, and the account's clearing says so", async () => {
    const { account } = await freshPool();
    const line = { account, reference: "e-1", amount: 250, at: now(), direction: "debit" as const };
    expect(await rig.record([line])).toMatchObject([{ outcome: "unexplained" }]);
    const [sum] = await db.run<{ sum: bigint }>({
      text: "select sum(amount)::bigint as sum from entries where account = $1",
      values: [`clearing:pool-${account.code}`],
    });
    expect(sum?.sum).toBe(250n);
  });

  it.each([
    ["pool_clearing_differs", "delete from bank_lines where reference = 'f-1'"],
    ["pool_clearing_differs", "update bank_lines set amount = amount + 1 where reference = 'f-1'"],
    ["lendings_differ", "update receiving_accounts set live_count = live_count + 1"],
  ])("the books are wrong, and ledger check says so: %s after %s", async (rule, corruption) => {
    const { account } = await freshPool();
    await rig.record([{ account, reference: "f-1", amount: 5, at: now() }]);
    const undo = new Error("undo");
    const seen = db.transaction(async (tx) => {
      await tx.run({ text: "set local session_replication_role = replica" });
      await tx.run({ text: corruption });
      expect([...new Set((await listViolations(tx)).map((violation) => violation.rule))]).toEqual([rule]);
      throw undo;
    });
    await expect(seen).rejects.toBe(undo);
  });

  it("a reference as long as the bank likes", async () => {
    const { account } = await freshPool();
    const reference = newId().repeat(8).slice(0, 255);
    expect(await rig.record([{ account, reference, amount: 1, at: now() }])).toMatchObject([{ outcome: "unclaimed" }]);
  });
});
