import { readClearing } from "../../app/ledger/read-house.ts";
import { minorToJson } from "../../core/money.ts";
import type { ClearingLine } from "../../store/ledger/clearing.ts";
import { type Command, EXIT } from "../kit/command.ts";
import { printJson, renderTable, showInstant } from "../kit/output.ts";

export const ledgerClearing: Command = {
  name: "ledger clearing",
  summary: "Compare what each configured provider holds for you by the ledger with what it says itself.",
  arguments: [],
  options: { json: { type: "boolean", help: "print it as JSON" } },
  notes: [
    "Amounts are in minor units. Theirs is their balance as it was last read, locked money included.",
    "A difference is normal while money is under way: a payout that they paid and did not report yet, or a pay-in in dispute,",
    "whose money they credit when they decide it. One that stays: reconcile provider finds the payments. A top-up of your",
    "balance there or a withdrawal from it is a difference until you record it: provider funds.",
    "Example: {program} ledger clearing",
  ],
  run: (context, input) =>
    context.withDatabase(async (db) => {
      const lines = await readClearing(db);
      if (input.flag("json")) printJson(context, lines.map(clearingJson));
      else context.print(lines.length === 0 ? "No configured provider has moved money." : renderClearing(lines));
      return EXIT.done;
    }),
};

function differenceOf({ ours, theirs }: ClearingLine): bigint | null {
  return theirs === null ? null : theirs - ours;
}

function renderClearing(lines: readonly ClearingLine[]): string {
  const columns = [
    { title: "PROVIDER" },
    { title: "CURRENCY" },
    { title: "OURS", align: "right" },
    { title: "THEIRS", align: "right" },
    { title: "LOCKED THERE", align: "right" },
    { title: "DIFFERENCE", align: "right" },
    { title: "READ" },
    { title: "BOOK" },
  ] as const;
  const shown = (amount: bigint | null) => (amount === null ? "-" : String(amount));
  const rows = lines.map((line) => [
    line.provider,
    line.currency,
    ...[line.ours, line.theirs, line.theirsLocked, differenceOf(line)].map(shown),
    line.readAt === null ? "never" : showInstant(line.readAt),
    line.book,
  ]);
  return renderTable(columns, rows);
}

function clearingJson(line: ClearingLine) {
  const number = (amount: bigint | null) => (amount === null ? null : minorToJson(amount as ClearingLine["ours"]));
  return {
    provider: line.provider,
    book: line.book,
    currency: line.currency,
    ours: number(line.ours),
    theirs: number(line.theirs),
    theirs_locked: number(line.theirsLocked),
    difference: number(differenceOf(line)),
    read_at: line.readAt?.toISOString() ?? null,
  };
}
