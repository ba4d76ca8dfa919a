import { refreshStatistics } from "../../app/processes/fresh-statistics.ts";
import { fail, ok, type Result } from "../../core/result.ts";
import type { StatementItem, StatementLine } from "../core/statement/statement-item.ts";
import type { NamedAccount } from "../store/account-names.ts";
import { listLentSums } from "../store/lendings.ts";
import { type AccountNameFault, openAccountFinder } from "./find-account.ts";
import { type ImportReport, newReport, noteRecorded, noteRefused } from "./import-report.ts";
import { type RecordDeps, type Recorded, recordLines } from "./record-lines.ts";
import type { ReportedLine } from "./reported-lines.ts";

/** What a statement reader gives: portions of items, and an error only as the last. */
export type Portions = AsyncIterable<Result<readonly StatementItem[], string>>;

export type ImportCommand = {
  readonly portions: Portions;
  /** The account of lines that name none; a line that names another one is refused. */
  readonly account: NamedAccount | undefined;
  readonly actor: string;
  readonly onProgress?: (lines: number) => void;
};

/** Lines that are recorded in one transaction. */
const BATCH_LINES = 500;
/** Batches at once: while the database works on one, we work on the other. */
const LANES = 2;

/**
 * Takes a statement in, batch by batch. Each batch is one transaction, and a line that is known changes nothing: so an
 * import that was cut off is simply started again. The error is a sentence about the file; what was taken in before it
 * stands, and the report says what that was.
 */
export async function importStatement(
  deps: RecordDeps,
  command: ImportCommand,
): Promise<{ readonly report: ImportReport; readonly fault: string | undefined }> {
  const report = newReport();
  const findAccount = openAccountFinder(deps, command.account?.id);
  let batch: Taken[] = [];

  async function flush(): Promise<void> {
    const taken = batch;
    batch = [];
    if (taken.length === 0) return;
    const results = new Map<Taken, Recorded>();
    const record = async (lane: readonly Taken[]) => {
      const reported = lane.map(({ reported }) => reported);
      const recorded = lane.length === 0 ? [] : await recordLines(deps, reported, command.actor);
      for (const [index, result] of recorded.entries()) results.set(lane[index] as Taken, result);
    };
    const { lanes, rest } = await divide(deps, taken);
    await settleAll(lanes.map(record));
    await record(rest);
    for (const each of taken) {
      const result = results.get(each);
      if (result !== undefined) noteRecorded(report, each.line, each.reported, result);
    }
    // Perhaps no other process is running that does it, and a first statement soon outgrows plans that were made for empty tables.
    // Without it the import is slower, and nothing else: whatever keeps it from being done is no reason to stop.
    await refreshStatistics(deps.db).catch(() => undefined);
    command.onProgress?.(report.lines);
  }

  async function take(item: StatementItem): Promise<void> {
    if (item.kind === "refused") noteRefused(report, item.value);
    if (item.kind !== "line") return;
    const line = item.value;
    const account = await accountOf(line, command.account, findAccount);
    if (!account.ok) {
      noteRefused(report, { line: line.line, reason: account.error });
      return;
    }
    batch.push({ line, reported: reportedLineOf(line, account.value) });
    if (batch.length === BATCH_LINES * LANES) await flush();
  }

  for await (const portion of command.portions) {
    if (!portion.ok) {
      await flush();
      return { report, fault: portion.error };
    }
    for (const item of portion.value) await take(item);
  }
  await flush();
  return { report, fault: undefined };
}

type Taken = { readonly line: StatementLine; readonly reported: ReportedLine };

/**
 * Credits of a sum that was lent are about the pay-in that it was lent to, so that those of different sums have nothing to do
 * with each other and can go in different lanes. What the rest match depends on the results of these: it comes after them, in
 * its own order.
 */
async function divide(
  { db }: RecordDeps,
  taken: readonly Taken[],
): Promise<{ readonly lanes: readonly Taken[][]; readonly rest: readonly Taken[] }> {
  const sums = taken.map(({ reported }) => ({ ...reported, accountId: reported.account.id }));
  const lent = new Set(await listLentSums(db, sums));
  const isLent = ({ reported }: Taken, index: number) =>
    reported.direction === "credit" && reported.isReversal !== true && lent.has(index + 1);
  const laneOf = ({ reported }: Taken) => Number(reported.amount % BigInt(LANES));
  const bySum = taken.filter(isLent);
  return {
    lanes: Array.from({ length: LANES }, (_, lane) => bySum.filter((each) => laneOf(each) === lane)),
    rest: taken.filter((each, index) => !isLent(each, index)),
  };
}

/** Both have ended before the caller learns of the first failure: nothing continues in the background. */
async function settleAll(works: readonly Promise<void>[]): Promise<void> {
  const failed = (await Promise.allSettled(works)).find((work) => work.status === "rejected");
  if (failed !== undefined) throw failed.reason;
}

const NAME_FAULTS: Readonly<Record<AccountNameFault, string>> = {
  account_unknown: "no receiving account goes by the name or number in this line",
  account_ambiguous: "several receiving accounts go by the number in this line",
};

async function accountOf(
  line: StatementLine,
  given: NamedAccount | undefined,
  find: ReturnType<typeof openAccountFinder>,
): Promise<Result<NamedAccount, string>> {
  const named = line.account === undefined ? undefined : await find(line.account);
  if (named !== undefined && !named.ok) return fail(NAME_FAULTS[named.error]);
  const account = named?.value ?? given;
  if (account === undefined) return fail("the file does not name the account: say which with --account");
  if (given !== undefined && account.id !== given.id) return fail(`it is about another account, ${account.code}`);
  if (account.currency !== line.currency) return fail(`the account ${account.code} is in ${account.currency}`);
  return ok(account);
}

function reportedLineOf(line: StatementLine, { id, code, book }: NamedAccount): ReportedLine {
  const { reference, direction, currency, amount, booked, payer, isReversal } = line;
  return { account: { id, code, book }, reference, direction, currency, amount, booked, payer, isReversal };
}
