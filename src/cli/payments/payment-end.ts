import {
  declinePayment,
  type EndByHand,
  type EndByHandFault,
  type SettleByHand,
  settlePayment,
} from "../../app/payments/settle-payment.ts";
import { AMOUNT_MAX, formatMoney } from "../../core/money.ts";
import { kindOf } from "../../core/payments/kinds.ts";
import type { Result } from "../../core/result.ts";
import type { StoredPayment } from "../../store/payments/payments.ts";
import { type CliContext, CliFault, type Command, type CommandInput, EXIT, type OptionSpec } from "../kit/command.ts";
import { optional, positional, readId, readPlainText, requiredText } from "../kit/option-values.ts";
import { printJson } from "../kit/output.ts";
import { readWay } from "../merchants/route-changes.ts";
import { providerUnknown } from "../providers/provider-unknown.ts";
import { endedJson } from "./payment-view.ts";
import { adviseOn } from "./payment-words.ts";

/** A receipt bears the reference as a name, so it has the same length. */
const REFERENCE_MAX = 255;
const REASON_MAX = 1000;

const END_OPTIONS = {
  reference: { type: "string", value: "TEXT", help: "the bank's reference that proves it" },
  reason: { type: "string", value: "TEXT", help: "the reason, kept in the history" },
  json: { type: "boolean", help: "print the payment as JSON" },
} as const satisfies Record<string, OptionSpec>;

export const paymentSettle: Command = {
  name: "payment settle",
  summary: "Mark a payment successful: its money has arrived, or a payout's money has left.",
  arguments: ["REQUEST_ID"],
  options: {
    through: {
      type: "string",
      value: "PROVIDER",
      help: "the provider that moved the money; default manual for a transfer, the payment's provider for a charge or payout",
    },
    ...END_OPTIONS,
  },
  notes: [
    "A pay-in is settled for the received amount; if none was seen, for the requested amount, under the bank's reference.",
    "For money on your own receiving account, use transfer record instead.",
    "A payout must be in dispute: its locked money is then debited.",
    'Example: {program} payment settle REQUEST_ID --reference bank-5521 --reason "seen in the statement"',
  ],
  run: (context, input) => {
    const command = readWish(context, input);
    const through = optional(input, "through", readWay);
    return end(context, input, { ...command, through }, (db) => settlePayment(db, { ...command, through }));
  },
};

export const paymentDecline: Command = {
  name: "payment decline",
  summary: "Mark a payment declined: its money did not arrive, or a payout's money certainly did not leave.",
  arguments: ["REQUEST_ID"],
  options: END_OPTIONS,
  notes: [
    "Money that arrived for a pay-in stays in suspense: see suspense list. A payout's amount and fee are released.",
    "A payout that has not been sent yet is cancelled.",
    'Example: {program} payment decline REQUEST_ID --reference case-81 --reason "the bank says it was not sent"',
  ],
  run: (context, input) => {
    const command = readWish(context, input);
    return end(context, input, command, (db) => declinePayment(db, command));
  },
};

function readWish(context: CliContext, input: CommandInput): EndByHand {
  return {
    requestId: readId(positional(input, 0), "REQUEST_ID"),
    reference: readPlainText(requiredText(input, "reference"), "--reference", REFERENCE_MAX),
    reason: readPlainText(requiredText(input, "reason"), "--reason", REASON_MAX),
    actor: context.actor,
  };
}

type Ending = (db: Parameters<typeof settlePayment>[0]) => Promise<Result<StoredPayment, EndByHandFault>>;

function end(context: CliContext, input: CommandInput, command: SettleByHand, ending: Ending) {
  return context.withDatabase(async (db) => {
    const ended = await ending(db);
    if (!ended.ok) {
      if (ended.error.kind === "provider_unknown") throw await providerUnknown(db, command.through ?? "");
      throw new CliFault(refusal(command, ended.error));
    }
    const { state, amount, currency, direction } = ended.value;
    if (input.flag("json")) printJson(context, endedJson(ended.value));
    else {
      const what = direction === "payin" ? "Pay-in" : "Payout";
      context.print(`${what} ${command.requestId} of ${formatMoney(amount, currency)} is ${state} now.`);
    }
    return EXIT.done;
  });
}

function refusal(command: EndByHand, fault: EndByHandFault): string {
  switch (fault.kind) {
    case "payment_unknown":
      return `There is no payment ${command.requestId}.`;
    case "refused": {
      const { state, provider } = fault.payment;
      const advice = adviseOn(kindOf(fault.payment), state, provider);
      return `The payment is ${state}, so this cannot be done. ${advice} The history says that you tried.`;
    }
    case "reference_taken":
      return `Reference ${command.reference} names another movement of money already. Nothing was changed.`;
    case "balance_limit":
      return `The project would hold more than ${AMOUNT_MAX} minor units: pay some out first, then settle again. Nothing was changed.`;
    case "no_account_named":
      return "Money of the pool moves through one of its accounts: record the transfer with transfer record, or say with payout complete that the payout left. Nothing was changed.";
    case "provider_unknown":
    case "provider_of_other_book":
      return "That provider never sees money of this payment's book. Nothing was changed.";
    case "not_by_charge":
      return "A card's money comes by its charge, through the provider that has it: leave --through out. Nothing was changed.";
  }
}
