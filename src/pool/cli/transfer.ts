import { type CliContext, CliFault, type Command, type CommandInput, EXIT } from "../../cli/kit/command.ts";
import { foreignJson } from "../../cli/kit/foreign-text.ts";
import {
  optional,
  readAmount,
  readChoice,
  readId,
  readInstant,
  readInteger,
  readPlainText,
  requiredText,
  wrongUsage,
} from "../../cli/kit/option-values.ts";
import { printJson } from "../../cli/kit/output.ts";
import type { Id } from "../../core/ids.ts";
import { formatMoney } from "../../core/money.ts";
import { type Recorded, recordLines } from "../app/record-lines.ts";
import { readIsoTime } from "../core/statement/booked-time.ts";
import { readReference } from "../core/statement/line-texts.ts";
import type { BookedTime } from "../core/statement/statement-item.ts";
import type { NamedAccount } from "../store/account-names.ts";
import { listBankLines, type ShownLine } from "../store/read-bank-lines.ts";
import { OUTCOME_WORDS } from "./import-view.ts";
import { getAccount } from "./receiving-account.ts";
import { PAYER_NOTES, PAYER_OPTIONS, payerJson, readReveal, type ShownPayers, showPayers } from "./transfer-payers.ts";
import { bankLineJson, OUTCOMES, renderBankLines } from "./transfer-view.ts";

const PAYER_MAX = 1000;
const LIMIT_STANDARD = 50;
const LIMIT_MAX = 1000;

export const transferRecord: Command = {
  name: "transfer record",
  summary: "Record one transfer of a receiving account, like a line of a statement.",
  arguments: [],
  options: {
    account: { type: "string", value: "CODE", help: "the receiving account" },
    amount: { type: "string", value: "MINOR", help: "in minor units" },
    reference: { type: "string", value: "TEXT", help: "the bank's reference; each is recorded once" },
    "booked-at": {
      type: "string",
      value: "TIME",
      help: "when the bank booked it, such as 2026-01-31T10:05, in the account's time zone; default now",
    },
    payer: { type: "string", value: "TEXT", help: "the other party, as the bank names it; stored encrypted" },
    debit: { type: "boolean", help: "the money left the account" },
    json: { type: "boolean", help: "print the result as JSON" },
  },
  notes: [
    "A transfer goes to the pay-in that was shown the account before that time, or else into suspense.",
    "Example: {program} transfer record --account sber-1 --amount 250000 --reference FT-81-2",
  ],
  run: (context, input) => {
    const amount = readAmount(requiredText(input, "amount"), "--amount");
    const reference = readReference(requiredText(input, "reference"));
    if (!reference.ok) throw wrongUsage(`--reference: ${reference.error}.`);
    const booked = readBooked(input);
    const payer = optional(input, "payer", (text, name) => readPlainText(text, name, PAYER_MAX));
    const name = requiredText(input, "account");
    return context.withDatabase(async (db) => {
      const deps = { db, keyring: await context.openKeyring(db) };
      const { id, code, book, currency } = await getAccount(deps, name);
      const direction = input.flag("debit") ? "debit" : "credit";
      const account = { id, code, book };
      const line = {
        account,
        reference: reference.value,
        direction,
        currency,
        amount,
        booked,
        payer,
        byOperator: true,
      } as const;
      const [recorded] = await recordLines(deps, [line], context.actor);
      if (recorded === undefined) throw new Error("one line has one result");
      return printRecorded(context, input, recorded, formatMoney(amount, currency));
    });
  },
};

function readBooked(input: CommandInput): BookedTime {
  const text = input.text("booked-at");
  if (text === undefined) {
    const now = new Date();
    return { kind: "instant", from: now, to: now };
  }
  const booked = readIsoTime(text);
  if (!booked.ok) throw wrongUsage("--booked-at must be a time such as 2026-01-31T10:05 or 2026-01-31T10:05:00Z.");
  return booked.value;
}

function printRecorded(context: CliContext, input: CommandInput, recorded: Recorded, sum: string) {
  if (recorded.kind === "contradicts") {
    const { direction, outcome } = recorded.line;
    throw new CliFault(
      `Another ${direction} was recorded under this reference (${OUTCOME_WORDS[outcome]}): see transfer list --reference. Nothing was changed.`,
    );
  }
  if (recorded.kind === "reference_used")
    throw new CliFault(
      "This reference is already used for another movement of money: a reference identifies one movement of a book. Nothing was changed.",
    );
  if (recorded.kind === "ahead")
    throw new CliFault("--booked-at is in the future, in the account's time zone. Nothing was changed.");
  const { outcome, requestId } = recorded.kind === "known" ? recorded.line : recorded;
  if (input.flag("json")) printJson(context, { outcome, request_id: requestId, repeated: recorded.kind === "known" });
  else {
    const where = requestId === null ? "" : ` (payment ${requestId})`;
    const repeated = recorded.kind === "known" ? "This was recorded before, and nothing was changed: " : "";
    context.print(`${repeated}${sum} ${OUTCOME_WORDS[outcome]}${where}.`);
  }
  return EXIT.done;
}

export const transferList: Command = {
  name: "transfer list",
  summary: "List the transfers of receiving accounts, the most recently recorded first.",
  arguments: [],
  options: {
    account: { type: "string", value: "CODE", help: "only those of this account" },
    outcome: {
      type: "string",
      value: "OUTCOME",
      words: OUTCOMES,
      help: `only those that became ${OUTCOMES.join(", ")}`,
    },
    reference: { type: "string", value: "TEXT", help: "the bank's reference, exactly" },
    since: { type: "string", value: "TIME", help: "booked then or later: 2026-01-31, or 2026-01-31T10:00:00Z" },
    until: { type: "string", value: "TIME", help: "booked before then" },
    limit: { type: "string", value: "N", help: `at most so many, up to ${LIMIT_MAX}; ${LIMIT_STANDARD} if left out` },
    after: { type: "string", value: "ID", help: "the next page, after this ID" },
    ...PAYER_OPTIONS,
    json: { type: "boolean", help: "print the page as JSON" },
  },
  notes: [
    ...PAYER_NOTES,
    "An unexplained debit is explained by payout complete, by suspense return --through pool-CODE under its reference, or,",
    "where the bank charged it, by transfer explain.",
    "Example: {program} transfer list --outcome unclaimed --since 2026-01-31",
  ],
  run: (context, input) => {
    const filter = {
      outcome: optional(input, "outcome", (text, name) => readChoice(text, name, OUTCOMES)),
      reference: input.text("reference"),
      since: optional(input, "since", readInstant),
      until: optional(input, "until", readInstant),
      after: optional(input, "after", readId),
      limit: optional(input, "limit", (text, name) => readInteger(text, name, 1, LIMIT_MAX)) ?? LIMIT_STANDARD,
    };
    const reveal = readReveal(context, input, filter.limit);
    return context.withDatabase(async (db) => {
      const account = await optionalAccount(context, db, input);
      const found = await listBankLines(db, { ...filter, account: account?.id, limit: filter.limit + 1 });
      const page = found.slice(0, filter.limit);
      const next = found.length > filter.limit ? page.at(-1)?.id : undefined;
      const payers = reveal === undefined ? undefined : await showPayers(context, db, page, reveal);
      printPage(context, input, { page, next, payers });
      return EXIT.done;
    });
  },
};

async function optionalAccount(
  context: CliContext,
  db: Parameters<CliContext["openKeyring"]>[0],
  input: CommandInput,
): Promise<NamedAccount | undefined> {
  const name = input.text("account");
  return name === undefined ? undefined : getAccount({ db, keyring: await context.openKeyring(db) }, name);
}

type Page = {
  readonly page: readonly ShownLine[];
  readonly next: Id | undefined;
  /** Where an operator asked for them. */
  readonly payers: ShownPayers | undefined;
};

function printPage(context: CliContext, input: CommandInput, { page, next, payers }: Page): void {
  if (input.flag("json")) {
    const transfers = page.map((line) => ({ ...bankLineJson(line), ...payerJson(line, payers) }));
    context.print(foreignJson({ transfers, next_after: next ?? null }, 2));
    return;
  }
  context.print(page.length === 0 ? "There are none." : renderBankLines(page, payers));
  if (next !== undefined) context.print(`\nThere are more: the same again with --after ${next}`);
}
