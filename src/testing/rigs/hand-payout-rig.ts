import { expect } from "vitest";
import { findHouseProject } from "../../app/ledger/house-project.ts";
import type { Connector } from "../../core/connector.ts";
import type { Id } from "../../core/ids.ts";
import { type Recorded, recordLines } from "../../pool/app/record-lines.ts";
import type { ReportedAccount, ReportedLine } from "../../pool/app/reported-lines.ts";
import { openPoolConnector } from "../../pool/connector/connector.ts";
import { payoutCodeOf } from "../../pool/core/hand-payout.ts";
import { findHandPayoutOf } from "../../pool/store/hand-payouts.ts";
import type { Database, Transaction } from "../../store/db.ts";
import { lockPayments, type PaymentKey } from "../../store/payments/payments.ts";
import { minor, RUB } from "../builders/projects.ts";
import { aDesk } from "../builders/receiving-accounts.ts";
import type { TestDatabase } from "../database/test-database.ts";
import { waitUntilBlocked } from "../database/wait-until-blocked.ts";
import { useWorkerRig } from "./worker-rig.ts";

const PAYOUT_AMOUNT = 1_000;

type Debit = {
  readonly reference: string;
  readonly amount?: number;
  readonly payer?: string;
  readonly bookedAt?: Date;
};
type Wish = {
  readonly amount?: number;
  readonly others?: readonly Connector[];
  readonly projectId?: Id;
  readonly paymentId?: string;
};

/** Payouts that wait for a person: brought there by the worker through the pool's own connector, on a real database. */
export function useHandPayoutRig(database: TestDatabase) {
  const { db, openAnother } = database;
  const rig = useWorkerRig(database);
  const { keyring } = rig.deps;
  const pool = openPoolConnector(aDesk(db, keyring));
  const codes = new Map<Id, string>();

  const lineOf = (account: ReportedAccount, debit: Debit): ReportedLine => {
    const at = debit.bookedAt ?? new Date();
    return {
      ...{ account, reference: debit.reference, direction: "debit", currency: RUB, payer: debit.payer },
      amount: minor(debit.amount ?? PAYOUT_AMOUNT),
      booked: { kind: "instant", from: at, to: at },
    };
  };

  return {
    ...rig,
    db,
    keyring,
    pool,
    aWaitingPayout: async ({ others = [], ...wish }: Wish = {}): Promise<PaymentKey> => {
      const { projectId, requestId } = await rig.aPayout([pool, ...others], wish);
      const key = { projectId, requestId };
      await rig.workOff();
      const waiting = await rig.find(key);
      expect(waiting).toMatchObject({ state: "processing:payout_process", provider: "pool" });
      codes.set(requestId, payoutCodeOf(waiting.reference ?? ""));
      return key;
    },
    /** What the bank was told as its purpose. */
    codeOf: ({ requestId }: PaymentKey) => codes.get(requestId) ?? expect.unreachable("nobody is to pay it"),
    importDebits: (account: ReportedAccount, ...debits: Debit[]): Promise<Recorded[]> =>
      recordLines(
        { db, keyring },
        debits.map((debit) => lineOf(account, debit)),
        "olga",
      ),
    byHandOf: async (key: PaymentKey) => (await findHandPayoutOf(db, key)) ?? expect.unreachable("nobody was asked"),
    houseOf: async (): Promise<PaymentKey> => {
      const projectId = await db.transaction((tx) => findHouseProject(tx, "live"));
      return { projectId: projectId as Id, requestId: projectId as Id };
    },
    callbacksOf: async ({ projectId, requestId }: PaymentKey): Promise<readonly string[]> => {
      const rows = await db.run<{ status: string }>({
        text: `select body #>> '{status,status}' as status from callbacks
                where project_id = $1 and request_id = $2 order by sequence`,
        values: [projectId, requestId],
      });
      return rows.map(({ status }) => status);
    },
    /** Both meet the same lock, the first before the second, and then go on. */
    inRace: async <A, B>(lock: RaceLock, first: () => Promise<A>, second: () => Promise<B>): Promise<[A, B]> => {
      const another = openAnother();
      try {
        return await race({ db, another, lock }, first, second);
      } finally {
        await another.close();
      }
    },
  };
}

export type RaceLock = (tx: Transaction) => Promise<unknown>;

export function onPayment(key: PaymentKey): RaceLock {
  return (tx) => lockPayments(tx, [key]);
}

type Track = { readonly db: Database; readonly another: Database; readonly lock: RaceLock };

function race<A, B>(track: Track, first: () => Promise<A>, second: () => Promise<B>): Promise<[A, B]> {
  const { db, another, lock } = track;
  let started: Promise<[A, B]> | undefined;
  const held = another.transaction(async (tx) => {
    await lock(tx);
    const one = first();
    await waitUntilBlocked(db, 1);
    const two = second();
    await waitUntilBlocked(db, 2);
    started = Promise.all([one, two]);
  });
  return held.then(() => started as Promise<[A, B]>);
}
