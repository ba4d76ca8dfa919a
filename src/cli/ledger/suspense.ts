import type { AccountLines } from "../../app/ledger/account-lines.ts";
import { type MoveSuspense, moveSuspense } from "../../app/ledger/move-suspense.ts";
import type { SuspenseFault, SuspenseWish } from "../../app/ledger/suspense-targets.ts";
import { AMOUNT_MAX, formatMoney } from "../../core/money.ts";
import { listSuspense } from "../../store/ledger/suspense.ts";
import { findProject } from "../../store/merchants/projects.ts";
import { type CliContext, CliFault, type Command, type CommandInput, EXIT, type OptionSpec } from "../kit/command.ts";
import {
  optional,
  positional,
  readAmount,
  readId,
  readPlainText,
  requiredText,
  wrongUsage,
} from "../kit/option-values.ts";
import { printJson } from "../kit/output.ts";
import { projectUnknown } from "../merchants/project-view.ts";
import { readWayBack } from "../merchants/route-changes.ts";
import { adviseOnSuspense } from "../payments/payment-words.ts";
import { providerUnknown } from "../providers/provider-unknown.ts";
import { describeMove, moveJson, renderSuspense, suspenseJson } from "./suspense-view.ts";

const REFERENCE_MAX = 255;
const REASON_MAX = 1000;

export const suspenseList: Command = {
  name: "suspense list",
  summary: "List money in suspense (unallocated funds), by payment, the oldest first.",
  arguments: [],
  options: {
    project: { type: "string", value: "ID", help: "only that of this project" },
    json: { type: "boolean", help: "print the list as JSON" },
  },
  notes: ["Example: {program} suspense list"],
  run: (context, input) => {
    const projectId = optional(input, "project", readId);
    return context.withDatabase(async (db) => {
      if (projectId !== undefined && (await findProject(db, projectId)) === undefined) throw projectUnknown(projectId);
      const entries = await listSuspense(db, projectId);
      if (input.flag("json")) printJson(context, entries.map(suspenseJson));
      else context.print(entries.length === 0 ? "Nothing is in suspense." : renderSuspense(entries));
      return EXIT.done;
    });
  },
};

const MOVE_OPTIONS = {
  amount: { type: "string", value: "MINOR", help: "how much of it, in minor units" },
  reference: { type: "string", value: "TEXT", help: "names this movement, such as a bank's reference" },
  reason: { type: "string", value: "TEXT", help: "the reason, kept in the records" },
  json: { type: "boolean", help: "print the movement as JSON" },
} as const satisfies Record<string, OptionSpec>;

const MOVE_NOTES = [
  "Only money of a payment that has ended can be moved: an open one is settled or declined first.",
  "The same reference again changes nothing and says so, so that a command can be repeated safely.",
];

/** What these commands need of receiving accounts. The pool hands this in. */
export type OwnAccounts = { readonly lines: AccountLines; readonly isAccountCode: (text: string) => boolean };

export function suspenseAssign({ lines }: OwnAccounts): Command {
  return {
    name: "suspense assign",
    summary: "Assign money in suspense of an ended payment to an open payment or a project's balance.",
    arguments: ["REQUEST_ID"],
    options: {
      "to-payment": { type: "string", value: "REQUEST_ID", help: "the open pay-in that it was meant for" },
      "to-balance": { type: "string", value: "PROJECT", help: "the project whose balance it is put on, without a fee" },
      ...MOVE_OPTIONS,
    },
    notes: [
      ...MOVE_NOTES,
      'Example: {program} suspense assign REQUEST_ID --amount 50000 --to-balance PROJECT --reference t-81 --reason "late transfer"',
    ],
    run: (context, input) => move(context, input, { target: readTarget(input), lines }),
  };
}

export function suspenseReturn({ lines, isAccountCode }: OwnAccounts): Command {
  const readThrough = (text: string) => readWayBack(text, isAccountCode);
  return {
    name: "suspense return",
    summary: "Record that you returned money in suspense of an ended payment to its sender.",
    arguments: ["REQUEST_ID"],
    options: {
      through: {
        type: "string",
        value: "PROVIDER|pool-CODE",
        help: "the way it went back, or manual; if left out, the way it came",
      },
      ...MOVE_OPTIONS,
    },
    notes: [
      ...MOVE_NOTES,
      "Money that came to a receiving account goes back from that account. --reference is then the bank's own: the same",
      "transfer in its statement changes nothing. Where money came by several ways, --through must name one.",
      'Example: {program} suspense return REQUEST_ID --amount 50000 --reference r-17 --reason "sent by mistake"',
    ],
    run: (context, input) =>
      move(context, input, { target: { kind: "return", through: optional(input, "through", readThrough) }, lines }),
  };
}

function readTarget(input: CommandInput): SuspenseWish {
  const requestId = optional(input, "to-payment", readId);
  const projectId = optional(input, "to-balance", readId);
  if (requestId !== undefined && projectId === undefined) return { kind: "to_payment", requestId };
  if (projectId !== undefined && requestId === undefined) return { kind: "to_balance", projectId };
  throw wrongUsage("Give either --to-payment REQUEST_ID or --to-balance PROJECT.");
}

function readWish(context: CliContext, input: CommandInput, target: SuspenseWish): MoveSuspense {
  return {
    requestId: readId(positional(input, 0), "REQUEST_ID"),
    amount: readAmount(requiredText(input, "amount"), "--amount"),
    target,
    reference: readPlainText(requiredText(input, "reference"), "--reference", REFERENCE_MAX),
    reason: readPlainText(requiredText(input, "reason"), "--reason", REASON_MAX),
    actor: context.actor,
  };
}

type Move = { readonly target: SuspenseWish; readonly lines: AccountLines };

function move(context: CliContext, input: CommandInput, { target, lines }: Move) {
  const command = readWish(context, input, target);
  return context.withDatabase(async (db) => {
    const moved = await moveSuspense({ db, lines }, command);
    if (!moved.ok) {
      if (moved.error.kind === "provider_unknown" && target.kind === "return") {
        throw await providerUnknown(db, target.through ?? "");
      }
      throw new CliFault(`${refusal(command, moved.error)} Nothing was changed.`);
    }
    const { repeated, left } = moved.value;
    if (input.flag("json")) {
      printJson(context, { ...moveJson(moved.value.move), repeated });
    } else {
      const sentence = describeMove(moved.value.move);
      context.print(repeated ? `This was done before, and nothing was changed: ${sentence}` : sentence);
      if (left > 0n) context.print(`${formatMoney(left, moved.value.move.currency)} are left there.`);
    }
    return EXIT.done;
  });
}

function refusal(command: MoveSuspense, fault: SuspenseFault): string {
  switch (fault.kind) {
    case "payment_unknown":
      return `There is no payment ${command.requestId}.`;
    case "payment_open":
      return `The payment is ${fault.state}, so its money is still being decided about: ${adviseOnSuspense(fault.state)}.`;
    case "exceeds":
      return `Only ${formatMoney(fault.standing, fault.currency)} stand in suspense under this payment.`;
    case "target_unknown":
      return "There is no such payment or project to give it to.";
    case "target_takes_nothing":
      return "Only pay-ins by transfer take money: the payment to give it to is a payout, or by card.";
    case "reversal_pending":
      return "Its provider is about to give this charge back to the payer's card.";
    case "target_final":
      return `The payment to give it to is ${fault.state}, and what has ended stays as it is. See --to-balance.`;
    case "target_refuses":
      return `The payment to give it to is ${fault.state}, and takes no money yet.`;
    case "other_book":
      return "Test money and live money never meet.";
    case "other_currency":
      return "The payment to give it to is in another currency.";
    case "reference_taken":
      return `Reference ${command.reference} names another movement of money already.`;
    case "receipt_taken":
      return `Reference ${command.reference} names a transfer that the other project counted already.`;
    case "balance_limit":
      return `The project would hold more than ${AMOUNT_MAX} minor units.`;
    case "account_unknown":
      return "There is no such receiving account: see pool account list.";
    case "account_of_other_currency":
      return "That receiving account is in another currency.";
    case "line_taken":
      return `Reference ${command.reference} names another transfer of that receiving account already.`;
    case "way_unclear":
      return fault.ways.length > 1
        ? `The money came by ${fault.ways.join(" and ")}: say with --through which way it went back.`
        : "The books do not tell which way the money came: say with --through which way it went back.";
    case "provider_unknown":
    case "provider_of_other_book":
      return "That provider never sees money of this book.";
  }
}
