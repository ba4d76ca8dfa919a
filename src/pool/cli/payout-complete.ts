import { CliFault, type Command, EXIT } from "../../cli/kit/command.ts";
import {
  optional,
  positional,
  quote,
  readId,
  readInstant,
  readPlainText,
  requiredText,
} from "../../cli/kit/option-values.ts";
import { printJson } from "../../cli/kit/output.ts";
import { endedJson } from "../../cli/payments/payment-view.ts";
import { formatMoney } from "../../core/money.ts";
import { type CompleteFault, type CompletePayout, completePayout } from "../app/complete-payout.ts";
import type { BookedTime } from "../core/statement/statement-item.ts";

const REFERENCE_MAX = 255;
const ACCOUNT_MAX = 40;

export const payoutComplete: Command = {
  name: "payout complete",
  summary: "Mark a manual payout paid, with the account that it left and the bank's reference.",
  arguments: ["REQUEST_ID"],
  options: {
    account: { type: "string", value: "CODE", help: "the receiving account that the money left" },
    reference: { type: "string", value: "TEXT", help: "the bank's reference, as in its statement" },
    "booked-at": {
      type: "string",
      value: "TIME",
      help: "when the bank booked it: 2026-01-31, or 2026-01-31T10:00:00Z",
    },
    json: { type: "boolean", help: "print the payment as JSON, with whether anything was changed" },
  },
  notes: [
    "If a statement reports this reference later, nothing changes; if it did before, the debit is now explained.",
    "To undo a mistake, run transfer reverse: the payout stays as it is, and its money is in suspense under it.",
    "A declined payout stays declined: money that left anyway is booked as a shortfall.",
    "Example: {program} payout complete REQUEST_ID --account main --reference 5521-77",
  ],
  run: (context, input) => {
    const command: CompletePayout = {
      requestId: readId(positional(input, 0), "REQUEST_ID"),
      account: readPlainText(requiredText(input, "account"), "--account", ACCOUNT_MAX),
      reference: readPlainText(requiredText(input, "reference"), "--reference", REFERENCE_MAX),
      booked: optional(input, "booked-at", readBooked),
      actor: context.actor,
    };
    return context.withDatabase(async (db) => {
      const completed = await completePayout(db, command);
      if (!completed.ok) throw new CliFault(`${refusal(command, completed.error)} Nothing was changed.`);
      const { payment, changed } = completed.value;
      const { state, amount, currency } = payment;
      if (input.flag("json")) printJson(context, { ...endedJson(payment), changed });
      else if (changed)
        context.print(
          `Payout ${command.requestId} of ${formatMoney(amount, currency)} left from ${command.account}: it is ${state} now.`,
        );
      else context.print(`Payout ${command.requestId} was already completed this way, and nothing was changed.`);
      return EXIT.done;
    });
  },
};

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** A date is the whole day by the account's own clock. */
function readBooked(text: string, name: string): BookedTime {
  const instant = readInstant(text, name);
  if (!DAY.test(text)) return { kind: "instant", from: instant, to: instant };
  return { kind: "local", from: `${text} 00:00:00.000`, to: `${text} 23:59:59.999` };
}

function refusal(command: CompletePayout, fault: CompleteFault): string {
  switch (fault.kind) {
    case "payment_unknown":
      return `There is no payment ${command.requestId}.`;
    case "not_by_hand":
      return "It is no payout that a person was to make.";
    case "account_unknown":
      return `There is no receiving account ${quote(command.account)}: see pool account list.`;
    case "account_of_other_book":
      return `Account ${command.account} is not of the payout's book: test money and real money never meet.`;
    case "account_of_other_currency":
      return `Account ${command.account} is not in the payout's currency.`;
    case "completion_reversed":
      return `It was completed, and that was reversed. If it left by another transfer: suspense return ${command.requestId}; if it never left: suspense assign --to-balance.`;
    case "booked_later":
      return "--booked-at has not come yet.";
    case "reference_used":
      return `Reference ${command.reference} was given for another movement of money: one reference names one movement of a book.`;
    case "reference_taken":
      return `Reference ${command.reference} of account ${command.account} names another ${fault.known.direction}${fault.known.requestId === null ? "" : `, of payment ${fault.known.requestId}`}.`;
    case "amount_differs":
      return `The statement says ${formatMoney(fault.known.amount, fault.known.currency)} under reference ${command.reference}, which is not the payout's sum.`;
    case "completed_otherwise":
      return `It was completed before: from account ${fault.account}, under reference ${fault.reference}.`;
    case "paid_otherwise":
      return `The payment is ${fault.payment.state}, and was paid another way. If this money left too, the account's statement will say so.`;
    case "elsewhere":
      return `Provider ${fault.payment.provider ?? "none"} has the payment now, and may pay it. If this money left too, the account's statement will say so.`;
  }
}
