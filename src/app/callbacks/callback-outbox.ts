import type { Id } from "../../core/ids.ts";
import type { ClaimedCallback } from "../../store/callbacks/callback-queue.ts";
import {
  insertCallbacks,
  insertLeasedCallbacks,
  type NewCallback,
  notifyCallbacks,
} from "../../store/callbacks/callbacks.ts";
import type { Transaction } from "../../store/db.ts";

/**
 * Sends callbacks from memory right after the commit that writes them. The queue in the database is the safety net: what there is
 * no room for here is due at once, and what a process held when it died is due when its lease ends.
 */
export type CallbackOutbox = {
  /** Chooses those that there is room for. The place is kept for them until the reservation is closed. */
  readonly reserve: (callbacks: readonly NewCallback[]) => Reservation | undefined;
};

type Reservation = {
  readonly ids: ReadonlySet<Id>;
  readonly leaseS: number;
  /** They are committed. */
  readonly send: (callbacks: readonly ClaimedCallback[]) => void;
  readonly close: () => void;
};

/** Writes the callbacks of a transaction. */
export type WriteCallbacks = (tx: Transaction, callbacks: readonly NewCallback[]) => Promise<void>;

/** By the queue: any process that delivers callbacks takes them. */
export const writeDueCallbacks: WriteCallbacks = async (tx, callbacks) => {
  await insertCallbacks(tx, callbacks);
  await notifyCallbacks(tx);
};

/** The callbacks of one transaction. */
export type Parcel = {
  readonly write: WriteCallbacks;
  /** The transaction is committed. */
  readonly send: () => void;
  /** The transaction is over, however it ended; where it is unknown how, the callbacks are due when their leases end. */
  readonly close: () => void;
};

export function openParcel(outbox: CallbackOutbox | undefined): Parcel {
  const written: { readonly reservation: Reservation; readonly callbacks: readonly ClaimedCallback[] }[] = [];
  const reservations: Reservation[] = [];
  return {
    write: async (tx, callbacks) => {
      const reservation = outbox?.reserve(callbacks);
      if (reservation === undefined) return writeDueCallbacks(tx, callbacks);
      reservations.push(reservation);
      written.push({ reservation, callbacks: await insertLeasedCallbacks(tx, callbacks, reservation) });
      if (reservation.ids.size < callbacks.length) await notifyCallbacks(tx);
    },
    send: () => {
      for (const { reservation, callbacks } of written) reservation.send(callbacks);
    },
    close: () => {
      for (const reservation of reservations) reservation.close();
    },
  };
}

/** The outbox of a process, which may get a runner of callbacks later, or none. */
export type OutboxSlot = CallbackOutbox & { readonly fill: (outbox: CallbackOutbox) => void };

export function openOutboxSlot(): OutboxSlot {
  let filled: CallbackOutbox | undefined;
  return {
    fill: (outbox) => {
      filled = outbox;
    },
    reserve: (callbacks) => filled?.reserve(callbacks),
  };
}
