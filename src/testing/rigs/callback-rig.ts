import { afterAll, afterEach, beforeAll, expect, vi } from "vitest";
import { type CallbackOutbox, openParcel } from "../../app/callbacks/callback-outbox.ts";
import { openCallbackSigner } from "../../app/callbacks/callback-signer.ts";
import { configureProject } from "../../app/merchants/merchants.ts";
import { type DirectoryWatch, watchDirectory } from "../../app/merchants/watch-directory.ts";
import { openCreatePayments } from "../../app/payments/create-payments.ts";
import { moveClock } from "../../app/payments/move-clock.ts";
import { callbackBody } from "../../core/callbacks/body.ts";
import type { Id } from "../../core/ids.ts";
import { isFinal, type PaymentState } from "../../core/payments/states.ts";
import { systemClock } from "../../platform/clock.ts";
import { openEgress } from "../../platform/http-out/egress.ts";
import type { EgressLimits } from "../../platform/http-out/limits.ts";
import { openLog } from "../../platform/log.ts";
import { newId } from "../../platform/new-id.ts";
import type { NewCallback } from "../../store/callbacks/callbacks.ts";
import type { Database } from "../../store/db.ts";
import type { NewPayin } from "../../store/payments/create-payments.ts";
import {
  type CallbackRunner,
  type CallbackRunnerOptions,
  startCallbackRunner,
} from "../../worker/callbacks/callback-runner.ts";
import { aNewPayin, ratesOf } from "../builders/new-payments.ts";
import { aProject, minor, testKeyring } from "../builders/projects.ts";
import type { TestDatabase } from "../database/test-database.ts";
import { type AnswerCallback, type CallbackReceiver, openCallbackReceiver } from "../http/callback-receiver.ts";

/** Everything that delivers callbacks, on real sockets and a real database, without the rest of the service. */
export type CallbackRig = {
  readonly keyring: ReturnType<typeof testKeyring>;
  readonly directory: () => DirectoryWatch;
  /** A runner as one process has it; stopped after the test. */
  readonly run: (options?: RunOptions) => CallbackRunner;
  readonly receiver: (answer?: AnswerCallback) => Promise<CallbackReceiver>;
  /** A receiver that answers when the test says so. */
  readonly holdingReceiver: () => Promise<{ readonly receiver: CallbackReceiver; readonly release: () => void }>;
  /** A project that every runner knows, whose callbacks go to the receiver. */
  readonly shop: (receiver: CallbackReceiver, signing?: "rsa" | "hmac") => Promise<Shop>;
  /** Payments with callbacks that are due, all in one commit; by way of a runner's outbox if one is given. */
  readonly tell: (shop: Shop, payments: readonly ToldPayment[], by?: TellOptions) => Promise<void>;
  /** As a tester moves it, with an outside world that always agrees. */
  readonly moveClock: (shop: Shop, seconds: number) => Promise<void>;
  readonly callbacksOf: (projectId: Id) => Promise<StoredCallback[]>;
  readonly logLines: () => readonly string[];
};

type RunOptions = CallbackRunnerOptions & {
  readonly limits?: Partial<EgressLimits>;
  /** Connections of its own, as another process has. */
  readonly db?: Database;
  readonly isPaused?: () => boolean;
};

type TellOptions = {
  readonly outbox?: CallbackOutbox;
  /** Once they are written, and not committed yet. */
  readonly beforeCommit?: () => Promise<void>;
  /** The process dies right after the commit. */
  readonly dies?: boolean;
};

export type Shop = { readonly projectId: Id; readonly url: string };

/** A payment, and the states that callbacks are to tell of; the first is its sequence 2. */
type ToldPayment = {
  readonly requestId: Id;
  readonly states: readonly PaymentState[];
  readonly url?: string;
  /** Of the first, when earlier ones are there already. */
  readonly firstSequence?: number;
};

type StoredCallback = {
  readonly id: Id;
  readonly requestId: Id;
  readonly sequence: number;
  readonly state: string;
  readonly attemptCount: number;
  readonly dueInS: number | null;
  readonly leased: boolean;
};

/** The states that callbacks tell of, of a pay-in that goes well. */
export const LIFE: readonly PaymentState[] = [
  "processing:requisites",
  "processing:awaiting_confirm",
  "processing:paid",
  "success",
];

/** A receiver of a test that is slow is on a busy machine, and no fault. Less than the lease of what is sent. */
const PATIENT: Partial<EgressLimits> = {
  totalTimeoutMs: 28_000,
  lookupTimeoutMs: 25_000,
  freeConnectionTimeoutMs: 25_000,
  connectTimeoutMs: 25_000,
};

/** Shorter than the patience of `eventually`: what a runner left behind on a busy machine comes again within it. */
const PATIENT_LEASE_S = 45;

export function useCallbackRig({ db }: TestDatabase): CallbackRig {
  const keyring = testKeyring();
  const lines: string[] = [];
  const log = openLog({ level: "info", destination: { write: (line) => lines.push(line) } });
  const creates = openCreatePayments(db);
  const runners: CallbackRunner[] = [];
  const receivers: CallbackReceiver[] = [];
  let watch: DirectoryWatch | undefined;

  const directory = () => {
    if (watch === undefined) throw new Error("only within a test");
    return watch;
  };
  beforeAll(async () => {
    watch = await watchDirectory({ db, keyring, log });
  });
  afterEach(async () => {
    // The receivers first: what hangs there is over then, and no runner waits for it.
    await Promise.all(receivers.splice(0).map((receiver) => receiver.close()));
    await Promise.all(runners.splice(0).map((runner) => runner.stop()));
    // What is left would be sent by the runner of the next test.
    await db.run({
      text: "update callbacks set state = 'dead', due_at = null, lease_until = null where state = 'pending'",
    });
  });
  afterAll(() => watch?.close());

  async function receiver(answer?: AnswerCallback): Promise<CallbackReceiver> {
    const opened = await openCallbackReceiver(answer);
    receivers.push(opened);
    return opened;
  }

  async function shop({ url }: CallbackReceiver, signing: "rsa" | "hmac" = "hmac"): Promise<Shop> {
    const { projectId } = await aProject(db);
    const settings = { callbackUrl: `${url}/callbacks`, callbackSigning: signing };
    await configureProject(db, projectId, { settings });
    await vi.waitFor(
      async () => expect((await directory().current()).projects.get(projectId)?.callbackSigning).toBe(signing),
      { timeout: 60_000, interval: 5 },
    );
    return { projectId, url: `${url}/callbacks` };
  }

  async function tell({ projectId, url }: Shop, payments: readonly ToldPayment[], by: TellOptions = {}): Promise<void> {
    await Promise.all(
      payments.filter(({ firstSequence = 2 }) => firstSequence === 2).map((payment) => create(projectId, payment)),
    );
    await commit(
      db,
      payments.flatMap((payment) => callbacksFor(projectId, payment.url ?? url, payment)),
      by,
    );
  }

  async function create(projectId: Id, { requestId }: ToldPayment): Promise<void> {
    const created = await creates.payin(paymentOf(projectId, requestId));
    if (!created.ok) throw new Error(created.error);
  }

  return {
    keyring,
    directory,
    receiver,
    holdingReceiver: () => holding(receiver),
    shop,
    tell,
    run: ({ limits, db: own = db, isPaused = () => false, ...options } = {}) => {
      const shared = { db: own, keyring, log, clock: systemClock, currentDirectory: directory().current };
      const sign = openCallbackSigner({ ...shared, nowMs: systemClock.nowMs });
      const egress = openEgress({ mode: "development", limits: { ...PATIENT, ...limits } });
      const deps = { ...shared, egress, sign, isPaused, publicUrl: () => "http://127.0.0.1" };
      const runner = startCallbackRunner(deps, { leaseS: PATIENT_LEASE_S, ...options });
      runners.push(runner);
      return runner;
    },
    moveClock: async ({ projectId }, seconds) => {
      const moved = await moveClock({ db, moveSandboxClock: async () => true }, projectId, seconds);
      if (!moved.ok) throw new Error(moved.error);
    },
    callbacksOf: (projectId) => listStored(db, projectId),
    logLines: () => lines,
  };
}

async function holding(open: CallbackRig["receiver"]) {
  const held: (() => void)[] = [];
  const receiver = await open(async () => {
    await new Promise<void>((resolve) => held.push(resolve));
    return { status: 200 };
  });
  const release = () => {
    for (const resolve of held.splice(0)) resolve();
  };
  return { receiver, release };
}

function listStored(db: Database, projectId: Id): Promise<StoredCallback[]> {
  return db.run<StoredCallback>({
    text: `select id, request_id as "requestId", sequence, state, attempt_count as "attemptCount",
                  extract(epoch from due_at - now())::float8 as "dueInS", coalesce(lease_until > now(), false) as leased
             from callbacks where project_id = $1 order by request_id, sequence`,
    values: [projectId],
  });
}

async function commit(db: Database, callbacks: readonly NewCallback[], by: TellOptions): Promise<void> {
  const parcel = openParcel(by.outbox);
  try {
    await db.transaction(async (tx) => {
      await parcel.write(tx, callbacks);
      await by.beforeCommit?.();
    });
    if (by.dies !== true) parcel.send();
  } finally {
    parcel.close();
  }
}

export function paymentOf(projectId: Id, requestId: Id): NewPayin {
  return aNewPayin(projectId, { ...ratesOf(250), requestId, paymentId: requestId });
}

export function callbacksFor(projectId: Id, url: string, { requestId, states, firstSequence = 2 }: ToldPayment) {
  const { paymentId, method, currency, amount, fee } = paymentOf(projectId, requestId);
  return states.map((state, index): NewCallback => {
    const event = { id: newId(), sequence: firstSequence + index, createdAt: new Date() };
    const declineCode = state === "decline" ? "expired" : null;
    const subject = { projectId, requestId, paymentId, state, declineCode, method, currency, amount, fee };
    const sums = { requestedAmount: amount, receivedAmount: minor(0), statusDescription: null };
    const body = callbackBody({ ...subject, ...sums, direction: "payin" }, event);
    const waitsMaxS = isFinal(state) ? 900 : null;
    const { id, sequence } = event;
    return { projectId, id, requestId, sequence, url, origin: new URL(url).origin, waitsMaxS, body };
  });
}

/** Waits for something that happens by itself, however busy the machine is. */
export function eventually<T>(check: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(check, { timeout: 60_000, interval: 10 });
}
