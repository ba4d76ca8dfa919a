import { journalFund } from "../../core/ledger/journal.ts";
import type { Book } from "../../core/merchants/book.ts";
import { accountOfWay, clearingOf } from "../../core/providers.ts";
import { fail, ok, type Result } from "../../core/result.ts";
import { newId } from "../../platform/new-id.ts";
import type { Transaction } from "../../store/db.ts";
import { postTransfers } from "../../store/ledger/ledger.ts";
import { insertProviderFunds, lockProviderFunds, type ProviderFunds } from "../../store/providers/provider-funds.ts";
import { findConfiguredProvider } from "../../store/providers/providers.ts";
import type { AccountLines, SendingAccount, SuspenseDeps } from "./account-lines.ts";
import { ensureHouseProject } from "./house-project.ts";
import { takeLineReference, takeReference } from "./take-reference.ts";

/** An operator topped up our balance at a configured provider, or withdrew from it. */
export type MoveFunds = Omit<ProviderFunds, "projectId" | "id">;

export type MovedFunds = { readonly funds: ProviderFunds; readonly repeated: boolean };

export type FundsFault =
  | "provider_unknown"
  | "account_unknown"
  | "account_of_other_book"
  | "account_of_other_currency"
  | "reference_taken"
  /** The receiving account has another line of this reference. */
  | "line_taken";

/** One commit: the record, the bank's reference and the transfer. The same command again changes nothing. */
export async function moveFunds(
  { db, lines }: SuspenseDeps,
  command: MoveFunds,
): Promise<Result<MovedFunds, FundsFault>> {
  try {
    return await db.transaction((tx) => move(tx, lines, command));
  } catch (error) {
    if (error instanceof FundsRefused) return fail(error.fault);
    throw error;
  }
}

/** Rolls the record back with everything else. */
class FundsRefused extends Error {
  readonly fault: FundsFault;

  constructor(fault: FundsFault) {
    super(fault);
    this.fault = fault;
  }
}

/** The account's lines are locked first, as by every caller that records what its bank reports. */
async function move(tx: Transaction, lines: AccountLines, command: MoveFunds): Promise<Result<MovedFunds, FundsFault>> {
  const provider = await findConfiguredProvider(tx, command.provider);
  if (provider === undefined) return fail("provider_unknown");
  const account = await lines.lockAccountOfWay(tx, command.through);
  const fault = findAccountFault(command, account, provider.book);
  if (fault !== undefined) return fail(fault);
  const funds = { ...command, projectId: await ensureHouseProject(tx, provider.book), id: newId() };
  if (!(await insertProviderFunds(tx, funds))) {
    const earlier = await lockProviderFunds(tx, command.provider, command.reference);
    if (earlier === undefined || !isSameMovement(earlier, funds)) throw new FundsRefused("reference_taken");
    return ok({ funds: earlier, repeated: true });
  }
  await takeFundsReference(tx, funds, provider.book);
  const explained = account === undefined ? [] : await lines.recordFunds(tx, account, funds, await readNow(tx));
  if (explained === "taken") throw new FundsRefused("line_taken");
  await postTransfers(tx, [...explained, journalFund(subjectOf(funds), newId(), funds.amount, sidesOf(funds))]);
  return ok({ funds, repeated: false });
}

function findAccountFault(
  { through, currency }: MoveFunds,
  account: SendingAccount | undefined,
  book: Book,
): FundsFault | undefined {
  if (account === undefined) return accountOfWay(through) === undefined ? undefined : "account_unknown";
  if (account.book !== book) return "account_of_other_book";
  return account.currency === currency ? undefined : "account_of_other_currency";
}

/** Where a receiving account is the other side, its bank's lines say what the reference names: see `AccountLines`. */
async function takeFundsReference(tx: Transaction, funds: ProviderFunds, book: Book): Promise<void> {
  const { projectId, reference, id: subjectId, through } = funds;
  const given = { book, reference, command: "provider funds", projectId, subjectId };
  const take = accountOfWay(through) === undefined ? takeReference : takeLineReference;
  if (!(await take(tx, given))) throw new FundsRefused("reference_taken");
}

async function readNow(tx: Transaction): Promise<Date> {
  const [row] = await tx.run<{ now: Date }>({ text: "select now() as now" });
  if (row === undefined) throw new Error("the database has a clock");
  return row.now;
}

/** The note and the actor may differ when the operator repeats the command; the money may not. */
function isSameMovement(earlier: ProviderFunds, funds: ProviderFunds): boolean {
  const names = ["direction", "amount", "currency", "through"] as const;
  return names.every((name) => earlier[name] === funds[name]);
}

export function subjectOf({ projectId, id, currency }: ProviderFunds) {
  return { projectId, subjectId: id, currency };
}

/** What a provider holds for us is its clearing account below zero, so a top-up leaves that account. */
export function sidesOf({ provider, direction, through }: ProviderFunds) {
  const there = clearingOf(provider);
  const here = clearingOf(through);
  return direction === "in" ? { from: there, to: here } : { from: here, to: there };
}
