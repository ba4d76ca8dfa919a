import { mapBanks, readBankMatch, type ShownMatch } from "../../app/providers/bank-names.ts";
import { readProviderBanks } from "../../app/providers/read-books.ts";
import type { PairSource } from "../../core/provider-books/match-banks.ts";
import type { Database } from "../../store/db.ts";
import { listConfiguredProviders } from "../../store/providers/providers.ts";
import { type CliContext, CliFault, type Command, type CommandInput, EXIT, type ExitCode } from "../kit/command.ts";
import { readInputFile } from "../kit/input-file.ts";
import { positional } from "../kit/option-values.ts";
import { countOf, printable, printJson, renderTable, showInstant } from "../kit/output.ts";
import { providerNotConfigured } from "./provider-unknown.ts";

export const providerBanks: Command = {
  name: "provider banks",
  summary: "Show what a provider calls our banks, or save an operator's pairs.",
  arguments: ["NAME"],
  options: {
    map: {
      type: "string",
      value: "FILE",
      help: "a CSV file of pairs, with the header ours,theirs; - reads standard input",
    },
    json: { type: "boolean", help: "print the result as JSON" },
  },
  notes: [
    "Banks are matched by the file, then by the code in the fast payment system, then by the name within the country.",
    "Banks that fit twice are listed as ambiguous and are not used: put the right pair into the file.",
    "A file takes the place of the one before. One that has only its header removes all pairs that came from a file.",
    "Example: {program} provider banks alpha --map pairs.csv",
  ],
  run: async (context, input) => {
    const name = positional(input, 0);
    const path = input.text("map");
    const file = path === undefined ? undefined : await readInputFile(context, path);
    return context.withDatabase(async (db) => {
      await requireProvider(db, name);
      return file === undefined ? showBanks(context, input, db, name) : saveFile(context, input, db, name, file);
    });
  },
};

export const providerBanksRefresh: Command = {
  name: "provider banks refresh",
  summary: "Ask a provider for its list of banks now, and match it with ours.",
  arguments: ["NAME"],
  options: { json: { type: "boolean", help: "print the pairs as JSON" } },
  notes: ["A process with a worker does so every hour.", "Example: {program} provider banks refresh alpha"],
  run: (context, input) => {
    const name = positional(input, 0);
    return context.withDatabase(async (db) => {
      await requireProvider(db, name);
      const connector = await context.openConnector(db, name);
      try {
        const { books } = connector;
        if (books === undefined) throw new CliFault(`${name} has no books that could be read.`);
        const log = { info: () => undefined, warn: () => undefined };
        if (!(await readProviderBanks({ db, log }, name, books)))
          throw new CliFault(`${name} did not tell its banks. What it said before stays.`, EXIT.unavailable);
      } finally {
        await connector.close();
      }
      return showBanks(context, input, db, name);
    });
  },
};

export async function requireProvider(db: Database, name: string): Promise<void> {
  const providers = await listConfiguredProviders(db);
  if (!providers.some(({ code }) => code === name)) throw await providerNotConfigured(db, name);
}

async function saveFile(
  context: CliContext,
  input: CommandInput,
  db: Database,
  name: string,
  file: string,
): Promise<ExitCode> {
  const mapped = await mapBanks(db, name, file);
  if (!mapped.ok) throw new CliFault(["Nothing was changed:", ...mapped.error.map((fault) => `  ${fault}`)].join("\n"));
  const { fromFile, changed } = mapped.value;
  if (input.flag("json")) printJson(context, { from_file: fromFile, changed });
  else context.print(`${countOf(fromFile, "pair")} from the file, ${countOf(changed, "pair")} changed.`);
  return EXIT.done;
}

async function showBanks(context: CliContext, input: CommandInput, db: Database, name: string): Promise<ExitCode> {
  const match = await readBankMatch(db, name);
  if (input.flag("json")) printJson(context, matchJson(match));
  else context.print(renderMatch(match, name));
  return EXIT.done;
}

const SOURCE_WORDS: Readonly<Record<PairSource, string>> = {
  code: "payment system code",
  name: "name",
  file: "file",
};

function renderMatch(match: ShownMatch, name: string): string {
  const { pairs, ambiguous, unmatchedOurs, unmatchedTheirs, readAt, ourNames, theirNames } = match;
  const read =
    readAt === undefined
      ? `The list of ${name} was never read.`
      : `The list of ${name} was read ${showInstant(readAt)}.`;
  const parts = [`${read} ${countOf(pairs.length, "pair")}.`];
  if (pairs.length > 0) {
    const titles = ["OURS", "THEIRS", "MATCHED BY", "OUR NAME", "THEIR NAME"];
    const rows = pairs.map(({ symbol, theirSymbol, source }) => [
      ...[symbol, theirSymbol, SOURCE_WORDS[source]],
      ...[ourNames.get(symbol) ?? "-", theirNames.get(theirSymbol) ?? "not in its list"],
    ]);
    parts.push(
      renderTable(
        titles.map((title) => ({ title })),
        rows,
      ),
    );
  }
  if (ambiguous.length > 0) {
    const lines = ambiguous.map(({ by, ours, theirs }) =>
      printable(`  by ${SOURCE_WORDS[by]}: ours ${ours.join(", ")}; theirs ${theirs.join(", ")}`),
    );
    parts.push(["Ambiguous, not used:", ...lines].join("\n"));
  }
  parts.push(...unmatchedPart("Ours that are not matched", unmatchedOurs, ourNames));
  parts.push(...unmatchedPart("Theirs that are not matched", unmatchedTheirs, theirNames));
  return parts.join("\n\n");
}

function unmatchedPart(title: string, symbols: readonly string[], names: ReadonlyMap<string, string>): string[] {
  if (symbols.length === 0) return [];
  return [[`${title}:`, ...symbols.map((symbol) => printable(`  ${symbol} (${names.get(symbol) ?? "-"})`))].join("\n")];
}

function matchJson({ pairs, ambiguous, unmatchedOurs, unmatchedTheirs, readAt }: ShownMatch) {
  return {
    read_at: readAt?.toISOString() ?? null,
    pairs: pairs.map(({ symbol, theirSymbol, source }) => ({ ours: symbol, theirs: theirSymbol, source })),
    ambiguous,
    unmatched_ours: unmatchedOurs,
    unmatched_theirs: unmatchedTheirs,
  };
}
