import { beforeAll, describe, expect, it } from "vitest";
import { applyInTransaction } from "../../app/payments/apply-payments.ts";
import { openCreatePayments } from "../../app/payments/create-payments.ts";
import { type ConformanceWorld, describeConformance } from "../../connectors/conformance.ts";
import type { Currency } from "../../core/currency.ts";
import type { Id } from "../../core/ids.ts";
import type { Minor } from "../../core/money.ts";
import { clearingOf, POOL_PROVIDER, wayOf } from "../../core/providers.ts";
import { newId } from "../../platform/new-id.ts";
import { openDatabase } from "../../store/db.ts";
import { ASKED_FOR, CUSTOMER } from "../../testing/builders/asked-for.ts";
import { aNewPayin } from "../../testing/builders/new-payments.ts";
import { aProject, minor, RUB, testKeyring } from "../../testing/builders/projects.ts";
import { aDesk, anAccount } from "../../testing/builders/receiving-accounts.ts";
import { useTestDatabase } from "../../testing/database/test-database.ts";
import type { ReportedAccount } from "../app/reported-lines.ts";
import { insertBankLines } from "../store/bank-lines.ts";
import { openPoolConnector } from "./connector.ts";
import type { PoolDesk } from "./desk.ts";

const { db } = useTestDatabase();
const keyring = testKeyring();
const desk = aDesk(db, keyring);
/** A currency that the pool has no account for. */
const KZT = "KZT" as Currency;

let projectId: Id;
let accounts: ReportedAccount[] = [];
let amountNext = 100_000n;

beforeAll(async () => {
  ({ projectId } = await aProject(db, "live"));
  accounts = [await anAccount(db, keyring), await anAccount(db, keyring)];
});

/** Answers that are lost on the way, as when the connection to the database breaks before or after the commit. */
const lostBefore = new Set<string>();
const lostAfter = new Set<string>();
class Lost extends Error {}

function losing<A, T>(nameOf: (argument: A) => string, work: (argument: A) => Promise<T>) {
  return async (argument: A): Promise<T> => {
    if (lostBefore.delete(nameOf(argument))) throw new Lost();
    const answer = await work(argument);
    if (lostAfter.delete(nameOf(argument))) throw new Lost();
    return answer;
  };
}

const itself = (reference: string) => reference;
const ofRequest = ({ reference }: { readonly reference: string }) => reference;
const fragile: PoolDesk = {
  lend: losing(ofRequest, desk.lend),
  noteConfirm: losing(itself, desk.noteConfirm),
  endLending: losing(itself, desk.endLending),
  findPayin: losing(itself, desk.findPayin),
  takePayout: losing(ofRequest, desk.takePayout),
  findPayout: losing(itself, desk.findPayout),
  isUnavailable: (error) => error instanceof Lost || desk.isUnavailable(error),
};
const connector = openPoolConnector(fragile);
const nowhere = openDatabase({
  connection: { host: "127.0.0.1", port: 1, user: "nobody", database: "nothing" },
  connectionsMax: 2,
  applicationName: "test",
  onIdleError: () => undefined,
});
const unreachable = openPoolConnector(aDesk(nowhere, keyring));

/** The payment whose request it is: only a payment can take money. */
async function paymentOf(reference: string): Promise<Id> {
  const [known] = await db.run<{ requestId: Id }>({
    text: `select request_id as "requestId" from attempts where reference = $1`,
    values: [reference],
  });
  if (known !== undefined) return known.requestId;
  const payin = aNewPayin(projectId, { amount: minor(1_000_000_000) });
  const { requestId } = payin;
  await openCreatePayments(db).payin(payin);
  const key = { projectId, requestId, actor: "test" };
  await db.transaction((tx) => applyInTransaction(tx, [{ ...key, payin: { kind: "submitted" } }]));
  await db.run({
    text: "insert into attempts (project_id, request_id, number, provider, reference) values ($1, $2, 1, $3, $4)",
    values: [projectId, requestId, POOL_PROVIDER, reference],
  });
  return requestId;
}

async function moneyArrives(reference: string, amount: Minor): Promise<void> {
  const requestId = await paymentOf(reference);
  const account = accounts[0] as ReportedAccount;
  const [receiptReference, receivedAt] = [newId(), new Date()];
  const way = wayOf(POOL_PROVIDER, account.code);
  await db.transaction(async (tx) => {
    const receivedFrom = { provider: way, receiptReference, amount, receivedAt };
    const payin = { kind: "received" as const, amount, clearing: clearingOf(way) };
    await applyInTransaction(tx, [{ projectId, requestId, actor: "test", payin, receivedFrom }]);
    await insertBankLines(tx, [
      {
        ...{
          accountId: account.id,
          id: newId(),
          reference: receiptReference,
          direction: "credit",
          currency: RUB,
          amount,
        },
        ...{ bookedFrom: receivedAt, bookedTo: receivedAt, bookedDay: receivedAt.toISOString().slice(0, 10) },
        ...{ payer: null, outcome: "other_amount", projectId, requestId, actor: "test" },
      },
    ]);
  });
}

const world: ConformanceWorld = {
  connector: () => connector,
  impatient: () => connector,
  unreachable: () => unreachable,
  trouble: async (_kind, reference) => void lostAfter.add(reference),
  troubleBefore: async (reference) => void lostBefore.add(reference),
  payin: (reference, wish) => {
    amountNext += 1_000n;
    return {
      ...{ reference, projectId, method: "card-p2p", currency: wish === "usual" ? RUB : KZT, bank: undefined },
      amount: amountNext as Minor,
      expiresAt: new Date(Date.now() + 900_000),
      ...ASKED_FOR,
    };
  },
  payout: (reference, wish) => ({
    ...{ reference, projectId, method: "sbp-p2p", amount: minor(5_000), currency: wish === "usual" ? RUB : KZT },
    receiver: { type: "phone", phone: "+70000000000", bank: "sberbank" },
    ...CUSTOMER,
  }),
  moneyArrives,
  payoutEnds: async (reference, end) => {
    await db.run({
      text: "update hand_payouts set outcome = $2, ended_at = now(), ended_by = 'test', account_id = $3 where reference = $1",
      values: [reference, end, accounts[0]?.id],
    });
  },
  payinIsDeclined: async (reference) => {
    await db.run({ text: "update lendings set withdrawn_at = now() where reference = $1", values: [reference] });
  },
  listLeft: async (reference) => {
    const left = await db.run<{ amount: Minor }>({
      text: "select amount from hand_payouts where reference = $1 and outcome = 'approved'",
      values: [reference],
    });
    return left.map(({ amount }) => amount);
  },
  notifications: undefined,
};

describeConformance("pool", world);

describe("a payment that waits for a person", () => {
  it("gives its place back once, and what comes for it is reported as before", async () => {
    const request = world.payin(newId(), "usual");
    expect(await connector.askForRequisites(request)).toMatchObject({ kind: "issued" });
    await paymentOf(request.reference);
    const live = async () => {
      const [row] = await db.run<{ live: number }>({
        text: "select sum(live_count)::int as live from receiving_accounts",
      });
      return row?.live ?? 0;
    };
    const before = await live();
    lostAfter.add(request.reference);
    expect(await connector.freePlace?.(request.reference)).toEqual({ kind: "unknown" });
    for (let time = 0; time < 2; time += 1)
      expect(await connector.freePlace?.(request.reference)).toEqual({ kind: "done" });
    expect(await live()).toBe(before - 1);
    await moneyArrives(request.reference, request.amount);
    const state = await connector.askPayinState(request.reference);
    expect(state).toMatchObject({ kind: "open", receipts: [{ amount: request.amount }] });
    expect(await connector.releaseRequisites(request.reference)).toEqual({ kind: "done" });
    expect(await live()).toBe(before - 1);
  });
});
