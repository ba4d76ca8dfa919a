import { type CliContext, type Command, type CommandInput, EXIT } from "../../cli/kit/command.ts";
import {
  optional,
  positional,
  readBook,
  readCurrency,
  readPlainText,
  requiredText,
  wrongUsage,
} from "../../cli/kit/option-values.ts";
import { printJson } from "../../cli/kit/output.ts";
import type { Keyring } from "../../platform/secrets.ts";
import { maskAccount } from "../app/read-pool-account.ts";
import { type AccountChanges, changeReceivingAccount, createReceivingAccount } from "../app/receiving-accounts.ts";
import { HOLDER_MAX } from "../core/account-settings.ts";
import type { AccountSettings, ReceivingAccount } from "../store/receiving-accounts.ts";
import {
  accountRefused,
  NEGATIVE_NOTE,
  readCode,
  readNumber,
  readSettings,
  SETTING_OPTIONS,
} from "./pool-account-options.ts";
import { accountJson, renderAccount } from "./pool-account-view.ts";

const JSON_OPTION = { json: { type: "boolean", help: "print the account as JSON" } } as const;

export const poolAccountAdd: Command = {
  name: "pool account add",
  summary: "Add a receiving account, whose requisites are shown to payers.",
  arguments: ["CODE"],
  options: {
    book: { type: "string", value: "live|test", help: "test or live money; cannot be changed later; default live" },
    currency: { type: "string", value: "CODE", help: "its currency; cannot be changed later" },
    ...SETTING_OPTIONS,
    ...JSON_OPTION,
  },
  hidesWords: true,
  notes: [
    "CODE names the account in commands and in the ledger (clearing:pool-CODE). It cannot be changed later.",
    "--bank, --currency, --country and --holder are required. All limits are optional.",
    NEGATIVE_NOTE,
    'Example: {program} pool account add main --bank sberbank --currency RUB --country RU --holder "IVAN I." --time-zone Europe/Moscow',
  ],
  run: (context, input) => {
    const code = readCode(positional(input, 0), "CODE");
    const [bankName, countryName] = [requiredText(input, "bank"), requiredText(input, "country")];
    const settings = { bank: bankName, country: countryName, ...readSettings(input) };
    const wanted = {
      ...{ code, settings },
      book: optional(input, "book", readBook) ?? "live",
      currency: readCurrency(requiredText(input, "currency"), "--currency"),
      holder: readPlainText(requiredText(input, "holder"), "--holder", HOLDER_MAX),
      number: optional(input, "number", readNumber),
    } as const;
    return context.withDatabase(async (db) => {
      const keyring = await context.openKeyring(db);
      const added = await createReceivingAccount({ db, keyring }, wanted);
      if (!added.ok) throw accountRefused(added.error);
      report(context, input, keyring, added.value, [
        `Added receiving account ${code}. Payers are sent there once it has a requisite:`,
        `  ${context.programName} pool requisite add ${code} --type card --value -`,
        "",
      ]);
      return EXIT.done;
    });
  },
};

export const poolAccountSet: Command = {
  name: "pool account set",
  summary: "Change a receiving account. Omitted settings stay unchanged.",
  arguments: ["CODE"],
  options: {
    ...SETTING_OPTIONS,
    on: { type: "boolean", help: "show its requisites to payers again" },
    off: { type: "boolean", help: "stop showing its requisites to new payers; payers who have one can still pay" },
    ...JSON_OPTION,
  },
  hidesWords: true,
  notes: [
    "A shorter quarantine applies to pay-ins that end from now on.",
    NEGATIVE_NOTE,
    "Example: {program} pool account set main --day-sum 50000000 --parallel 5 --hours 09:00-23:00",
  ],
  run: (context, input) => {
    const code = readCode(positional(input, 0), "CODE");
    const changes = readChanges(input);
    return context.withDatabase(async (db) => {
      const keyring = await context.openKeyring(db);
      const changed = await changeReceivingAccount({ db, keyring }, code, changes);
      if (!changed.ok) throw accountRefused(changed.error);
      report(context, input, keyring, changed.value, [`Changed receiving account ${code}.`, ""]);
      return EXIT.done;
    });
  },
};

function readChanges(input: CommandInput): AccountChanges {
  const settings: Partial<AccountSettings> = { ...readSettings(input), ...readSwitch(input) };
  const holder = optional(input, "holder", (text, name) => readPlainText(text, name, HOLDER_MAX));
  const number = optional(input, "number", readNumber);
  if (Object.keys(settings).length === 0 && holder === undefined && number === undefined)
    throw wrongUsage("Nothing to change: name at least one setting.");
  return { settings, holder, number };
}

function readSwitch(input: CommandInput): Partial<AccountSettings> {
  const [on, off] = [input.flag("on"), input.flag("off")];
  if (on && off) throw wrongUsage("Give either --on or --off.");
  return on || off ? { enabled: on } : {};
}

function report(
  context: CliContext,
  input: CommandInput,
  keyring: Keyring,
  account: ReceivingAccount,
  lines: readonly string[],
): void {
  const masks = maskAccount(keyring, account);
  if (input.flag("json")) printJson(context, accountJson(account, masks));
  else for (const line of [...lines, renderAccount(account, masks)]) context.print(line);
}
