import { CliFault, type Command, type CommandInput, EXIT } from "../../cli/kit/command.ts";
import { positional, readId, readPlainText, requiredText, wrongUsage } from "../../cli/kit/option-values.ts";
import { printJson, showInstant } from "../../cli/kit/output.ts";
import { type FailFault, type FailPayout, failPayout } from "../app/fail-payout.ts";

const REASON_MAX = 1000;

export const payoutFail: Command = {
  name: "payout fail",
  summary: "Mark a manual payout not paid, or its receiver wrong, or its outcome unknown.",
  arguments: ["REQUEST_ID"],
  options: {
    reason: { type: "string", value: "TEXT", help: "the reason, kept in the history" },
    "receiver-wrong": {
      type: "boolean",
      help: "the bank refused the receiver: dispute:incorrect_requisites, and the money stays locked",
    },
    "may-have-left": {
      type: "boolean",
      help: "the outcome is unknown: dispute:payout_failed, and the money stays locked",
    },
    certain: { type: "boolean", help: "required for an exported payout: you made sure that it was not paid" },
    json: { type: "boolean", help: "print what was done as JSON" },
  },
  notes: [
    "A payout that was not paid goes to the next provider of its route; if there is none, it is declined.",
    'Example: {program} payout fail REQUEST_ID --reason "the card is closed" --receiver-wrong',
  ],
  run: (context, input) => {
    const command: FailPayout = {
      requestId: readId(positional(input, 0), "REQUEST_ID"),
      outcome: readOutcome(input),
      reason: readPlainText(requiredText(input, "reason"), "--reason", REASON_MAX),
      certain: input.flag("certain"),
      actor: context.actor,
    };
    return context.withDatabase(async (db) => {
      const failed = await failPayout(db, command);
      if (!failed.ok) throw new CliFault(`${refusal(command, failed.error)} Nothing was changed.`);
      const { changed } = failed.value;
      if (input.flag("json")) printJson(context, { request_id: command.requestId, outcome: command.outcome, changed });
      else if (changed) context.print(`Payout ${command.requestId} ${SAID[command.outcome]}.`);
      else context.print(`Payout ${command.requestId}: this was recorded before, and nothing was changed.`);
      return EXIT.done;
    });
  },
};

const SAID = {
  declined: "was not paid: the worker sends it to the next provider of its route, or declines it",
  may_have_left: "may have been paid: it is in dispute, and its money stays locked",
  receiver_wrong: "has a wrong receiver: it is in dispute, and its money stays locked",
} as const satisfies Record<FailPayout["outcome"], string>;

function readOutcome(input: CommandInput): FailPayout["outcome"] {
  const [wrong, left] = [input.flag("receiver-wrong"), input.flag("may-have-left")];
  if (wrong && left) throw wrongUsage("Give --receiver-wrong or --may-have-left, not both.");
  if ((wrong || left) && input.flag("certain")) throw wrongUsage("--certain is for what was certainly not paid.");
  if (wrong) return "receiver_wrong";
  return left ? "may_have_left" : "declined";
}

function refusal(command: FailPayout, fault: FailFault): string {
  switch (fault.kind) {
    case "payment_unknown":
      return `There is no payment ${command.requestId}.`;
    case "not_by_hand":
      return "It is not a manual payout.";
    case "completed":
      return "It was completed: it has been paid.";
    case "declined_before":
      return "It was already marked not paid, and another provider may have it.";
    case "handed_out": {
      const { exportedAt, exportedBy, accountCode, outcome } = fault.payout;
      if (exportedAt === null)
        return `It was already marked ${outcome}. Make sure that it was not paid, then add --certain.`;
      return `${exportedBy} exported it for account ${accountCode} at ${showInstant(exportedAt)}. Make sure that it was not paid, then add --certain.`;
    }
    case "not_waiting":
      return `The payment is ${fault.payment.state} and does not wait for an operator.`;
  }
}
