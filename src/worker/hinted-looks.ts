import { expectProvider } from "../app/payments/choose-route.ts";
import { finishedLook, untouchedLook } from "../app/payments/finish-look.ts";
import type { HeldLease, JobDeps } from "../app/payments/look.ts";
import { isLeased } from "../app/payments/queue-after.ts";
import { openWriteHint } from "../app/payments/take-notification.ts";
import { groupReads } from "../app/processes/group-reads.ts";
import type { Id } from "../core/ids.ts";
import { kindOf } from "../core/payments/kinds.ts";
import { dutyOf, waitsForRoom } from "../core/payments/provider-duties.ts";
import type { PaymentState } from "../core/payments/states.ts";
import type { Clock } from "../platform/clock.ts";
import {
  type FinishedLook,
  findByReferences,
  type HintedPayment,
  type ProviderHint,
} from "../store/payments/claims.ts";
import type { PaymentKey, StoredPayment } from "../store/payments/payments.ts";
import { clockFrom, JOBS } from "./jobs.ts";
import type { KeptLease, LeaseKeeper } from "./lease-keeper.ts";

/**
 * Follows a provider's hint at once, in memory: the payment is read, the provider asked, and what it says applied to the
 * payment as it is by then. Nothing is written before that, neither the hint nor a lease. If the process dies, only the
 * hint is lost, and the next look comes by the schedule. Whatever is not simple is left to the queue.
 */
export type HintedLooks = {
  /** True where the provider is about to be asked about the same request: that will bring this news too. */
  readonly isExpected: (hint: ProviderHint) => boolean;
  /** The provider that must be asked; undefined: there is nothing to do here, or the queue has it now. */
  readonly prepare: (hint: ProviderHint) => Promise<PreparedHint | undefined>;
  readonly look: (prepared: PreparedHint) => Promise<void>;
  /** Leaves the hint to the queue. */
  readonly leave: (hint: ProviderHint) => Promise<void>;
};

type PreparedHint = { readonly hint: ProviderHint; readonly payment: HintedPayment; readonly provider: string };

export type HintedLooksDeps = Omit<JobDeps, "clock" | "lease"> & {
  readonly leases: LeaseKeeper<PaymentKey>;
  readonly end: (look: FinishedLook, lease: HeldLease | undefined) => Promise<void>;
  /** Ends when this process's look at the payment does; undefined: there is none now. */
  readonly findLook: (requestId: Id) => Promise<void> | undefined;
};

/** So often a hint waits for a look at the same payment to end, before it is left to the queue. */
const LOOKS_WAITED_FOR = 3;

export function openHintedLooks(deps: HintedLooksDeps): HintedLooks {
  const read = groupReads(async (keys: readonly string[]) => {
    const rows = await findByReferences(deps.db, keys.map(hintOf));
    return new Map(rows.map((row) => [keyOf(row.hint), row]));
  });
  const leave = openWriteHint(deps.db);
  /** Hints that were taken, and whose provider was not asked yet. */
  const expected = new Set<string>();

  /** A look that is under way may have asked the provider before there was news. */
  async function readAfterLooks(hint: ProviderHint): Promise<HintedPayment | undefined> {
    for (let waited = 0; ; waited += 1) {
      const payment = await read(keyOf(hint));
      const underWay = payment && deps.findLook(payment.requestId);
      if (underWay === undefined || waited === LOOKS_WAITED_FOR) return payment;
      await underWay;
    }
  }

  async function prepare(hint: ProviderHint): Promise<PreparedHint | undefined> {
    const payment = await readAfterLooks(hint);
    if (payment === undefined) return undefined;
    if (isSimple(payment)) return { hint, payment, provider: await expectProvider(deps, payment) };
    expected.delete(keyOf(hint));
    await leave(hint);
    return undefined;
  }

  async function giveBack({ lease, taken }: TakingApply, clock: Clock): Promise<void> {
    const [held, payment] = [lease(), taken()];
    if (held === undefined || payment === undefined) return;
    await deps.end(untouchedLook(payment, await held.settle(), clock, 0), held);
  }

  return {
    isExpected: (hint) => expected.has(keyOf(hint)),
    leave: async (hint) => {
      expected.delete(keyOf(hint));
      await leave(hint);
    },
    prepare: async (hint) => {
      expected.add(keyOf(hint));
      let prepared: PreparedHint | undefined;
      try {
        prepared = await prepare(hint);
        return prepared;
      } finally {
        if (prepared === undefined) expected.delete(keyOf(hint));
      }
    },
    look: async ({ hint, payment }) => {
      expected.delete(keyOf(hint));
      const clock = clockFrom(payment.now);
      const taking = openTakingApply(deps);
      try {
        const look = await JOBS[kindOf(payment)]({ ...deps, apply: taking.apply, clock, lease: undefined }, payment);
        const lease = taking.lease();
        if (lease !== undefined)
          await deps.end(finishedLook(look, await lease.settle(), new Date(clock.nowMs())), lease);
        else if (look.unknown === true || look.uncertain === true) await leave(hint);
      } catch (error) {
        await giveBack(taking, clock).catch(() => undefined);
        throw error;
      } finally {
        taking.lease()?.drop();
      }
    },
  };
}

/** What makes the payment due takes its lease; from then on it is like any payment that was claimed. */
type TakingApply = {
  readonly apply: JobDeps["apply"];
  readonly lease: () => KeptLease | undefined;
  /** The payment as it was when its lease was taken. */
  readonly taken: () => StoredPayment | undefined;
};

function openTakingApply({ apply, leases }: Pick<HintedLooksDeps, "apply" | "leases">): TakingApply {
  let lease: KeptLease | undefined;
  let taken: StoredPayment | undefined;
  return {
    lease: () => lease,
    taken: () => taken,
    apply: async (event) => {
      if (lease !== undefined) return apply(event);
      const { byWorker: _byWorker, ...unheld } = event;
      const askedMs = performance.now();
      const applied = await apply({ ...unheld, takesLease: true });
      if (applied.ok && applied.value.tookLease && applied.value.leaseUntil !== null) {
        taken = applied.value;
        lease = leases.keep(applied.value, applied.value.leaseUntil, askedMs);
      }
      return applied;
    },
  };
}

/** States in which a look may begin something at a provider, which takes a lease. Elsewhere it asks, and applies the answer. */
const BEGINNING: ReadonlySet<PaymentState> = new Set(["processing:new", "processing:requisites"]);

/** Of charges those that were settled: an acquirer answers a charge, and then notifies of it. */
function isSimple(payment: HintedPayment): boolean {
  return (
    (kindOf(payment) !== "card" || payment.state === "success") &&
    !BEGINNING.has(payment.state) &&
    payment.reference === payment.hint.reference &&
    payment.unprovenEnd === null &&
    dutyOf(payment) === undefined &&
    !waitsForRoom(payment) &&
    !payment.hinted &&
    !isLeased(payment)
  );
}

function keyOf({ provider, reference }: ProviderHint): string {
  return `${provider} ${reference}`;
}

/** A provider's code has no space. */
function hintOf(key: string): ProviderHint {
  const end = key.indexOf(" ");
  return { provider: key.slice(0, end), reference: key.slice(end + 1) };
}
