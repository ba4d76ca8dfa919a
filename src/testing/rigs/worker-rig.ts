import { afterEach, expect, vi } from "vitest";
import { type Directory, loadDirectory } from "../../app/merchants/directory.ts";
import { openApplyPayments } from "../../app/payments/apply-payments.ts";
import { openCreatePayments } from "../../app/payments/create-payments.ts";
import { sealReceiver } from "../../app/payments/payment-secrets.ts";
import type { Connector } from "../../core/connector.ts";
import type { Id } from "../../core/ids.ts";
import type { Direction } from "../../core/merchants/methods.ts";
import { openLog } from "../../platform/log.ts";
import { newId } from "../../platform/new-id.ts";
import type { Keyring } from "../../platform/secrets.ts";
import type { Database } from "../../store/db.ts";
import { listBalances } from "../../store/ledger/balances.ts";
import { endPause, insertPause, type PauseKind } from "../../store/merchants/pauses.ts";
import { saveProjectRoute } from "../../store/merchants/project-routes.ts";
import { listAttempts } from "../../store/payments/attempts.ts";
import type { NewPayout } from "../../store/payments/create-payments.ts";
import { movePayments } from "../../store/payments/move-clock.ts";
import { findPayment, type PaymentKey, type StoredPayment } from "../../store/payments/payments.ts";
import { startWorker, type Worker, type WorkerDeps, type WorkerOptions } from "../../worker/runner.ts";
import { aNewPayin, aNewPayout, PAYMENT_AMOUNT, ratesOf, WITH_CALLBACKS } from "../builders/new-payments.ts";
import { aProject, credit, minor, testKeyring } from "../builders/projects.ts";
import type { TestDatabase } from "../database/test-database.ts";

/** The worker on a real database, with providers that a test plays. It works when it is told to, and not in between. */
export type WorkerRig = {
  readonly deps: WorkerDeps;
  readonly aPayin: (providers: readonly Connector[], change?: NewChange) => Promise<PaymentKey>;
  readonly aPayout: (providers: readonly Connector[], change?: NewChange) => Promise<PaymentKey>;
  /** Works on everything that is due until nothing is. */
  readonly workOff: () => Promise<void>;
  /** Makes the payment due, and works it off. */
  readonly look: (name: PaymentKey) => Promise<StoredPayment>;
  /** Lets time pass for the payment's project, and works off what is due then. */
  readonly passTime: (name: PaymentKey, seconds: number) => Promise<StoredPayment>;
  /** A worker that goes on by itself, with batches of its own as in another process; stopped at the end of the test. */
  readonly startWorker: (change?: Partial<WorkerDeps>) => Worker;
  /** The same, but it takes one payment at a time: while that one hangs, it takes over nothing, not even from itself. */
  readonly startSlowWorker: (change?: Partial<WorkerDeps>) => Worker;
  /** The same, with so many places, of which providers that hang leave some to the others. */
  readonly startSmallWorker: (options: WorkerOptions) => Worker;
  /** Ends the lease of whoever works on it, as if it had been silent for that long. */
  readonly endLease: (name: PaymentKey) => Promise<void>;
  readonly find: (name: PaymentKey) => Promise<StoredPayment>;
  readonly attemptsOf: (name: PaymentKey) => Promise<readonly string[]>;
  /** [available, locked] */
  readonly balanceOf: (name: PaymentKey) => Promise<readonly bigint[]>;
  readonly sumOf: (name: PaymentKey, account: string) => Promise<bigint>;
  readonly pause: (kind: PauseKind, name: string) => Promise<void>;
  readonly resume: (kind: PauseKind, name: string) => Promise<void>;
  readonly errors: string[];
};

type NewChange = {
  readonly amount?: number;
  readonly paymentSystem?: string;
  readonly projectId?: Id;
  readonly paymentId?: string;
  /** Weights and conditions of the route. */
  readonly rules?: string;
};

const CREDITED = 100_000n;
const RECEIVER = { type: "card", pan: "4242424242424242", holder: undefined } as const;
const WAIT = { timeout: 60_000, interval: 5 };

export function useWorkerRig({ db }: TestDatabase): WorkerRig {
  const keyring = testKeyring();
  const creates = openCreatePayments(db);
  const providers = new Map<string, Connector>();
  const errors: string[] = [];
  const workers: Worker[] = [];
  /** Read anew after every change that is made here. */
  let directory: Promise<Directory> | undefined;
  const log = openLog({ level: "error", destination: { write: (line: string) => void errors.push(line) } });
  const currentDirectory = () => {
    directory ??= loadDirectory(db, keyring, log, undefined);
    return directory;
  };
  const findConnector = (code: string) => providers.get(code);
  const deps: WorkerDeps = { db, log, keyring, apply: openApplyPayments(db), currentDirectory, findConnector };
  afterEach(async () => {
    await Promise.all(workers.splice(0).map((worker) => worker.stop()));
    expect(errors.splice(0)).toEqual([]);
    // What one test leaves behind is not worked on in the next.
    await db.run({ text: "update payments set due_at = null, lease_until = null where due_at is not null" });
  });

  const probes = openProbes(db);
  const { find } = probes;
  const workOff = async () => {
    const worker = startWorker(deps);
    await vi.waitFor(async () => expect(await countUnderWay(db)).toBe(0), WAIT);
    await worker.stop();
  };
  const startAnother = (change: Partial<WorkerDeps>, options: WorkerOptions = {}) => {
    const worker = startWorker({ ...deps, apply: openApplyPayments(db), ...change }, options);
    workers.push(worker);
    return worker;
  };
  const aRouted = async (direction: Direction, through: readonly Connector[], change: NewChange) => {
    for (const provider of through) providers.set(provider.code, provider);
    const projectId = change.projectId ?? (await aProject(db, "live")).projectId;
    if (direction === "payout" && change.projectId === undefined) await credit(db, projectId, CREDITED);
    const route = routeThrough(projectId, direction, through, change);
    if (through.length > 0) await db.transaction((tx) => saveProjectRoute(tx, route));
    directory = undefined;
    return projectId;
  };

  return {
    deps,
    errors,
    ...probes,
    workOff,
    aPayin: async (through, change = {}) => {
      const payin = aNewPayin(await aRouted("payin", through, change), termsOf(change));
      expect(await creates.payin(payin)).toMatchObject({ ok: true });
      return payin;
    },
    aPayout: async (through, change = {}) => {
      const projectId = await aRouted("payout", through, change);
      const payout = aNewPayout(projectId, { ...termsOf(change), ...toCard(keyring) });
      expect(await creates.payout(payout)).toMatchObject({ ok: true });
      return payout;
    },
    look: async (name) => {
      await makeDue(db, name);
      await workOff();
      return find(name);
    },
    passTime: async (name, seconds) => {
      await movePayments(db, name.projectId, seconds);
      await workOff();
      return find(name);
    },
    startWorker: (change) => startAnother({ ...change }),
    startSlowWorker: (change) => startAnother({ ...change }, { inFlightMax: 1 }),
    startSmallWorker: (options) => startAnother({}, options),
    pause: async (kind, name) => {
      await db.transaction((tx) => insertPause(tx, { id: newId(), kind, name, reason: "test", actor: "test" }));
      directory = undefined;
    },
    resume: async (kind, name) => {
      await db.transaction((tx) => endPause(tx, kind, name, "test"));
      directory = undefined;
    },
  };
}

function routeThrough(projectId: Id, direction: Direction, through: readonly Connector[], { rules }: NewChange) {
  const providers = through.map(({ code }) => code);
  return { projectId, direction, method: "card-p2p", providers, rules: rules ?? null } as const;
}

/** How a test looks at a payment, or takes it from its worker. */
type Probes = Pick<WorkerRig, "find" | "endLease" | "attemptsOf" | "balanceOf" | "sumOf">;

function openProbes(db: Database): Probes {
  return {
    find: async ({ projectId, requestId }: PaymentKey) => {
      const payment = await findPayment(db, projectId, requestId);
      if (payment === undefined) throw new Error("there is no such payment");
      return payment;
    },
    endLease: async ({ projectId, requestId }) => {
      await db.run({
        text: "update payments set lease_until = now() - interval '1 second' where project_id = $1 and request_id = $2",
        values: [projectId, requestId],
      });
      await db.run({ text: "select pg_notify('tillgate_due', '')" });
    },
    attemptsOf: async ({ projectId, requestId }) =>
      (await listAttempts(db, projectId, requestId)).map(({ provider, outcome }) => `${provider} ${outcome}`),
    balanceOf: async ({ projectId }) => {
      const [balance] = await listBalances(db, [projectId]);
      return [balance?.available ?? 0n, balance?.locked ?? 0n];
    },
    sumOf: async ({ projectId }, account) => {
      const [row] = await db.run<{ sum: string }>({
        text: "select coalesce(sum(amount), 0)::text as sum from entries where project_id = $1 and account = $2",
        values: [projectId, account],
      });
      return BigInt(row?.sum ?? 0);
    },
  };
}

/** The names of a payout to a card: its receiver is sealed for its own id. */
export function toCard(keyring: Keyring): Pick<NewPayout, "requestId" | "receiver"> {
  const requestId = newId();
  return { requestId, receiver: sealReceiver(keyring, requestId, RECEIVER) };
}

/** With a fee of 1 %. */
function termsOf({ amount = PAYMENT_AMOUNT, paymentSystem, paymentId = newId() }: NewChange) {
  const request = { ...WITH_CALLBACKS.request, ...(paymentSystem === undefined ? {} : { paymentSystem }) };
  return { ...ratesOf(100), amount: minor(amount), paymentId, request };
}

async function makeDue(db: Database, { projectId, requestId }: PaymentKey): Promise<void> {
  await db.run({
    text: "update payments set due_at = now() where project_id = $1 and request_id = $2",
    values: [projectId, requestId],
  });
}

/** Due now, or being worked on. */
async function countUnderWay(db: Database): Promise<number> {
  const [row] = await db.run<{ count: number }>({
    text: "select count(*)::int as count from payments where due_at <= now() or lease_until is not null",
  });
  return row?.count ?? 0;
}
