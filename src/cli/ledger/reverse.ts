import { type ReverseMove, reverseMove } from "../../app/ledger/reverse-move.ts";
import type { Currency } from "../../core/currency.ts";
import { formatMoney, minorToJson } from "../../core/money.ts";
import { type ReverseTransfer, reverseTransfer } from "../../pool/app/reverse-transfer.ts";
import type { ReverseFault } from "../../pool/app/reversed-lines.ts";
import { OUTCOME_WORDS } from "../../pool/cli/import-view.ts";
import { getAccount } from "../../pool/cli/receiving-account.ts";
import { CliFault, type Command, EXIT, type OptionSpec } from "../kit/command.ts";
import { positional, readId, readPlainText, requiredText } from "../kit/option-values.ts";
import { printJson, showInstant } from "../kit/output.ts";
import { describeMove, moveJson } from "./suspense-view.ts";

/** Entries that an operator recorded by mistake, taken back by opposite ones. */

const REFERENCE_MAX = 255;
const REASON_MAX = 1000;

const OPTIONS = {
  reason: { type: "string", value: "TEXT", help: "the reason, kept in the records" },
  json: { type: "boolean", help: "print what was reversed as JSON" },
} as const satisfies Record<string, OptionSpec>;

const NOTES = [
  "Nothing is deleted: the entry stays, marked as reversed, and its reference is free for the right one.",
  "It is refused where the money has gone on: reverse what was done with it first.",
];

export const suspenseReverse: Command = {
  name: "suspense reverse",
  summary: "Reverse a mistaken suspense assign or suspense return: its money is in suspense again.",
  arguments: ["REQUEST_ID"],
  options: { reference: { type: "string", value: "TEXT", help: "the reference that names the movement" }, ...OPTIONS },
  notes: [
    ...NOTES,
    "REQUEST_ID is the payment whose money was moved: payment show lists the movements.",
    'Example: {program} suspense reverse REQUEST_ID --reference t-81 --reason "assigned to the wrong shop"',
  ],
  run: (context, input) => {
    const order: ReverseMove = {
      requestId: readId(positional(input, 0), "REQUEST_ID"),
      reference: readPlainText(requiredText(input, "reference"), "--reference", REFERENCE_MAX),
      reason: readPlainText(requiredText(input, "reason"), "--reason", REASON_MAX),
      actor: context.actor,
    };
    return context.withDatabase(async (db) => {
      const reversed = await reverseMove(db, order);
      if (!reversed.ok) {
        const unknown = `No movement of payment ${order.requestId} has reference ${order.reference}: see payment show.`;
        throw new CliFault(`${refusal(reversed.error, unknown)} Nothing was changed.`);
      }
      if (input.flag("json")) printJson(context, { ...moveJson(reversed.value), reversed: true });
      else context.print(`Reversed: ${describeMove(reversed.value)}`);
      return EXIT.done;
    });
  },
};

export const transferReverse: Command = {
  name: "transfer reverse",
  summary: "Reverse a mistaken transfer record, transfer explain or payout complete, by its reference.",
  arguments: ["ACCOUNT", "REFERENCE"],
  options: OPTIONS,
  notes: [
    ...NOTES,
    "A credit leaves suspense again. A debit that the bank had reported is unexplained again.",
    "A payout that was completed by mistake stays a success, and its money is in suspense under it.",
    'Example: {program} transfer reverse sber-1 FT-81-2 --reason "the sum was mistyped"',
  ],
  run: (context, input) => {
    const reference = readPlainText(positional(input, 1), "REFERENCE", REFERENCE_MAX);
    const reason = readPlainText(requiredText(input, "reason"), "--reason", REASON_MAX);
    return context.withDatabase(async (db) => {
      const account = await getAccount({ db, keyring: await context.openKeyring(db) }, positional(input, 0));
      const order: ReverseTransfer = { account, reference, reason, actor: context.actor };
      const reversed = await reverseTransfer(db, order);
      if (!reversed.ok) {
        const unknown = "No transfer of this account is known by that reference: see transfer list.";
        throw new CliFault(`${refusal(reversed.error, unknown, account.currency)} Nothing was changed.`);
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

function refusal(fault: ReverseFault, unknown: string, currency?: Currency): string {
  switch (fault.kind) {
    case "payment_unknown":
    case "entry_unknown":
      return unknown;
    case "reversed_before":
      return `It was reversed before, by ${fault.earlier.actor} at ${showInstant(fault.earlier.createdAt)}.`;
    case "payment_open":
      return `Payment ${fault.requestId}, which has the money, is ${fault.state}: settle or decline it first.`;
    case "moved_on": {
      const standing = currency === undefined ? "" : `, where ${formatMoney(fault.standing, currency)} stand now`;
      return `The money has gone on from suspense of payment ${fault.requestId}${standing}: see payment show.`;
    }
    case "spent":
      return "The balance that it was put on no longer has it.";
  }
}
