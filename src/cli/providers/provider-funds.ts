import type { AccountLines, SuspenseDeps } from "../../app/ledger/account-lines.ts";
import { type FundsFault, type MoveFunds, moveFunds } from "../../app/ledger/move-funds.ts";
import { reverseFunds } from "../../app/ledger/reverse-funds.ts";
import { accountOfWay, BY_HAND } from "../../core/providers.ts";
import type { Database } from "../../store/db.ts";
import { listProviderFunds } from "../../store/providers/provider-funds.ts";
import { type CliContext, CliFault, type Command, type CommandInput, EXIT, type ExitCode } from "../kit/command.ts";
import {
  optional,
  positional,
  quote,
  readAmount,
  readCurrency,
  readPlainText,
  requiredText,
  wrongUsage,
} from "../kit/option-values.ts";
import { printJson } from "../kit/output.ts";
import { explainReverseFault, REASON_MAX, REFERENCE_MAX, REVERSE_OPTIONS } from "../ledger/reverse.ts";
import type { OwnAccounts } from "../ledger/suspense.ts";
import { requireProvider } from "./provider-banks.ts";
import { describeFunds, fundsJson, listedFundsJson, renderFunds } from "./provider-funds-view.ts";
import { providerNotConfigured } from "./provider-unknown.ts";

/** Those that say what was moved. Without any of them the command lists. */
const MOVEMENT_OPTIONS = ["in", "out", "currency", "reference", "through", "note"];

export function providerFunds({ lines, isAccountCode }: OwnAccounts): Command {
  const readThrough = (text: string) => readFundsWay(text, isAccountCode);
  return {
    name: "provider funds",
    summary: "Record a top-up of your balance at a provider, or a withdrawal from it; without options, list them.",
    arguments: ["NAME"],
    options: {
      in: { type: "string", value: "MINOR", help: "this amount was added to your balance there" },
      out: { type: "string", value: "MINOR", help: "this amount left your balance there for your bank account" },
      currency: { type: "string", value: "CODE", help: "the currency of the amount" },
      reference: { type: "string", value: "TEXT", help: "the bank's reference of the transfer" },
      through: {
        type: "string",
        value: "manual|pool-CODE",
        help: "your account on the other side; manual if left out",
      },
      note: { type: "string", value: "TEXT", help: "a note, kept in the records" },
      json: { type: "boolean", help: "print the result as JSON" },
    },
    notes: [
      "It moves no money: it records what you moved, so that ledger clearing agrees with the provider again.",
      "MINOR is what your balance there changed by, in minor units. With --through pool-CODE the other side is a receiving",
      "account, and --reference is its bank's: the same transfer in its statement changes nothing. Else it is manual.",
      "You can repeat the command safely: the same reference again changes nothing and says so.",
      "Example: {program} provider funds alpha --in 5000000 --currency RUB --reference FT-2041",
    ],
    run: (context, input) => {
      const name = positional(input, 0);
      const command = MOVEMENT_OPTIONS.some((option) => input.text(option) !== undefined)
        ? readMovement(context, input, { provider: name, through: optional(input, "through", readThrough) ?? BY_HAND })
        : undefined;
      return context.withDatabase((db) =>
        command === undefined ? list(context, input, db, name) : record(context, input, { db, lines }, command),
      );
    },
  };
}

/** A receiving account, or any other account of the operator's. */
function readFundsWay(text: string, isAccountCode: (code: string) => boolean): string {
  const account = accountOfWay(text);
  if (text === BY_HAND || (account !== undefined && isAccountCode(account))) return text;
  throw wrongUsage(`--through must be manual or pool-CODE: see pool account list. It is ${quote(text)}.`);
}

type Sides = Pick<MoveFunds, "provider" | "through">;

function readMovement(context: CliContext, input: CommandInput, sides: Sides): MoveFunds {
  const topUp = optional(input, "in", readAmount);
  const withdrawal = optional(input, "out", readAmount);
  const amount = topUp ?? withdrawal;
  if (amount === undefined || (topUp !== undefined && withdrawal !== undefined))
    throw wrongUsage("Give either --in MINOR or --out MINOR.");
  return {
    ...sides,
    direction: topUp === undefined ? "out" : "in",
    amount,
    currency: readCurrency(requiredText(input, "currency"), "--currency"),
    reference: readPlainText(requiredText(input, "reference"), "--reference", REFERENCE_MAX),
    note: optional(input, "note", (text, name) => readPlainText(text, name, REASON_MAX)) ?? null,
    actor: context.actor,
  };
}

async function record(
  context: CliContext,
  input: CommandInput,
  deps: SuspenseDeps,
  command: MoveFunds,
): Promise<ExitCode> {
  const moved = await moveFunds(deps, command);
  if (!moved.ok) {
    if (moved.error === "provider_unknown") throw await providerNotConfigured(deps.db, command.provider);
    throw new CliFault(`${refusal(command, moved.error)} Nothing was changed.`);
  }
  const { funds, repeated } = moved.value;
  const sentence = describeFunds(funds);
  if (input.flag("json")) printJson(context, { ...fundsJson(funds), repeated });
  else context.print(repeated ? `This was recorded before, and nothing was changed: ${sentence}` : sentence);
  return EXIT.done;
}

function refusal(
  { reference, provider, direction }: MoveFunds,
  fault: Exclude<FundsFault, "provider_unknown">,
): string {
  switch (fault) {
    case "account_unknown":
      return "There is no such receiving account: see pool account list.";
    case "account_of_other_book":
      return "Test money and live money never meet: that receiving account is of the other book.";
    case "account_of_other_currency":
      return "That receiving account is in another currency.";
    case "reference_taken":
      return `Reference ${reference} names another movement of money already.`;
    case "line_taken": {
      const suspended = `If the bank reported this withdrawal before you recorded it, it is in suspense: suspense return REQUEST_ID --through ${provider}.`;
      const taken = `Reference ${reference} names another transfer of that receiving account already.`;
      return direction === "out" ? `${taken} ${suspended}` : taken;
    }
  }
}

async function list(context: CliContext, input: CommandInput, db: Database, name: string): Promise<ExitCode> {
  await requireProvider(db, name);
  const all = await listProviderFunds(db, name);
  if (input.flag("json")) printJson(context, all.map(listedFundsJson));
  else context.print(all.length === 0 ? `No funds of ${name} were recorded.` : renderFunds(all));
  return EXIT.done;
}

export function providerFundsReverse(lines: AccountLines): Command {
  return {
    name: "provider funds reverse",
    summary: "Reverse funds of a provider that were recorded by mistake.",
    arguments: ["NAME"],
    options: {
      reference: { type: "string", value: "TEXT", help: "the reference that names the movement" },
      ...REVERSE_OPTIONS,
    },
    notes: [
      "Nothing is deleted: the entry stays, marked as reversed, and its reference is free for the right one.",
      'Example: {program} provider funds reverse alpha --reference FT-2041 --reason "wrong provider"',
    ],
    run: (context, input) => {
      const command = {
        provider: positional(input, 0),
        reference: readPlainText(requiredText(input, "reference"), "--reference", REFERENCE_MAX),
        reason: readPlainText(requiredText(input, "reason"), "--reason", REASON_MAX),
        actor: context.actor,
      };
      return context.withDatabase(async (db) => {
        const reversed = await reverseFunds({ db, lines }, command);
        if (!reversed.ok) {
          const { provider, reference } = command;
          if (reversed.error.kind === "provider_unknown") throw await providerNotConfigured(db, provider);
          const unknown = `No funds of ${provider} have reference ${reference}: see provider funds ${provider}.`;
          throw new CliFault(`${explainReverseFault(reversed.error, unknown)} Nothing was changed.`);
        }
        if (input.flag("json")) printJson(context, { ...fundsJson(reversed.value), reversed: true });
        else context.print(`Reversed: ${describeFunds(reversed.value)}`);
        return EXIT.done;
      });
    },
  };
}
