import { CliFault, type Command, EXIT } from "../../cli/kit/command.ts";
import { positional, readPlainText, requiredText } from "../../cli/kit/option-values.ts";
import { printJson } from "../../cli/kit/output.ts";
import { formatMoney, minorToJson } from "../../core/money.ts";
import { type ExplainFault, explainCost } from "../app/explain-cost.ts";
import { OUTCOME_WORDS } from "./import-view.ts";
import { getAccount } from "./receiving-account.ts";

const REASON_MAX = 1000;
const REFERENCE_MAX = 255;

export const transferExplain: Command = {
  name: "transfer explain",
  summary: "Explain a debit of a receiving account as a bank charge, paid from our fees.",
  arguments: ["ACCOUNT", "REFERENCE"],
  options: {
    reason: { type: "string", value: "TEXT", help: "what the charge was, kept in the records" },
    json: { type: "boolean", help: "print what was done as JSON" },
  },
  notes: [
    "A debit that was a payout is explained by payout complete, and one that sent money back by suspense return.",
    'Example: {program} transfer explain sber-1 FEE-2026-03 --reason "monthly fee"',
  ],
  run: (context, input) => {
    const reference = readPlainText(positional(input, 1), "REFERENCE", REFERENCE_MAX);
    const reason = readPlainText(requiredText(input, "reason"), "--reason", REASON_MAX);
    return context.withDatabase(async (db) => {
      const account = await getAccount({ db, keyring: await context.openKeyring(db) }, positional(input, 0));
      const explained = await explainCost(db, { account, reference, reason, actor: context.actor });
      if (!explained.ok) throw new CliFault(`${refusal(explained.error)} Nothing was changed.`);
      const { line, repeated } = explained.value;
      const { amount, currency } = line;
      if (input.flag("json")) {
        const about = { account: account.code, reference, amount: minorToJson(amount), currency };
        printJson(context, { ...about, reason: line.reason, repeated });
      } else {
        const done = `${formatMoney(amount, currency)} that left ${account.code} were charged by the bank: ${line.reason}.`;
        context.print(repeated ? `This was said before, and nothing was changed: ${done}` : done);
      }
      return EXIT.done;
    });
  },
};

function refusal(fault: ExplainFault): string {
  if (fault.kind === "line_unknown")
    return "No transfer of this account is known by that reference: see transfer list.";
  return `This transfer is already explained: ${OUTCOME_WORDS[fault.outcome]}.`;
}
