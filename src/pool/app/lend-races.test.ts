import { describe, expect, it } from "vitest";
import type { PayinRequest } from "../../core/connector.ts";
import type { Id } from "../../core/ids.ts";
import { newId } from "../../platform/new-id.ts";
import { ASKED_FOR } from "../../testing/builders/asked-for.ts";
import { aProject, minor, RUB, testKeyring } from "../../testing/builders/projects.ts";
import { aDesk, anAccount } from "../../testing/builders/receiving-accounts.ts";
import { useTestDatabase } from "../../testing/database/test-database.ts";
import { waitUntilBlocked } from "../../testing/database/wait-until-blocked.ts";
import { setRequisite } from "./pool-requisites.ts";
import type { ReportedAccount } from "./reported-lines.ts";

const { db, openAnother } = useTestDatabase();
const keyring = testKeyring();

function request(projectId: Id, amount: number): PayinRequest {
  const method = "card-p2p" as const;
  const expiresAt = new Date();
  return {
    reference: newId(),
    projectId,
    method,
    currency: RUB,
    bank: undefined,
    amount: minor(amount),
    expiresAt,
    ...ASKED_FOR,
  };
}

async function freshPool() {
  await db.run({ text: "update receiving_accounts set enabled = false" });
  const { projectId } = await aProject(db, "live");
  return { projectId, account: await anAccount(db, keyring), desk: aDesk(db, keyring) };
}

async function requisiteOf({ id }: ReportedAccount): Promise<Id> {
  const [row] = await db.run<{ id: Id }>({ text: "select id from requisites where account_id = $1", values: [id] });
  return row?.id ?? expect.unreachable("the account has a requisite");
}

async function lendingOf(reference: string) {
  const [row] = await db.run<{ accountId: Id | null; withdrawn: boolean; live: boolean }>({
    text: `select account_id as "accountId", withdrawn_at is not null as withdrawn, ended_at is null as live
             from lendings where reference = $1`,
    values: [reference],
  });
  return row;
}

describe("a request that was told that nothing is free", () => {
  it("is never lent anything later: another provider may have it by then", async () => {
    const { projectId, account, desk } = await freshPool();
    const late = request(projectId, 100);
    await db.run({ text: "update receiving_accounts set enabled = false where id = $1", values: [account.id] });
    expect(await desk.lend(late)).toEqual({ kind: "none" });
    await db.run({ text: "update receiving_accounts set enabled = true where id = $1", values: [account.id] });
    // A worker that was away for so long that another one took over asks again.
    expect(await desk.lend(late)).toEqual({ kind: "none" });
    expect(await lendingOf(late.reference)).toMatchObject({ accountId: null, live: false });
    expect(await desk.lend(request(projectId, 100))).toMatchObject({ kind: "issued" });
  });

  it("while a twin of it is being lent something gets the twin's", async () => {
    const { projectId, account, desk } = await freshPool();
    await desk.lend(request(projectId, 199));
    const twin = request(projectId, 200);
    const another = openAnother();
    let both: Promise<unknown[]> | undefined;
    // The first has the account and waits for the count of its day; the second waits for the first.
    await another.transaction(async (tx) => {
      await tx.run({ text: "select from account_days where account_id = $1 for update", values: [account.id] });
      const first = desk.lend(twin);
      await waitUntilBlocked(db, 1);
      const second = desk.lend(twin);
      await waitUntilBlocked(db, 2);
      both = Promise.all([first, second]);
    });
    const [one, two] = (await both) as unknown[];
    await another.close();
    expect(one).toMatchObject({ kind: "issued" });
    expect(two).toEqual(one);
  });
});

describe("a requisite that is withdrawn", () => {
  it("while it is being lent is withdrawn from that payer too", async () => {
    const { projectId, account, desk } = await freshPool();
    // So that the day has its row, which the test can hold.
    await desk.lend(request(projectId, 299));
    const requisite = await requisiteOf(account);
    const lent = request(projectId, 300);
    const another = openAnother();
    let both: Promise<[unknown, unknown]> | undefined;
    await another.transaction(async (tx) => {
      await tx.run({ text: "select from account_days where account_id = $1 for update", values: [account.id] });
      const lending = desk.lend(lent);
      await waitUntilBlocked(db, 1);
      const withdrawing = setRequisite(db, requisite, "withdrawn");
      await Promise.race([withdrawing, waitUntilBlocked(db, 2)]);
      both = Promise.all([lending, withdrawing]);
    });
    await both;
    await another.close();
    expect(await lendingOf(lent.reference)).toMatchObject({ withdrawn: true });
  });

  it("before its payer was shown it is not shown any more, and the account is free of it", async () => {
    const { projectId, account, desk } = await freshPool();
    const lent = request(projectId, 400);
    // Its worker died before it could say so.
    await desk.lend(lent);
    await setRequisite(db, await requisiteOf(account), "withdrawn");
    expect(await desk.lend(lent)).toEqual({ kind: "none" });
    expect(await lendingOf(lent.reference)).toMatchObject({ accountId: account.id, live: false });
  });

  it("or tampered with, in the same way, and once", async () => {
    const { projectId, account, desk } = await freshPool();
    const lent = request(projectId, 500);
    await desk.lend(lent);
    await db.run({
      text: "update requisites set value = set_byte(value, 40, get_byte(value, 40) # 1) where account_id = $1",
      values: [account.id],
    });
    expect(await desk.lend(lent)).toEqual({ kind: "none" });
    expect(desk.complaints).toHaveLength(1);
    expect(await lendingOf(lent.reference)).toMatchObject({ live: false });
  });
});
