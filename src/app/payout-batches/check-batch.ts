import { setImmediate as breathe } from "node:timers/promises";
import type { Id } from "../../core/ids.ts";
import { maskReceiver, receiverKey } from "../../core/payments/receiver.ts";
import type { BatchFault, BatchRecord } from "../../core/payout-batches/batch-file.ts";
import { newId } from "../../platform/new-id.ts";
import type { Keyring } from "../../platform/secrets.ts";
import type { Transaction } from "../../store/db.ts";
import { type BatchRow, insertBatchRows, listTakenPaymentIds } from "../../store/payout-batches/batch-rows.ts";
import { findBatchOfContent, insertBatch } from "../../store/payout-batches/batches.ts";
import { audit } from "../people/audit.ts";
import type { BatchActor, BatchDeps, BatchPlace, FindBodyFaults } from "./batch-deps.ts";
import { type CheckedRow, checkRows, ROWS_AT_ONCE } from "./check-rows.ts";
import { contentHashOf, customerIdOf, paymentIdOf, sealRowReceiver } from "./row-secrets.ts";

/** Where the rows come from. */
type BatchOrigin =
  | { readonly source: "form" }
  | { readonly source: "file"; readonly fileName: string }
  | { readonly source: "retry"; readonly retryOf: Id };

export type BatchWish = BatchActor &
  BatchPlace & {
    readonly origin: BatchOrigin;
    readonly findBodyFaults: FindBodyFaults;
  };

export type BatchChecked =
  /** Nothing is stored. */
  | { readonly kind: "faults"; readonly faults: readonly BatchFault[] }
  /** What the file says is paid, or will be, by this batch. */
  | { readonly kind: "same_file"; readonly id: Id }
  /** Every row is right, and waits for its author to confirm it. */
  | { readonly kind: "checked"; readonly id: Id };

/** Judges all rows, and stores them only where all of them are right. Nothing is paid by it. */
export async function checkBatch(
  deps: BatchDeps,
  wish: BatchWish,
  records: readonly BatchRecord[],
): Promise<BatchChecked> {
  const { project, directory, actor, findBodyFaults } = wish;
  const situation = { directory, project, authorAddress: actor.address, findBodyFaults };
  const checked = await checkRows(deps, situation, records);
  if (!checked.ok) return { kind: "faults", faults: checked.error };
  const rows = checked.value;
  const contentHash = wish.origin.source === "file" ? contentHashOf(deps.keyring, rows) : null;
  const id = newId();
  const sealed = await sealRows(deps.keyring, id, rows);
  return deps.db.transaction(async (tx): Promise<BatchChecked> => {
    const earlier = contentHash === null ? undefined : await findBatchOfContent(tx, project.id, contentHash);
    if (earlier !== undefined) return { kind: "same_file", id: earlier.id };
    const faults = await findTakenIds(tx, project.id, rows);
    if (faults.length > 0) return { kind: "faults", faults };
    await store(tx, wish, { id, contentHash, rows: sealed, repeatedCount: countRepeated(rows) });
    return { kind: "checked", id };
  });
}

async function findTakenIds(tx: Transaction, projectId: Id, rows: readonly CheckedRow[]): Promise<BatchFault[]> {
  const given = rows.flatMap(({ paymentId }) => (paymentId === undefined ? [] : [paymentId]));
  if (given.length === 0) return [];
  const taken = new Map(
    (await listTakenPaymentIds(tx, projectId, given)).map(({ paymentId, by }) => [paymentId, by] as const),
  );
  return rows.flatMap(({ line, paymentId }): BatchFault[] => {
    const by = paymentId === undefined ? undefined : taken.get(paymentId);
    if (by === undefined) return [];
    const message = by === "payment" ? "is that of a payout that exists" : "is that of a payout that waits in a batch";
    return [{ line, column: "payment_id", code: "payment_id_taken", message }];
  });
}

/** Rows with the receiver and the amount of an earlier row. */
function countRepeated(rows: readonly CheckedRow[]): number {
  const keys = rows.map(({ receiver, currency, amount }) => `${receiverKey(receiver)} ${currency} ${amount}`);
  return rows.length - new Set(keys).size;
}

async function sealRows(keyring: Keyring, batchId: Id, rows: readonly CheckedRow[]): Promise<BatchRow[]> {
  const sealed: BatchRow[] = [];
  for (const { line, paymentId, method, currency, amount, fee, description, customerId, receiver } of rows) {
    if (sealed.length % ROWS_AT_ONCE === 0) await breathe();
    sealed.push({
      ...{ line, method, currency, amount, expectedFee: fee, description: description ?? null },
      paymentId: paymentId ?? paymentIdOf(batchId, line),
      customerId: customerId ?? customerIdOf(keyring, receiver),
      receiver: sealRowReceiver(keyring, batchId, line, receiver),
      mask: maskReceiver(receiver),
      bank: receiver.type === "card" ? null : (receiver.bank ?? null),
    });
  }
  return sealed;
}

type Stored = {
  readonly id: Id;
  readonly contentHash: Buffer | null;
  readonly rows: readonly BatchRow[];
  readonly repeatedCount: number;
};

async function store(tx: Transaction, wish: BatchWish, stored: Stored): Promise<void> {
  const { merchantId, actor, project, origin } = wish;
  const { id, contentHash, rows, repeatedCount } = stored;
  const fileName = origin.source === "file" ? origin.fileName : null;
  await insertBatch(tx, {
    ...{ projectId: project.id, id, merchantId, book: project.book, source: origin.source, fileName, contentHash },
    retryOf: origin.source === "retry" ? origin.retryOf : null,
    ...{ rowCount: rows.length, repeatedCount, author: actor.id, authorAddress: actor.address },
  });
  await insertBatchRows(tx, { projectId: project.id, id }, rows);
  await audit(tx, {
    ...{ merchantId, actor, action: "payout_batch.check", subject: id },
    after: { source: origin.source, file_name: fileName, rows: rows.length },
  });
}
