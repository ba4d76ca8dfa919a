import { addBank, importBanks, setBankAvailability } from "../../app/merchants/banks.ts";
import { type Bank, findBankFaults, NO_SBP_CODE } from "../../core/merchants/bank.ts";
import { readBankFile } from "../../core/merchants/bank-import.ts";
import { type LookEntry, readLookFile } from "../../core/merchants/bank-look-file.ts";
import { listBanks, type StoredBank } from "../../store/merchants/banks.ts";
import { type CliContext, CliFault, type Command, type CommandInput, EXIT, type ExitCode } from "../kit/command.ts";
import { readInputFile } from "../kit/input-file.ts";
import { positional, requiredText, wrongUsage } from "../kit/option-values.ts";
import { printJson, renderTable } from "../kit/output.ts";
import { changeLooks, readLookChanges, readSymbol } from "./bank-look.ts";

export const bankImport: Command = {
  name: "bank import",
  summary: "Import a list of banks: adds new banks and renames known ones as in the list.",
  arguments: ["FILE"],
  options: { json: { type: "boolean", help: "print what was done as JSON" } },
  notes: [
    "FILE is the fast payment system's member list (JSON), or CSV with the columns name,sbp_code,country_code;",
    "a bank outside the system has no sbp_code. - reads standard input. A fault refuses the whole file.",
    "To change how the payment page shows known banks, with pictures that are beside FILE, it is JSON like",
    '{"banks": [{"symbol": "t-bank", "names": {"ru": "Т-Банк"}, "aliases": ["Тинькофф"], "image": "t-bank.png"}]}',
    "Example: {program} bank import members.json",
  ],
  run: async (context, input) => {
    const path = positional(input, 0);
    const text = await readInputFile(context, path);
    const looks = readLookFile(text);
    if (looks !== undefined) {
      if (!looks.ok) throw refusedFile(looks.error);
      return importLookFile(context, input, looks.value, path);
    }
    const read = readBankFile(text);
    if (!read.ok) throw refusedFile(read.error);
    return context.withDatabase(async (db) => {
      const imported = await importBanks(db, text);
      if (!imported.ok) throw refusedFile(imported.error);
      const { added, renamed, unchanged } = imported.value;
      if (input.flag("json")) printJson(context, { added, renamed, unchanged });
      else {
        if (added.length > 0) context.print(`Added: ${added.join(", ")}`);
        if (renamed.length > 0) context.print(`Renamed: ${renamed.join(", ")}`);
        context.print(`${added.length} added, ${renamed.length} renamed, ${unchanged} unchanged.`);
      }
      return EXIT.done;
    });
  },
};

function importLookFile(
  context: CliContext,
  input: CommandInput,
  looks: readonly LookEntry[],
  path: string,
): Promise<ExitCode> {
  const changes = readLookChanges(looks, path);
  return context.withDatabase(async (db) => {
    const { changed, unchanged } = await changeLooks(db, changes);
    if (input.flag("json")) printJson(context, { changed, unchanged });
    else {
      if (changed.length > 0) context.print(`Changed: ${changed.join(", ")}`);
      context.print(`${changed.length} changed, ${unchanged} unchanged.`);
    }
    return EXIT.done;
  });
}

function refusedFile(faults: readonly string[]): CliFault {
  return new CliFault(["Nothing was imported:", ...faults.map((fault) => `  ${fault}`)].join("\n"));
}

export const bankAdd: Command = {
  name: "bank add",
  summary: "Add one bank. Its symbol, which requests name it by, is made from its name.",
  arguments: [],
  options: {
    name: { type: "string", value: "NAME", help: "the bank's name" },
    country: { type: "string", value: "CODE", help: "two capital letters, such as RU" },
    "sbp-code": {
      type: "string",
      value: "DIGITS",
      help: "its twelve digits in the fast payment system, if it is in it",
    },
    json: { type: "boolean", help: "print the new bank as JSON" },
  },
  notes: ['Example: {program} bank add --name "Example Bank" --country KZ'],
  run: (context, input) => {
    const facts = {
      name: requiredText(input, "name").trim(),
      countryCode: requiredText(input, "country"),
      sbpCode: input.text("sbp-code") ?? NO_SBP_CODE,
    };
    const faults = findBankFaults(facts);
    if (faults.length > 0) throw wrongUsage(sentenceOf(faults));
    return context.withDatabase(async (db) => {
      const added = await addBank(db, facts);
      if (!added.ok) throw new CliFault(sentenceOf(added.error));
      if (input.flag("json")) printJson(context, bankJson(added.value));
      else context.print(`Added bank ${added.value.symbol} (${added.value.name}).`);
      return EXIT.done;
    });
  },
};

function sentenceOf(faults: readonly string[]): string {
  const text = faults.join("; ");
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

export const bankDisable = availabilityCommand(
  "disable",
  "Take a bank out of the list; requests can no longer name it.",
);
export const bankEnable = availabilityCommand("enable", "Put a disabled bank back into the list.");

function availabilityCommand(verb: "enable" | "disable", summary: string): Command {
  return {
    name: `bank ${verb}`,
    summary,
    arguments: ["SYMBOL"],
    options: {},
    notes: ["SYMBOL is what bank list shows.", `Example: {program} bank ${verb} kaspi-bank`],
    run: (context, input) => {
      const symbol = readSymbol(input);
      return context.withDatabase(async (db) => {
        if (!(await setBankAvailability(db, symbol, `${verb}d`))) throw new CliFault(`There is no bank ${symbol}.`);
        context.print(`Bank ${symbol} is ${verb}d.`);
        return EXIT.done;
      });
    },
  };
}

export const bankList: Command = {
  name: "bank list",
  summary: "List the banks, including the disabled ones.",
  arguments: [],
  options: { json: { type: "boolean", help: "print the list as JSON" } },
  notes: ["Example: {program} bank list"],
  run: (context, input) =>
    context.withDatabase(async (db) => {
      const banks = await listBanks(db);
      if (input.flag("json")) printJson(context, banks.map(storedBankJson));
      else context.print(renderBanks(banks));
      return EXIT.done;
    }),
};

function renderBanks(banks: readonly StoredBank[]): string {
  const titles = ["SYMBOL", "COUNTRY", "SBP CODE", "STATE", "NAME"];
  const rows = banks.map((bank) => [
    bank.symbol,
    bank.countryCode,
    bank.isSbpBank ? bank.sbpCode : "-",
    bank.disabledAt === null ? "enabled" : "disabled",
    bank.name,
  ]);
  return renderTable(
    titles.map((title) => ({ title })),
    rows,
  );
}

function bankJson({ name, symbol, sbpCode, isSbpBank, countryCode }: Bank) {
  return { name, symbol, sbp_code: sbpCode, is_sbp_bank: isSbpBank, country_code: countryCode };
}

function storedBankJson(bank: StoredBank) {
  return { id: bank.id, ...bankJson(bank), disabled_at: bank.disabledAt?.toISOString() ?? null };
}
