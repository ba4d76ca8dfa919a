import type { AccountLines, SendingAccount } from "../../app/ledger/account-lines.ts";
import { journalExplained } from "../../core/ledger/journal.ts";
import type { Transfer } from "../../core/ledger/transfers.ts";
import { clearingOf } from "../../core/providers.ts";
import { newId } from "../../platform/new-id.ts";
import type { Transaction } from "../../store/db.ts";
import type { ProviderFunds } from "../../store/providers/provider-funds.ts";
import { explainDebit, findBankLine } from "../store/explained-debits.ts";
import { insertOwnLine } from "../store/own-line.ts";
import { takeLineOut } from "./reversed-lines.ts";

/**
 * A top-up of a balance at a provider leaves a receiving account, and a withdrawal arrives there. Where the bank reported the
 * debit first, and it was unexplained, it is explained. A credit that the bank reported first is in suspense: `taken`.
 */
async function recordFunds(
  tx: Transaction,
  account: SendingAccount,
  { projectId, direction, reference, currency, amount, through, actor }: ProviderFunds,
  now: Date,
): Promise<readonly Transfer[] | "taken"> {
  const known = await findBankLine(tx, account.id, reference);
  if (known === undefined) {
    const side = direction === "in" ? "debit" : "credit";
    const line = { reference, direction: side, currency, amount, actor, projectId: null, requestId: null } as const;
    const names = { accountId: account.id, id: newId() };
    await insertOwnLine(tx, { ...names, ...line, outcome: "funds" }, now);
    return [];
  }
  const isThis = known.outcome === "unexplained" && known.currency === currency && known.amount === amount;
  if (direction === "out" || !isThis) return "taken";
  await explainDebit(tx, known.id, { explanation: { outcome: "funds" }, actor });
  return [journalExplained({ projectId, subjectId: known.id, currency }, newId(), amount, clearingOf(through))];
}

async function takeFundsOut(
  tx: Transaction,
  account: SendingAccount,
  { reference }: ProviderFunds,
  words: { readonly actor: string; readonly reason: string },
): Promise<readonly Transfer[]> {
  const line = await findBankLine(tx, account.id, reference);
  if (line?.outcome !== "funds") throw new Error("funds through a receiving account have their line there");
  return takeLineOut(tx, account, line, words);
}

/** What `provider funds`, and taking that back, need of the lines of receiving accounts. */
export const FUNDS_LINES: Pick<AccountLines, "recordFunds" | "takeFundsOut"> = { recordFunds, takeFundsOut };
