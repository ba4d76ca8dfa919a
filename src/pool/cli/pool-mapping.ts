import { CliFault, type Command, type CommandInput, EXIT } from "../../cli/kit/command.ts";
import { readInputFile } from "../../cli/kit/input-file.ts";
import { positional, wrongUsage } from "../../cli/kit/option-values.ts";
import { printJson } from "../../cli/kit/output.ts";
import { changeReceivingAccount } from "../app/receiving-accounts.ts";
import { checkStatementMapping, MAPPING_SETTINGS, STATEMENT_COLUMNS } from "../core/statement/statement-mapping.ts";
import { findReceivingAccount } from "../store/receiving-accounts.ts";
import { accountRefused, accountUnknown, readCode } from "./pool-account-options.ts";

const MAPPING_BYTES_MAX = 10_240;

export const poolAccountMapping: Command = {
  name: "pool account mapping",
  summary: "Save or show the column mapping for a receiving account's statements.",
  arguments: ["CODE"],
  options: {
    file: {
      type: "string",
      value: "FILE",
      help: "a JSON object that names the bank's columns; - reads standard input",
    },
    none: { type: "boolean", help: "remove the mapping: the statements have the standard columns again" },
    show: { type: "boolean", help: "print what is saved, as JSON" },
    json: { type: "boolean", help: "print what was done as JSON" },
  },
  notes: [
    `The object may have ${MAPPING_SETTINGS.join(", ")}.`,
    `columns says what the bank calls ours: ${STATEMENT_COLUMNS.join(", ")}.`,
    'A bank that writes 31.01.2026;1 500,00;;A-17 under Date;In;Out;Ref: {"columns": {"booked_at": "Date", "credit": "In",',
    '"debit": "Out", "reference": "Ref"}, "currency": "RUB", "dateFormat": "dd.mm.yyyy", "decimal": ",", "delimiter": ";"}',
    "It is used for every CSV file that is imported with --account CODE, or reconciled.",
    "Example: {program} pool account mapping main --file sberbank.json",
  ],
  run: async (context, input) => {
    const code = readCode(positional(input, 0), "CODE");
    const wish = readWish(input);
    const mapping = wish.kind === "save" ? readMapping(await readInputFile(context, wish.file)) : null;
    return context.withDatabase(async (db) => {
      if (wish.kind === "show") {
        const account = await findReceivingAccount(db, code);
        if (account === undefined) throw accountUnknown(code);
        printJson(context, account.statementMapping);
        return EXIT.done;
      }
      const keyring = await context.openKeyring(db);
      const changed = await changeReceivingAccount({ db, keyring }, code, { settings: { statementMapping: mapping } });
      if (!changed.ok) throw changed.error === "account_unknown" ? accountUnknown(code) : accountRefused(changed.error);
      if (input.flag("json")) printJson(context, { code, statement_mapping: mapping });
      else
        context.print(
          mapping === null
            ? `Statements of ${code} have the usual columns from now on.`
            : `Statements of ${code} are read by this mapping from now on.`,
        );
      return EXIT.done;
    });
  },
};

type MappingWish = { readonly kind: "save"; readonly file: string } | { readonly kind: "forget" | "show" };

function readWish(input: CommandInput): MappingWish {
  const file = input.text("file");
  const wishs: MappingWish[] = [
    ...(file === undefined ? [] : [{ kind: "save", file } as const]),
    ...(input.flag("none") ? [{ kind: "forget" } as const] : []),
    ...(input.flag("show") ? [{ kind: "show" } as const] : []),
  ];
  const [wish] = wishs;
  if (wish === undefined || wishs.length > 1) throw wrongUsage("Give either --file FILE, or --none, or --show.");
  return wish;
}

function readMapping(text: string): unknown {
  if (Buffer.byteLength(text) > MAPPING_BYTES_MAX)
    throw refused([`it has more than ${MAPPING_BYTES_MAX} bytes, and is hardly a mapping`]);
  const mapping = checkStatementMapping(parse(text));
  if (!mapping.ok) throw refused(mapping.error);
  return mapping.value;
}

function parse(text: string): unknown {
  try {
    // Editors of some systems begin a file with this mark.
    return JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch {
    throw refused(["it is not JSON"]);
  }
}

function refused(faults: readonly string[]): CliFault {
  return new CliFault(["Nothing was changed:", ...faults.map((fault) => `  ${fault}`)].join("\n"));
}
