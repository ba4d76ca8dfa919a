import type { Connector } from "../../core/connector.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Log } from "../../platform/log.ts";
import type { Keyring } from "../../platform/secrets.ts";
import type { Database } from "../../store/db.ts";
import type { StoredPayment } from "../../store/payments/payments.ts";
import type { Directory } from "../merchants/directory.ts";
import type { ApplyPayment } from "./apply-payments.ts";
import type { PaymentEvent } from "./payment-event.ts";

/** What the jobs work with. */
export type JobDeps = {
  readonly db: Database;
  readonly apply: ApplyPayment;
  readonly keyring: Keyring;
  /** The database's: deadlines are made by it, and must not be judged by that of a machine that goes wrong. */
  readonly clock: Clock;
  /** The lease under which this look is made; undefined: a hint is followed, and no lease was taken for it. */
  readonly lease: HeldLease | undefined;
  readonly log: Log;
  readonly currentDirectory: () => Directory | Promise<Directory>;
  readonly findConnector: (code: string) => Connector | undefined;
};

/** A lease in this process's hands. It is renewed while the look goes on. */
export type HeldLease = {
  /** False: it was not renewed in time, by this process's own clock, so that another worker may have the payment by now. */
  readonly isHeld: () => boolean;
  /** Its end as the database has it. From then on it is not renewed, so that it can be given back. */
  readonly settle: () => Promise<Date>;
};

/** What a job leaves behind: the payment as it is now, and what the provider was told. */
export type Look = {
  readonly payment: StoredPayment;
  readonly confirmTold?: true;
  readonly released?: true;
  readonly unknown?: true;
  /** The provider has it and has not decided, and a payer waits for that. */
  readonly pending?: true;
  /** The payment is over, and what the provider said of it is neither yes nor no. */
  readonly uncertain?: true;
  /** What happened last has given the lease back and planned the next look: this says for when. */
  readonly ended?: { readonly dueAt: Date | null };
};

/** For the last thing that happens in a look. */
export async function endOf({ lease }: Pick<JobDeps, "lease">): Promise<Pick<PaymentEvent, "endsLook">> {
  return lease === undefined ? {} : { endsLook: { leaseUntil: await lease.settle() } };
}
