import type { Id } from "../../core/ids.ts";
import { formatMoney, type Minor } from "../../core/money.ts";
import {
  COUNTED_HOURS,
  type CurrencySum,
  findExceeded,
  type LimitExceeded,
} from "../../core/payout-batches/approval-rule.ts";
import { type BatchState, batchAfter } from "../../core/payout-batches/batch-states.ts";
import { type AccountFault, accountFault } from "../../core/people/account-fault.ts";
import { hasRight, type Role } from "../../core/people/rights.ts";
import { fail, ok, type Result } from "../../core/result.ts";
import type { Database, Transaction } from "../../store/db.ts";
import { findMerchant } from "../../store/merchants/merchants.ts";
import { listApprovalLimits, sumMadeAlone } from "../../store/payout-batches/approval-limits.ts";
import { sumBatchRows } from "../../store/payout-batches/batch-rows.ts";
import { findBatchOfContent, lockBatch, type PayoutBatch, saveConfirmed } from "../../store/payout-batches/batches.ts";
import { listTeamAddresses } from "../../store/payout-batches/team-addresses.ts";
import { lockTeam } from "../../store/people/memberships.ts";
import { audit } from "../people/audit.ts";
import type { SendNotice } from "../people/notices.ts";
import type { BatchActor } from "./batch-deps.ts";
import { NO_BATCH } from "./batch-scope.ts";

/** After so long a draft is checked again: methods, banks and limits change. */
const DRAFT_LASTS_MS = 24 * 3600 * 1000;

export type ConfirmWish = BatchActor & { readonly id: Id; readonly now: Date };

export type ConfirmDeps = {
  readonly db: Database;
  readonly sendNotice: SendNotice;
  readonly publicUrl: () => string;
};

/**
 * The author says that all of it is to be paid. The team is locked meanwhile: what the same person confirms at the same moment
 * is counted, and a limit that is being set is waited for.
 */
export async function confirmBatch(
  deps: ConfirmDeps,
  wish: ConfirmWish,
): Promise<Result<{ readonly state: BatchState }, AccountFault>> {
  const { merchantId, actor, id, now } = wish;
  const confirmed = await deps.db.transaction(async (tx) => {
    await lockTeam(tx, merchantId);
    const batch = await lockBatch(tx, merchantId, id);
    if (batch === undefined) return fail(NO_BATCH);
    const refused = findRefusal(batch, wish) ?? (await findSameFile(tx, batch));
    if (refused !== undefined) return fail(refused);
    const { exceeded, sums } = await findExceededOf(tx, batch, now);
    const state = batchAfter(batch.state, exceeded.length > 0 ? "confirmed_above_limit" : "confirmed");
    if (state === undefined) return fail(WRONG_STATE);
    await saveConfirmed(tx, batch, { state, approvalNeeded: exceeded.length > 0, now });
    const after = { state, rows: batch.rowCount, sums: sumTexts(sums) };
    await audit(tx, {
      ...{ merchantId, actor, action: "payout_batch.confirm", subject: id },
      before: { state: batch.state },
      after,
    });
    return ok({ state, sums });
  });
  if (!confirmed.ok) return confirmed;
  if (confirmed.value.state === "awaiting_approval") await tellApprovers(deps, wish, confirmed.value.sums);
  return ok({ state: confirmed.value.state });
}

const WRONG_STATE = accountFault("wrong_state", "the batch is not waiting for its confirmation any more");

function findRefusal(batch: PayoutBatch, { actor, now }: ConfirmWish): AccountFault | undefined {
  if (batch.state !== "checked") return WRONG_STATE;
  if (batch.author !== actor.id) return accountFault("forbidden", "a batch is confirmed by the person who prepared it");
  if (now.getTime() - batch.createdAt.getTime() > DRAFT_LASTS_MS)
    return accountFault("wrong_state", "the batch was checked more than a day ago: check it again");
  return undefined;
}

async function findSameFile(
  tx: Transaction,
  { projectId, contentHash }: PayoutBatch,
): Promise<AccountFault | undefined> {
  if (contentHash === null || (await findBatchOfContent(tx, projectId, contentHash)) === undefined) return undefined;
  return accountFault("same_file", "the same file was confirmed before: it pays once");
}

/** Limits that a batch exceeds, with what its author made alone in the hours before. */
export async function findExceededOf(
  tx: Transaction,
  batch: PayoutBatch,
  now: Date,
): Promise<{ readonly exceeded: readonly LimitExceeded[]; readonly sums: readonly CurrencySum[] }> {
  const { merchantId, author, book } = batch;
  const since = new Date(now.getTime() - COUNTED_HOURS * 3600 * 1000);
  const sums = (await sumBatchRows(tx, [batch])).map(({ currency, amount }) => ({ currency, amount: BigInt(amount) }));
  const limits = await listApprovalLimits(tx, merchantId);
  const madeAlone = limits.length === 0 ? [] : await sumMadeAlone(tx, { merchantId, author, book, since });
  return { exceeded: findExceeded(limits, sums, madeAlone), sums };
}

function sumTexts(sums: readonly CurrencySum[]): string[] {
  return sums.map(({ currency, amount }) => formatMoney(amount as Minor, currency));
}

export function mayApprove(person: { readonly id: Id; readonly role: Role }, author: Id): boolean {
  return person.id !== author && hasRight(person.role, "payouts.approve");
}

/** By e-mail, to each person who may approve it. */
async function tellApprovers(
  { db, sendNotice, publicUrl }: ConfirmDeps,
  { merchantId, actor, id }: ConfirmWish,
  sums: readonly CurrencySum[],
): Promise<void> {
  if (sendNotice === undefined) return;
  const [merchant, people] = await Promise.all([findMerchant(db, merchantId), listTeamAddresses(db, merchantId)]);
  for (const person of people.filter((each) => mayApprove(each, actor.id)))
    sendNotice({
      ...{ kind: "payout_approval", to: person.email, language: person.language, author: actor.name },
      ...{ merchantName: merchant?.name ?? "", sums: sumTexts(sums), link: `${publicUrl()}/account/pay-out/${id}` },
    });
}
