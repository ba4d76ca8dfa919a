import type { PayoutReceiver } from "../../core/connector.ts";
import type { Fault } from "../../core/errors.ts";
import { inColumns } from "../../core/payout-batches/batch-row.ts";
import { hasRight } from "../../core/people/rights.ts";
import { type Log, reasonOf } from "../../platform/log.ts";
import { warnQuietly } from "../../platform/log-lines/quiet-log.ts";
import type { Transaction } from "../../store/db.ts";
import { isDataFault } from "../../store/faults.ts";
import { type BatchRow, listWaitingRows } from "../../store/payout-batches/batch-rows.ts";
import type { PayoutBatch } from "../../store/payout-batches/batches.ts";
import {
  claimBatch,
  endBatch,
  type RowResult,
  refuseWaitingRows,
  releaseBatch,
  saveRowResults,
} from "../../store/payout-batches/make-rows.ts";
import { listTeamAddresses } from "../../store/payout-batches/team-addresses.ts";
import type { Directory, DirectoryProject } from "../merchants/directory.ts";
import { type CreateDeps, createPayment } from "../payments/create-payment.ts";
import { unsealRowReceiver, wishOfRow } from "./row-secrets.ts";

export type MakeDeps = CreateDeps & {
  readonly currentDirectory: () => Directory | Promise<Directory>;
  readonly log: Log;
};

/** A process that is silent for longer has died, or its database was away; another one goes on. A row that both try is made once. */
const LEASE_S = 15;
const ROWS_AT_ONCE = 50;
/** After a fault that is not the row's. */
const PAUSE_AFTER_ERROR_S = 3;
const ERROR_LENGTH_MAX = 1_000;

/**
 * Takes a confirmed batch and makes payouts of its next rows, as the API would. Each is a payment of its own, with the money that
 * it needs held or refused. A row that was made before it could be written down is found again by its payment_id, so that it
 * does not matter where a process dies, or whether two of them try the same row. Answers false where there is nothing to do.
 */
export async function makeSomePayouts(deps: MakeDeps): Promise<boolean> {
  const batch = await claimBatch(deps.db, LEASE_S);
  if (batch === undefined) return false;
  const directory = await deps.currentDirectory();
  const project = directory.projects.get(batch.projectId);
  if (project === undefined) {
    deps.log.error(
      { batch_id: batch.id, project_id: batch.projectId },
      "the project of a batch of payouts is not known",
    );
    await releaseBatch(deps.db, batch, PAUSE_AFTER_ERROR_S);
    return false;
  }
  const stopped = await findStop(deps.db, batch);
  if (stopped !== undefined) {
    await deps.db.transaction(async (tx) => {
      await refuseWaitingRows(tx, batch, stopped);
      await endBatch(tx, batch, new Date(deps.clock.nowMs()));
    });
    return true;
  }
  const rows = await listWaitingRows(deps.db, batch, ROWS_AT_ONCE);
  const tried = await Promise.all(rows.map((row) => makeRow(deps, { directory, project, batch }, row)));
  const results = tried.filter((result) => result !== undefined);
  await deps.db.transaction(async (tx) => {
    await saveRowResults(tx, batch, results);
    await releaseBatch(tx, batch, results.length === rows.length ? 0 : PAUSE_AFTER_ERROR_S);
    await endBatch(tx, batch, new Date(deps.clock.nowMs()));
  });
  return true;
}

type Stop = { readonly code: string; readonly error: string };

/** A person who was removed from the team, or lost the right, pays nothing more: neither alone nor by an approval. */
async function findStop(tx: Transaction, { merchantId, author, approvedBy }: PayoutBatch): Promise<Stop | undefined> {
  const team = await listTeamAddresses(tx, merchantId);
  const may = (id: string, right: "payouts.make" | "payouts.approve") =>
    team.some((person) => person.id === id && hasRight(person.role, right));
  if (!may(author, "payouts.make"))
    return { code: "author_left", error: "the person who prepared the batch may not make payouts any more" };
  if (approvedBy !== null && !may(approvedBy, "payouts.approve"))
    return { code: "approver_left", error: "the person who approved the batch may not approve payouts any more" };
  return undefined;
}

type MakingPlace = {
  readonly directory: Directory;
  readonly project: DirectoryProject;
  readonly batch: PayoutBatch;
};

/** Undefined where the database could not do it now: the row waits, and is tried again. */
async function makeRow(
  deps: MakeDeps,
  { directory, project, batch }: MakingPlace,
  row: BatchRow,
): Promise<RowResult | undefined> {
  const { line } = row;
  const receiver = openReceiver(deps, batch, row);
  if (receiver === undefined)
    return { line, state: "failed", code: "receiver_unreadable", error: "the receiver cannot be read" };
  try {
    const created = await createPayment(deps, directory, project, wishOfRow(deps.keyring, batch, row, receiver));
    if (created.ok) return { line, state: "made", requestId: created.value.payment.requestId as PayoutBatch["id"] };
    return refusalOf(line, created.error);
  } catch (error) {
    const fields = { batch_id: batch.id, line, reason: reasonOf(error) };
    warnQuietly(deps.log, fields, "a row of a batch of payouts could not be made");
    // Such a statement was rolled back, and would be again.
    return isDataFault(error)
      ? { line, state: "failed", code: "internal_error", error: "the payout could not be written" }
      : undefined;
  }
}

function openReceiver({ keyring, log }: MakeDeps, { id }: PayoutBatch, row: BatchRow): PayoutReceiver | undefined {
  try {
    return unsealRowReceiver(keyring, id, row);
  } catch (error) {
    log.error(
      { batch_id: id, line: row.line, reason: reasonOf(error) },
      "a receiver of a batch of payouts cannot be read",
    );
    return undefined;
  }
}

function refusalOf(line: number, { code, description }: Fault): RowResult {
  return { line, state: "refused", code, error: inColumns(description).slice(0, ERROR_LENGTH_MAX) };
}
