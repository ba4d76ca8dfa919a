import type { AccountLines } from "../../app/ledger/account-lines.ts";
import type { ReverseFault } from "../../app/ledger/reverse-fault.ts";
import { type ReverseMove, reverseMove } from "../../app/ledger/reverse-move.ts";
import type { Currency } from "../../core/currency.ts";
import { formatMoney } from "../../core/money.ts";
import { CliFault, type Command, EXIT, type OptionSpec } from "../kit/command.ts";
import { positional, readId, readPlainText, requiredText } from "../kit/option-values.ts";
import { printJson, showInstant } from "../kit/output.ts";
import { adviseOnSuspense } from "../payments/payment-words.ts";
import { describeMove, moveJson } from "./suspense-view.ts";

/** Entries that an operator recorded by mistake, taken back by opposite ones. */

export const REFERENCE_MAX = 255;
export const REASON_MAX = 1000;

export const REVERSE_OPTIONS = {
  reason: { type: "string", value: "TEXT", help: "the reason, kept in the records" },
  json: { type: "boolean", help: "print what was reversed as JSON" },
} as const satisfies Record<string, OptionSpec>;

export const REVERSE_NOTES = [
  "Nothing is deleted: the entry stays, marked as reversed, and its reference is free for the right one.",
  "It is refused where the money has gone on: reverse what was done with it first.",
];

export function suspenseReverse(lines: AccountLines): Command {
  return {
    name: "suspense reverse",
    summary: "Reverse a mistaken suspense assign or suspense return: its money is in suspense again.",
    arguments: ["REQUEST_ID"],
    options: {
      reference: { type: "string", value: "TEXT", help: "the reference that names the movement" },
      ...REVERSE_OPTIONS,
    },
    notes: [
      ...REVERSE_NOTES,
      "REQUEST_ID is the payment whose money was moved: payment show lists the movements.",
      'Example: {program} suspense reverse REQUEST_ID --reference t-81 --reason "assigned to the wrong shop"',
    ],
    run: (context, input) => {
      const command: ReverseMove = {
        requestId: readId(positional(input, 0), "REQUEST_ID"),
        reference: readPlainText(requiredText(input, "reference"), "--reference", REFERENCE_MAX),
        reason: readPlainText(requiredText(input, "reason"), "--reason", REASON_MAX),
        actor: context.actor,
      };
      return context.withDatabase(async (db) => {
        const reversed = await reverseMove({ db, lines }, command);
        if (!reversed.ok) {
          const unknown = `No movement of payment ${command.requestId} has reference ${command.reference}: see payment show.`;
          throw new CliFault(`${explainReverseFault(reversed.error, unknown)} Nothing was changed.`);
        }
        if (input.flag("json")) printJson(context, { ...moveJson(reversed.value), reversed: true });
        else context.print(`Reversed: ${describeMove(reversed.value)}`);
        return EXIT.done;
      });
    },
  };
}

export function explainReverseFault(fault: ReverseFault, unknown: string, currency?: Currency): string {
  switch (fault.kind) {
    case "payment_unknown":
    case "entry_unknown":
      return unknown;
    case "reversed_before":
      return `It was reversed before, by ${fault.earlier.actor} at ${showInstant(fault.earlier.createdAt)}.`;
    case "payment_open":
      return `Payment ${fault.requestId}, which has the money, is ${fault.state}: ${adviseOnSuspense(fault.state)}.`;
    case "moved_on": {
      const standing = currency === undefined ? "" : `, where ${formatMoney(fault.standing, currency)} stand now`;
      return `The money has gone on from suspense of payment ${fault.requestId}${standing}: see payment show.`;
    }
    case "spent":
      return "The balance that it was put on no longer has it.";
  }
}
