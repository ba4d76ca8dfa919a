import { CliFault, type Command, type CommandInput, EXIT } from "../../cli/kit/command.ts";
import {
  optional,
  positional,
  quote,
  readAmount,
  readBook,
  readCurrency,
  wrongUsage,
} from "../../cli/kit/option-values.ts";
import { printJson, renderTable, showInstant } from "../../cli/kit/output.ts";
import { findMethod, METHODS, type Method } from "../../core/merchants/methods.ts";
import { formatMoney, type Minor, minorToJson } from "../../core/money.ts";
import { listBanks } from "../../store/merchants/banks.ts";
import { showHours } from "../core/account-settings.ts";
import { requisiteTypeOf } from "../core/requisite-value.ts";
import { type AccountCapacity, type CapacityQuestion, listCapacity } from "../store/pool-capacity.ts";
import { readSymbol } from "./pool-account-options.ts";

export const poolCapacity: Command = {
  name: "pool capacity",
  summary: "Show which receiving accounts can accept an amount now, and why the others cannot.",
  arguments: ["AMOUNT", "CURRENCY"],
  options: {
    book: { type: "string", value: "live|test", help: "test or live accounts; default live" },
    method: { type: "string", value: "METHOD", help: "how the payer pays; else by any method" },
    bank: { type: "string", value: "SYMBOL", help: "the payer's bank, where the method asks for it" },
    json: { type: "boolean", help: "print it as JSON" },
  },
  notes: [
    "AMOUNT is in minor units (kopecks, cents). The first FREE account is the next that Tillgate uses.",
    "Each account accepts an amount from one payer at a time: Tillgate matches a transfer by its amount.",
    "Example: {program} pool capacity 150000 RUB --method sbp-p2p --bank sberbank",
  ],
  run: (context, input) => {
    const question = readQuestion(input);
    return context.withDatabase(async (db) => {
      const { bank } = question;
      if (bank !== null && !(await listBanks(db)).some(({ symbol }) => symbol === bank))
        throw new CliFault(`There is no bank ${bank}: see bank list.`);
      const accounts = await listCapacity(db, question);
      if (input.flag("json")) printJson(context, capacityJson(question, accounts));
      else {
        if (accounts.length > 0) context.print(renderCapacity(question, accounts));
        context.print(sayTotal(question, accounts));
      }
      return EXIT.done;
    });
  },
};

function readQuestion(input: CommandInput): CapacityQuestion {
  const amount = readAmount(positional(input, 0), "AMOUNT");
  const currency = readCurrency(positional(input, 1), "CURRENCY");
  const code = optional(input, "method", readMethod);
  const bank = optional(input, "bank", readSymbol) ?? null;
  return {
    ...{ amount, currency, bank },
    book: optional(input, "book", readBook) ?? "live",
    method: code === undefined ? null : { code, type: requisiteTypeOf(code) },
    // Where a method can do without it, the payer's bank is only preferred.
    bankRequired: bank !== null && (code === undefined || METHODS[code].requisite === "phone_and_bank"),
  };
}

function readMethod(text: string): Method {
  const method = findMethod(text);
  if (method !== undefined && METHODS[method].product === "p2p") return method;
  const known = (Object.keys(METHODS) as Method[]).filter((each) => METHODS[each].product === "p2p");
  throw wrongUsage(`--method must be ${known.join(" or ")}. It is ${quote(text)}.`);
}

function renderCapacity(question: CapacityQuestion, accounts: readonly AccountCapacity[]): string {
  const columns = [
    { title: "ACCOUNT" },
    { title: "BANK" },
    { title: "PRIORITY", align: "right" },
    { title: "NOW" },
  ] as const;
  const rows = accounts.map((account) => [
    account.code,
    account.bank,
    String(account.priority),
    describe(question, account),
  ]);
  return renderTable(columns, rows);
}

function describe(question: CapacityQuestion, account: AccountCapacity): string {
  const money = (amount: bigint | null) => formatMoney((amount ?? 0n) as Minor, question.currency);
  const until = account.until === null ? "" : ` until ${showInstant(account.until)}`;
  switch (account.obstacle) {
    case null:
      return "FREE";
    case "off":
      return "off";
    case "closed":
      return `outside its hours, ${showHours(account)} (${account.timeZone})`;
    case "below_min":
      return `below its smallest sum, ${money(account.minAmount)}`;
    case "above_max":
      return `above its largest sum, ${money(account.maxAmount)}`;
    case "parallel_limit":
      return `has all the ${account.parallelMax} pay-ins that it may have at once`;
    case "day_count_limit":
      return `had all the ${account.dayCountMax} pay-ins of its day`;
    case "day_sum_limit":
      return `would pass its day's sum: ${money(account.todaySum)} of ${money(account.daySumMax)} so far`;
    case "cooling_down":
      return `rests${until}`;
    case "sum_lent":
      return "this sum is reserved by a pay-in that runs";
    case "sum_reserved":
      return `this sum is reserved${until}`;
    case "no_requisite":
      return question.method === null ? "no requisite that is on" : `no requisite for ${question.method.code}`;
    case "other_bank":
      return "another bank";
  }
}

function countFree(accounts: readonly AccountCapacity[]): number {
  return accounts.filter(({ obstacle }) => obstacle === null).length;
}

function sayTotal({ book, amount, currency }: CapacityQuestion, accounts: readonly AccountCapacity[]): string {
  const sum = formatMoney(amount, currency);
  if (accounts.length === 0) return `There are no ${book} receiving accounts in ${currency}: see pool account add.`;
  const free = countFree(accounts);
  const payers = free === 0 ? "no payer" : free === 1 ? "1 payer" : `${free} payers at once`;
  return `${free} of ${accounts.length} free: ${payers} could pay ${sum} now.`;
}

function capacityJson(question: CapacityQuestion, accounts: readonly AccountCapacity[]) {
  return {
    book: question.book,
    amount: minorToJson(question.amount),
    currency: question.currency,
    method: question.method?.code ?? null,
    bank: question.bank,
    payers_at_once: countFree(accounts),
    accounts: accounts.map(({ code, bank, priority, obstacle, until }) => ({
      ...{ code, bank, priority },
      free: obstacle === null,
      obstacle,
      until: until?.toISOString() ?? null,
    })),
  };
}
