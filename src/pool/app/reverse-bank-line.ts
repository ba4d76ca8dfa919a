import { getHouseProject } from "../../app/ledger/house-project.ts";
import type { ReverseFault } from "../../app/ledger/reverse-fault.ts";
import { reverseFunds } from "../../app/ledger/reverse-funds.ts";
import { reverseMove } from "../../app/ledger/reverse-move.ts";
import type { ClearingAccount } from "../../core/ledger/accounts.ts";
import { journalReversal } from "../../core/ledger/journal.ts";
import type { Transfer } from "../../core/ledger/transfers.ts";
import { isFinal } from "../../core/payments/states.ts";
import { clearingOfAccount, POOL_PROVIDER, wayOf } from "../../core/providers.ts";
import { fail, ok, type Result } from "../../core/result.ts";
import { newId } from "../../platform/new-id.ts";
import type { Database, Transaction } from "../../store/db.ts";
import { postTransfers } from "../../store/ledger/ledger.ts";
import { findReversedLine } from "../../store/ledger/reversals.ts";
import { listWaysIntoSuspense, sumSuspense } from "../../store/ledger/suspense-moves.ts";
import { type LockedPayment, lockPayments } from "../../store/payments/payments.ts";
import { insertHistory } from "../../store/payments/save-payments.ts";
import { findProviderOfFunds } from "../../store/providers/provider-funds.ts";
import { lockLinesOf } from "../store/bank-lines.ts";
import { findBankLine, type NamedLine } from "../store/explained-debits.ts";
import { ACCOUNT_LINES } from "./pool-returns.ts";
import { type LineAccount, takeLineOut } from "./reversed-lines.ts";

/** An operator takes back what was recorded, explained or completed under a reference of a receiving account. */
export type ReverseBankLine = {
  readonly account: LineAccount;
  readonly reference: string;
  readonly reason: string;
  readonly actor: string;
};

type Reversing = Result<NamedLine, ReverseFault>;

/**
 * One commit: opposite transfers, the line marked as reversed, and its reference free for the right entry. States stay as they
 * are: a payout that was completed by mistake stays a success, and its money stands in suspense under it.
 */
export async function reverseBankLine(db: Database, command: ReverseBankLine): Promise<Reversing> {
  const { account, reference } = command;
  const reversed = await db.transaction(async (tx): Promise<Reversing | NamedLine> => {
    await lockLinesOf(tx, [account.id]);
    const line = await findBankLine(tx, account.id, reference);
    if (line === undefined) {
      const earlier = await findReversedLine(tx, account.id, reference);
      return fail(earlier === undefined ? { kind: "entry_unknown" } : { kind: "reversed_before", earlier });
    }
    return line.outcome === "return" || line.outcome === "funds" ? line : reverseLine(tx, command, line);
  });
  if ("ok" in reversed) return reversed;
  if (reversed.outcome === "funds") return reverseFundsLine(db, command, reversed);
  // The movement out of suspense is the entry, and takes its line with it.
  const { requestId } = reversed;
  if (requestId === null) throw new Error("a return is of a payment");
  const moved = await reverseMove({ db, lines: ACCOUNT_LINES }, { ...command, requestId });
  return moved.ok ? ok(reversed) : moved;
}

/** The record of the funds is the entry, and takes its line with it. */
async function reverseFundsLine(db: Database, command: ReverseBankLine, line: NamedLine): Promise<Reversing> {
  const { reference, reason, actor } = command;
  const way = wayOf(POOL_PROVIDER, command.account.code);
  const provider = await db.transaction((tx) => findProviderOfFunds(tx, way, reference));
  if (provider === undefined) return fail({ kind: "entry_unknown" });
  const moved = await reverseFunds({ db, lines: ACCOUNT_LINES }, { provider, reference, reason, actor });
  if (moved.ok) return ok(line);
  if (moved.error.kind === "provider_unknown") throw new Error("providers are never deleted");
  return fail(moved.error);
}

async function reverseLine(tx: Transaction, command: ReverseBankLine, line: NamedLine): Promise<Reversing> {
  const [payment] =
    line.projectId === null || line.requestId === null
      ? []
      : await lockPayments(tx, [{ projectId: line.projectId, requestId: line.requestId }]);
  const fault = payment === undefined ? undefined : await findPaymentFault(tx, payment, line, command.account);
  if (fault !== undefined) return fail(fault);
  const again = await takeLineOut(tx, command.account, line, command);
  if (payment !== undefined) await insertHistory(tx, [historyOf(payment, command, line)]);
  await postTransfers(tx, [...(await journalOf(tx, command.account, line, payment)), ...again]);
  return ok(line);
}

/**
 * What came must still stand in suspense under its payment. What stands there may have come by another account, for requisites that
 * the payer left. What left for a payout did so with the payout's end.
 */
async function findPaymentFault(
  tx: Transaction,
  payment: LockedPayment,
  { direction, amount }: NamedLine,
  { code }: LineAccount,
): Promise<ReverseFault | undefined> {
  const { requestId, state } = payment;
  if (direction === "debit") return undefined;
  if (!isFinal(state)) return { kind: "payment_open", requestId, state };
  const standing = await sumSuspense(tx, payment);
  const cameByIt = (await listWaysIntoSuspense(tx, payment)).includes(wayOf(POOL_PROVIDER, code));
  return standing < amount || !cameByIt ? { kind: "moved_on", requestId, standing } : undefined;
}

function historyOf(
  { projectId, requestId, state }: LockedPayment,
  { account, actor, reason }: ReverseBankLine,
  { amount, currency, reference }: NamedLine,
) {
  const detail = `${amount} ${currency} of account ${account.code}, reference ${reference}: ${reason}`;
  return { projectId, requestId, fromState: state, toState: state, event: "transfer_reversed", actor, detail };
}

async function journalOf(
  tx: Transaction,
  account: LineAccount,
  line: NamedLine,
  payment: LockedPayment | undefined,
): Promise<Transfer[]> {
  const { id, currency, amount, outcome } = line;
  const clearing = clearingOfAccount(account.code);
  if (payment === undefined) {
    const house = await getHouseProject(tx, account.book);
    const reverse = (from: ClearingAccount | "shortfall", to: "shortfall" | "fees") =>
      journalReversal({ projectId: house, subjectId: id, currency }, newId(), amount, { from, to });
    // A cost was booked twice: as money that was short, and as what our fees bear.
    return outcome === "cost"
      ? [reverse(clearing, "shortfall"), reverse("shortfall", "fees")]
      : [reverse(clearing, "shortfall")];
  }
  const subject = { projectId: payment.projectId, subjectId: payment.requestId, currency };
  return [journalReversal(subject, newId(), amount, sidesOf(line, payment, clearing))];
}

/**
 * What came is taken out of suspense again. What never left stands in suspense under its payout, which stays a success; and
 * where the payout was declined before, we are not short of it.
 */
function sidesOf({ direction }: NamedLine, { state }: LockedPayment, clearing: ClearingAccount) {
  if (direction === "credit") return { from: "suspense", to: clearing } as const;
  return { from: clearing, to: state === "decline" ? "shortfall" : "suspense" } as const;
}
