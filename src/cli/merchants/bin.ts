import { importBins } from "../../app/merchants/import-bins.ts";
import { listBinsOf } from "../../store/merchants/card-bins.ts";
import { CliFault, type Command, EXIT } from "../kit/command.ts";
import { readInputFile } from "../kit/input-file.ts";
import { positional, wrongUsage } from "../kit/option-values.ts";
import { countOf, printJson, renderTable } from "../kit/output.ts";

export const binImport: Command = {
  name: "bin import",
  summary: "Replace the list that says where, and by which bank, a card was issued.",
  arguments: ["FILE"],
  options: { json: { type: "boolean", help: "print what was done as JSON" } },
  notes: [
    "FILE is CSV with the columns prefix,country,bank: 6 to 8 digits, two capital letters, a symbol of bank list or nothing.",
    "The longest prefix counts. - reads standard input. A fault refuses the whole file, and the old list stays.",
    "Example: {program} bin import bins.csv",
  ],
  run: async (context, input) => {
    const text = await readInputFile(context, positional(input, 0));
    return context.withDatabase(async (db) => {
      const imported = await importBins(db, text);
      if (!imported.ok) {
        throw new CliFault(["Nothing was imported:", ...imported.error.map((fault) => `  ${fault}`)].join("\n"));
      }
      const { length } = imported.value.bins;
      if (input.flag("json")) printJson(context, { imported: length });
      else context.print(`${countOf(length, "BIN")} imported.`);
      return EXIT.done;
    });
  },
};

export const binShow: Command = {
  name: "bin show",
  summary: "Show what is known of the cards whose numbers begin so.",
  arguments: ["DIGITS"],
  options: { json: { type: "boolean", help: "print it as JSON" } },
  notes: ["DIGITS are the first 6 to 8 of a card's number.", "Example: {program} bin show 427901"],
  run: (context, input) => {
    const digits = readBin(positional(input, 0), "DIGITS");
    return context.withDatabase(async (db) => {
      const bins = await listBinsOf(db, digits);
      if (input.flag("json")) printJson(context, bins);
      else if (bins.length === 0) context.print("The list of BINs has none of these.");
      else {
        const rows = bins.map(({ prefix, country, bank }) => [prefix, country, bank ?? "-"]);
        context.print(renderTable([{ title: "PREFIX" }, { title: "COUNTRY" }, { title: "BANK" }], rows));
      }
      return EXIT.done;
    });
  },
};

/** What is longer may be a whole card number: it is refused, and not repeated. */
export function readBin(text: string, name: string): string {
  if (!/^[0-9]{6,8}$/.test(text)) throw wrongUsage(`${name} must be the first 6 to 8 digits of a card's number.`);
  return text;
}
