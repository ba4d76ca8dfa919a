import type { PayoutReceiver } from "../../core/connector.ts";
import type { Id } from "../../core/ids.ts";
import { majorText } from "../../core/money.ts";
import { type BatchColumn, type BatchRecord, cellsOf } from "../../core/payout-batches/batch-file.ts";
import { type AccountFault, accountFault } from "../../core/people/account-fault.ts";
import { fail, ok, type Result } from "../../core/result.ts";
import { type BatchRow, listUnmadeRows } from "../../store/payout-batches/batch-rows.ts";
import { findShownBatch } from "../../store/payout-batches/read-batches.ts";
import type { Directory } from "../merchants/directory.ts";
import type { BatchActor, BatchDeps, FindBodyFaults } from "./batch-deps.ts";
import { NO_BATCH, projectIdsOf } from "./batch-scope.ts";
import { type BatchChecked, checkBatch } from "./check-batch.ts";
import { unsealRowReceiver } from "./row-secrets.ts";

export type RetryWish = BatchActor & {
  readonly id: Id;
  readonly directory: Directory;
  readonly findBodyFaults: FindBodyFaults;
};

/**
 * A new batch of the rows that did not become payments. They keep their payment ids, so that a row that is retried twice, or
 * that was paid after all, is paid once.
 */
export async function retryBatch(deps: BatchDeps, wish: RetryWish): Promise<Result<BatchChecked, AccountFault>> {
  const { directory, merchantId, actor, id, findBodyFaults } = wish;
  const batch = await findShownBatch(deps.db, projectIdsOf(directory, merchantId), id);
  const project = batch && directory.projects.get(batch.projectId);
  if (batch === undefined || project === undefined) return fail(NO_BATCH);
  if (batch.state !== "done") return fail(accountFault("wrong_state", "the batch has not ended yet"));
  const rows = await listUnmadeRows(deps.db, batch);
  if (rows.length === 0) return fail(accountFault("wrong_state", "every row of the batch became a payout"));
  const records = rows.map((row) => recordOf(row, unsealRowReceiver(deps.keyring, batch.id, row)));
  const place = { merchantId, actor, directory, project, findBodyFaults };
  return ok(await checkBatch(deps, { ...place, origin: { source: "retry", retryOf: batch.id } }, records));
}

/** As its author wrote it. */
function recordOf(row: BatchRow, receiver: PayoutReceiver): BatchRecord {
  const { line, paymentId, method, currency, amount, description, customerId } = row;
  const cells: Partial<Record<BatchColumn, string>> = {
    ...{ payment_id: paymentId, method, currency, amount: majorText(amount, currency), customer_id: customerId },
    ...(description === null ? {} : { description }),
    ...cellsOfReceiver(receiver),
  };
  return { line, cells: cellsOf(Object.entries(cells) as [BatchColumn, string][]) };
}

function cellsOfReceiver(receiver: PayoutReceiver): Partial<Record<BatchColumn, string>> {
  switch (receiver.type) {
    case "card":
      return { pan: receiver.pan, card_holder: receiver.holder ?? "" };
    case "phone":
      return { phone: receiver.phone, bank: receiver.bank ?? "" };
    case "account":
      return { account_number: receiver.accountNumber, bank: receiver.bank, name: receiver.name };
  }
}
