import { describe, expect, it } from "vitest";
import type { Id } from "../core/ids.ts";
import { CONFIRM_TIMEOUT_S } from "../core/payments/timers.ts";
import { recordLines } from "../pool/app/record-lines.ts";
import { openPoolConnector } from "../pool/connector/connector.ts";
import type { PaymentKey } from "../store/payments/payments.ts";
import { aProject, minor, RUB } from "../testing/builders/projects.ts";
import { aDesk, anAccount } from "../testing/builders/receiving-accounts.ts";
import { useTestDatabase } from "../testing/database/test-database.ts";
import { aFakeProvider } from "../testing/rigs/fake-provider.ts";
import { useWorkerRig } from "../testing/rigs/worker-rig.ts";

/** Payers who say that they have paid, and have not. */
const database = useTestDatabase();
const { db } = database;
const rig = useWorkerRig(database);
const { keyring } = rig.deps;
const pool = openPoolConnector(aDesk(db, keyring));

async function freshAccount(parallelMax: number | null = 1) {
  await db.run({ text: "update receiving_accounts set enabled = false" });
  return anAccount(db, keyring, { settings: { parallelMax, dayCountMax: 2 } });
}

async function aPayin(amount: number, projectId?: Id) {
  const name = await rig.aPayin([pool], { amount, ...(projectId === undefined ? {} : { projectId }) });
  await rig.workOff();
  return name;
}

const stateOf = async (name: PaymentKey) => (await rig.find(name)).state;

async function confirm({ projectId, requestId }: PaymentKey): Promise<void> {
  await rig.deps.apply({ projectId, requestId, actor: "payer", payin: { kind: "confirmed" } });
  await rig.workOff();
}

async function confirmFalsely(amount: number, projectId?: Id): Promise<PaymentKey> {
  const name = await aPayin(amount, projectId);
  expect(await stateOf(name)).toBe("processing:awaiting_confirm");
  await confirm(name);
  return name;
}

async function timeOut(name: PaymentKey): Promise<void> {
  expect((await rig.passTime(name, CONFIRM_TIMEOUT_S)).state).toBe("dispute:confirm_timeout");
}

async function bankReports(account: Awaited<ReturnType<typeof freshAccount>>, reference: string, amount: number) {
  const at = new Date();
  const line = { account, reference, direction: "credit", currency: RUB, amount: minor(amount) } as const;
  const booked = { kind: "instant", from: at, to: at } as const;
  const [recorded] = await recordLines({ db, keyring }, [{ ...line, booked, payer: undefined }], "olga");
  return recorded;
}

async function accountNow(id: Id) {
  const [row] = await db.run<{ live: number; today: number }>({
    text: `select a.live_count as live, coalesce(sum(d.count), 0)::int as today
             from receiving_accounts a left join account_days d on d.account_id = a.id where a.id = $1 group by a.id`,
    values: [id],
  });
  return row;
}

describe("a pay-in whose payer confirmed and sent nothing", () => {
  it("holds its place until the confirm times out, and then gives it to the next payer", async () => {
    const account = await freshAccount();
    const first = await confirmFalsely(1_000);
    expect(await stateOf(await aPayin(2_000))).toBe("decline");
    await timeOut(first);
    expect(await accountNow(account.id)).toEqual({ live: 0, today: 0 });
    expect(await stateOf(await aPayin(2_100))).toBe("processing:awaiting_confirm");
    // However often the worker looks again, it is counted once.
    await rig.look(first);
    expect(await accountNow(account.id)).toEqual({ live: 1, today: 1 });
  });

  it("keeps its sum through the quarantine, so that its money is still its own when it comes late", async () => {
    const account = await freshAccount(null);
    const first = await confirmFalsely(1_000);
    await timeOut(first);
    expect(await rig.find(await aPayin(1_000))).toMatchObject({ state: "decline", declineCode: "no_requisites" });
    const other = await aPayin(3_000);
    expect(await bankReports(account, "late-1", 1_000)).toMatchObject({ outcome: "exact", requestId: first.requestId });
    await rig.workOff();
    expect(await stateOf(first)).toBe("success");
    expect(await stateOf(other)).toBe("processing:awaiting_confirm");
    // Money came by it after all, so it is a part of the account's day again.
    expect(await accountNow(account.id)).toEqual({ live: 1, today: 2 });
  });

  it("gives its sum to another payer after the quarantine, and has no claim on that payer's money", async () => {
    const account = await freshAccount(null);
    const first = await confirmFalsely(1_000);
    await timeOut(first);
    await db.run({ text: "update lendings set held_until = now() where account_id = $1", values: [account.id] });
    const next = await aPayin(1_000);
    expect(await stateOf(next)).toBe("processing:awaiting_confirm");
    expect(await bankReports(account, "next-1", 1_000)).toMatchObject({ outcome: "exact", requestId: next.requestId });
    expect(await stateOf(first)).toBe("dispute:confirm_timeout");
  });

  it("gives its place back too when it was confirmed in the time of grace, and when an operator declines it later", async () => {
    const account = await freshAccount();
    const name = await aPayin(1_000);
    expect((await rig.passTime(name, 901)).state).toBe("dispute:no_payment");
    await confirm(name);
    expect(await stateOf(name)).toBe("processing:paid");
    await timeOut(name);
    expect(await accountNow(account.id)).toEqual({ live: 0, today: 0 });
    const { projectId, requestId } = name;
    await rig.deps.apply({ projectId, requestId, actor: "olga", payin: { kind: "operator_declined" } });
    await rig.workOff();
    expect((await rig.find(name)).releasedAt).not.toBeNull();
    expect(await accountNow(account.id)).toEqual({ live: 0, today: 0 });
  });
});

describe("a pay-in for which another sum came", () => {
  it("gives its place back once no more has come for half an hour", async () => {
    const account = await freshAccount();
    const name = await aPayin(1_000);
    await bankReports(account, "part-1", 400);
    expect((await rig.look(name)).state).toBe("dispute:different_amount");
    expect(await accountNow(account.id)).toEqual({ live: 1, today: 1 });
    await db.run({
      text: "update payments set updated_at = updated_at - make_interval(secs => $2) where request_id = $1",
      values: [name.requestId, CONFIRM_TIMEOUT_S],
    });
    await rig.look(name);
    expect(await accountNow(account.id)).toEqual({ live: 0, today: 1 });
    // The rest of it is still known by the account, as long as no one else has had it.
    expect(await bankReports(account, "part-2", 600)).toMatchObject({ requestId: name.requestId });
    expect(await stateOf(name)).toBe("success");
  });
});

describe("a customer with unpaid confirms", () => {
  it("is lent nothing more by the pool from the project's cap on, until one of them is paid or ended", async () => {
    const account = await freshAccount(null);
    await db.run({ text: "update receiving_accounts set day_count_max = null" });
    const { projectId } = await aProject(db, "live");
    const claims = [await confirmFalsely(1_000, projectId), await confirmFalsely(1_100, projectId)];
    claims.push(await confirmFalsely(1_200, projectId));
    const capped = await aPayin(1_300, projectId);
    expect(await rig.find(capped)).toMatchObject({ state: "decline", declineCode: "no_requisites" });
    // Another project's customer of the same name is another customer.
    expect(await stateOf(await aPayin(1_400))).toBe("processing:awaiting_confirm");
    for (const claim of claims.slice(0, 1)) await timeOut(claim);
    expect(await stateOf(await aPayin(1_500, projectId))).toBe("decline");
    await bankReports(account, "paid-1", 1_000);
    expect(await stateOf(await aPayin(1_600, projectId))).toBe("processing:awaiting_confirm");
  });

  it("goes on to the next provider of the route", async () => {
    await freshAccount(null);
    await db.run({ text: "update receiving_accounts set day_count_max = null" });
    const { projectId } = await aProject(db, "live");
    await db.run({ text: "update projects set unpaid_confirms_max = 1 where id = $1", values: [projectId] });
    await confirmFalsely(1_000, projectId);
    const next = await rig.aPayin([pool, aFakeProvider("next")], { amount: 1_100, projectId });
    await rig.workOff();
    expect(await rig.find(next)).toMatchObject({ state: "processing:awaiting_confirm", provider: "next" });
    await db.run({ text: "update projects set unpaid_confirms_max = null where id = $1", values: [projectId] });
    expect(await rig.find(await aPayin(1_200, projectId))).toMatchObject({ provider: "pool" });
  });
});
