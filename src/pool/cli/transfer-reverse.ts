import { CliFault, type Command, EXIT } from "../../cli/kit/command.ts";
import { positional, readPlainText, requiredText } from "../../cli/kit/option-values.ts";
import { printJson } from "../../cli/kit/output.ts";
import {
  explainReverseFault,
  REASON_MAX,
  REFERENCE_MAX,
  REVERSE_NOTES,
  REVERSE_OPTIONS,
} from "../../cli/ledger/reverse.ts";
import { formatMoney, minorToJson } from "../../core/money.ts";
import { type ReverseBankLine, reverseBankLine } from "../app/reverse-bank-line.ts";
import { OUTCOME_WORDS } from "./import-view.ts";
import { getAccount } from "./receiving-account.ts";

export const transferReverse: Command = {
  name: "transfer reverse",
  summary: "Take back what was recorded, explained or completed by mistake under a reference of a receiving account.",
  arguments: ["ACCOUNT", "REFERENCE"],
  options: REVERSE_OPTIONS,
  notes: [
    ...REVERSE_NOTES,
    "What came goes out of suspense again. A debit that the bank itself had reported is unexplained again.",
    "A payout that was completed by mistake stays a success, and its money stands in suspense under it.",
    'Example: {program} transfer reverse sber-1 FT-81-2 --reason "the sum was mistyped"',
  ],
  run: (context, input) => {
    const reference = readPlainText(positional(input, 1), "REFERENCE", REFERENCE_MAX);
    const reason = readPlainText(requiredText(input, "reason"), "--reason", REASON_MAX);
    return context.withDatabase(async (db) => {
      const account = await getAccount({ db, keyring: await context.openKeyring(db) }, positional(input, 0));
      const command: ReverseBankLine = { account, reference, reason, actor: context.actor };
      const reversed = await reverseBankLine(db, command);
      if (!reversed.ok) {
        const unknown = "No transfer of this account is known by that reference: see transfer list.";
        throw new CliFault(`${explainReverseFault(reversed.error, unknown, account.currency)} Nothing was changed.`);
      }
      const { direction, amount, currency, outcome, requestId } = reversed.value;
      if (input.flag("json")) {
        const about = { account: account.code, reference, direction, amount: minorToJson(amount), currency };
        printJson(context, { ...about, outcome, request_id: requestId, reversed: true });
      } else {
        const of = requestId === null ? "" : ` (payment ${requestId})`;
        context.print(
          `Reversed: ${formatMoney(amount, currency)} ${OUTCOME_WORDS[outcome]}${of}, reference ${reference}.`,
        );
      }
      return EXIT.done;
    });
  },
};
