import { fail, ok, type Result } from "../core/result.ts";
import type { StatementItem, StatementLine } from "../core/statement/statement-item.ts";
import type { NamedAccount } from "../store/read/account-names.ts";
import { type AccountNameFault, openAccountFinder } from "./find-account.ts";
import { type ImportReport, newReport, noteRecorded, noteRefused } from "./import-report.ts";
import { type RecordDeps, type ReportedTransfer, recordTransfers } from "./record-transfers.ts";

/** What a statement reader gives: portions of items, and an error only as the last. */
export type Portions = AsyncIterable<Result<readonly StatementItem[], string>>;

export type ImportOrder = {
  readonly portions: Portions;
  /** The account of lines that name none; a line that names another one is refused. */
  readonly account: NamedAccount | undefined;
  readonly actor: string;
  readonly onProgress?: (lines: number) => void;
};

/** Lines that are recorded in one transaction. */
const BATCH_LINES = 500;

/**
 * Takes a statement in, batch by batch. Each batch is one transaction, and a line that is known changes nothing: so an
 * import that was cut off is simply started again. The error is a sentence about the file; what was taken in before it
 * stands, and the report says what that was.
 */
export async function importStatement(
  deps: RecordDeps,
  order: ImportOrder,
): Promise<{ readonly report: ImportReport; readonly fault: string | undefined }> {
  const report = newReport();
  const findAccount = openAccountFinder(deps, order.account?.id);
  let batch: { readonly line: StatementLine; readonly transfer: ReportedTransfer }[] = [];

  async function flush(): Promise<void> {
    const taken = batch;
    batch = [];
    if (taken.length === 0) return;
    const recorded = await recordTransfers(
      deps,
      taken.map(({ transfer }) => transfer),
      order.actor,
    );
    for (const [index, { line, transfer }] of taken.entries()) {
      const result = recorded[index];
      if (result !== undefined) noteRecorded(report, line, transfer, result);
    }
    order.onProgress?.(report.lines);
  }

  async function take(item: StatementItem): Promise<void> {
    if (item.kind === "refused") noteRefused(report, item.value);
    if (item.kind !== "line") return;
    const line = item.value;
    const account = await accountOf(line, order.account, findAccount);
    if (!account.ok) {
      noteRefused(report, { line: line.line, reason: account.error });
      return;
    }
    batch.push({ line, transfer: transferOf(line, account.value) });
    if (batch.length === BATCH_LINES) await flush();
  }

  for await (const portion of order.portions) {
    if (!portion.ok) {
      await flush();
      return { report, fault: portion.error };
    }
    for (const item of portion.value) await take(item);
  }
  await flush();
  return { report, fault: undefined };
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

function transferOf(line: StatementLine, { id, code, book }: NamedAccount): ReportedTransfer {
  const { reference, direction, currency, amount, booked, payer, isReversal } = line;
  return { account: { id, code, book }, reference, direction, currency, amount, booked, payer, isReversal };
}
