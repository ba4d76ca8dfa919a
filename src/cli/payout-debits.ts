import { formatMoney, minorToJson } from "../core/money.ts";
import { listUnexplainedDebits } from "../store/read/hand-payouts.ts";
import { type Command, EXIT } from "./command.ts";
import { optional, readInteger } from "./option-values.ts";
import { printJson, renderTable, showInstant } from "./output.ts";

const LIMIT_STANDARD = 100;
const LIMIT_MAX = 10_000;

export const payoutDebits: Command = {
  name: "payout debits",
  summary: "List money that left our own accounts and that no payout explains, the longest known first.",
  arguments: [],
  options: {
    limit: {
      type: "string",
      value: "N",
      help: `at most so many, from 1 to ${LIMIT_MAX}; ${LIMIT_STANDARD} if left out`,
    },
    json: { type: "boolean", help: "print them as JSON" },
  },
  notes: [
    "payout complete with the account and the reference of such a debit says which payout it was.",
    "Example: {program} payout debits",
  ],
  run: (context, input) => {
    const limit = optional(input, "limit", (text, name) => readInteger(text, name, 1, LIMIT_MAX)) ?? LIMIT_STANDARD;
    return context.withDatabase(async (db) => {
      const debits = await listUnexplainedDebits(db, limit);
      if (input.flag("json")) {
        const list = debits.map(({ amount, bookedDay, recordedAt, ...debit }) => ({
          ...debit,
          amount: minorToJson(amount),
          booked_day: bookedDay,
          recorded_at: recordedAt.toISOString(),
        }));
        printJson(context, { debits: list });
      } else if (debits.length === 0) context.print("There are none.");
      else {
        const titles = ["ACCOUNT", "REFERENCE", "AMOUNT", "BOOKED", "RECORDED"];
        const columns = titles.map((title) => (title === "AMOUNT" ? ({ title, align: "right" } as const) : { title }));
        const rows = debits.map(({ account, reference, amount, currency, bookedDay, recordedAt }) => [
          ...[account, reference, formatMoney(amount, currency), bookedDay, showInstant(recordedAt)],
        ]);
        context.print(renderTable(columns, rows));
      }
      return EXIT.done;
    });
  },
};
