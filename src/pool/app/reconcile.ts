import type { Transaction } from "../../store/db.ts";
import type { RefusedLine, StatementBalance, StatementItem, StatementLine } from "../core/statement/statement-item.ts";
import type { NamedAccount } from "../store/account-names.ts";
import {
  createStatementLines,
  type Difference,
  findStatementPeriod,
  insertStatementLines,
  listDifferences,
  sumAccountAt,
} from "../store/statement-lines.ts";
import { openAccountFinder } from "./find-account.ts";
import type { Portions } from "./import-statement.ts";
import type { RecordDeps } from "./record-lines.ts";

/** The daily proof: a statement beside our own record of its account. It changes nothing. */
export type ReconcileCommand = {
  readonly account: NamedAccount;
  readonly portions: Portions;
  /** The days it is about, where that is not what its lines say: a statement without lines has none. */
  readonly from: string | undefined;
  readonly to: string | undefined;
  /** Where the file does not say it. */
  readonly closingBalance: bigint | undefined;
  readonly onProgress?: (lines: number) => void;
};

export type Reconciliation = {
  /** Undefined: nothing in it is about this account, and so nothing was compared. */
  readonly period: { readonly from: string; readonly to: string } | undefined;
  readonly lines: number;
  /** Lines about other accounts, which were left out. */
  readonly foreign: number;
  readonly refusedCount: number;
  readonly refused: readonly RefusedLine[];
  readonly differences: readonly Difference[];
  /** What the bank says was there at the end, and what our clearing account says. */
  readonly closing: { readonly day: string; readonly theirs: bigint | undefined; readonly ours: bigint } | undefined;
  /** The file could not be read to its end: then nothing was compared. */
  readonly fault: string | undefined;
};

const BATCH_LINES = 1_000;
const REFUSED_LISTED_MAX = 200;

export function reconcile(deps: RecordDeps, command: ReconcileCommand): Promise<Reconciliation> {
  return deps.db.transaction(async (tx) => {
    await createStatementLines(tx);
    const read = await readLines(deps, tx, command);
    const found = await findStatementPeriod(tx);
    // On a day without a single booking a statement may still say what there is at its end.
    const from = command.from ?? found?.from ?? command.to ?? read.closing?.day;
    const to = command.to ?? found?.to ?? command.from ?? read.closing?.day;
    const period = from === undefined || to === undefined ? undefined : { from, to };
    const counted = {
      lines: read.lines,
      foreign: read.foreign,
      refusedCount: read.refusedCount,
      refused: read.refused,
    };
    if (read.fault !== undefined || period === undefined) {
      return { ...counted, period, differences: [], closing: undefined, fault: read.fault };
    }
    const differences = await listDifferences(tx, command.account.id, period);
    const day = read.closing?.day ?? period.to;
    const closing = {
      day,
      theirs: command.closingBalance ?? read.closing?.amount,
      ours: await sumAccountAt(tx, command.account.code, day),
    };
    return { ...counted, period, differences, closing, fault: undefined };
  });
}

type ReadLines = {
  lines: number;
  foreign: number;
  refusedCount: number;
  readonly refused: RefusedLine[];
  closing: StatementBalance | undefined;
  fault: string | undefined;
};

async function readLines(deps: RecordDeps, tx: Transaction, command: ReconcileCommand): Promise<ReadLines> {
  const read: ReadLines = { lines: 0, foreign: 0, refusedCount: 0, refused: [], closing: undefined, fault: undefined };
  const find = openAccountFinder(deps, command.account.id);
  const isOurs = async (name: string | undefined) => {
    if (name === undefined) return true;
    const found = await find(name);
    return found.ok && found.value.id === command.account.id;
  };
  let batch: StatementLine[] = [];
  const flush = async () => {
    const taken = batch;
    batch = [];
    if (taken.length > 0) await insertStatementLines(tx, command.account.id, taken);
    command.onProgress?.(read.lines);
  };
  const take = async (item: StatementItem) => {
    if (item.kind === "refused") {
      read.refusedCount += 1;
      if (read.refused.length < REFUSED_LISTED_MAX) read.refused.push(item.value);
      return;
    }
    if (!(await isOurs(item.value.account)) || item.value.currency !== command.account.currency) {
      if (item.kind === "line") read.foreign += 1;
    } else if (item.kind === "balance") {
      const isLater = read.closing === undefined || item.value.day >= read.closing.day;
      if (item.value.which === "closing" && isLater) read.closing = item.value;
    } else {
      read.lines += 1;
      batch.push(item.value);
      if (batch.length === BATCH_LINES) await flush();
    }
  };
  for await (const portion of command.portions) {
    if (!portion.ok) return { ...read, fault: portion.error };
    for (const item of portion.value) await take(item);
  }
  await flush();
  return read;
}
