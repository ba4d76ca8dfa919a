import { dirname, resolve } from "node:path";
import { changeBankLooks, type LookChange, type LooksReport } from "../../app/merchants/bank-looks.ts";
import { BANK_LANGUAGES, BANK_POPULARITY_MAX, findLookFaults, isBankLanguage } from "../../core/merchants/bank-look.ts";
import type { LookEntry } from "../../core/merchants/bank-look-file.ts";
import { cleanImage } from "../../core/page/clean-image.ts";
import type { Database } from "../../store/db.ts";
import { type BankImage, listBanks, type StoredBank } from "../../store/merchants/banks.ts";
import { CliFault, type Command, type CommandInput, EXIT } from "../kit/command.ts";
import { readBytes } from "../kit/input-file.ts";
import { optional, positional, quote, readInteger, wrongUsage } from "../kit/option-values.ts";
import { printJson, renderPairs } from "../kit/output.ts";
import { IMAGE_FAULTS, readAccent } from "./page-settings.ts";

/** What clears a setting that can be empty. */
const NONE = "none";
const SYMBOL = /^[a-z0-9]+(-[a-z0-9]+)*$/;
/** A mark is small: this is enough for 256 × 256 pixels. */
const IMAGE_BYTES_MAX = 32 * 1024;

export function readSymbol(input: CommandInput): string {
  const symbol = positional(input, 0);
  if (!SYMBOL.test(symbol)) throw wrongUsage(`SYMBOL must be like t-bank. It is ${quote(symbol)}.`);
  return symbol;
}

export const bankSet: Command = {
  name: "bank set",
  summary: "Change how the payment page shows a bank and finds it. Omitted settings stay unchanged.",
  arguments: ["SYMBOL"],
  options: {
    "name-in": {
      type: "string",
      multiple: true,
      value: "LANGUAGE=NAME",
      help: `its name in a language: ${BANK_LANGUAGES.join(", ")}; LANGUAGE=none: no name of its own`,
    },
    alias: {
      type: "string",
      multiple: true,
      value: "NAME",
      help: "another name that payers search for, in place of the present ones; none: no other name",
    },
    popularity: { type: "string", value: "N", help: "its place among the banks that come first; none: not among them" },
    colour: { type: "string", value: "#RRGGBB", help: "the colour of its mark; none: one of ours" },
    image: { type: "string", value: "FILE", help: "a PNG or JPEG in the mark's place; none: our mark" },
    json: { type: "boolean", help: "print the bank as JSON" },
  },
  notes: [
    "SYMBOL is what bank list shows. bank/all keeps the name that bank import gave. A picture has at most 32 KiB.",
    'Example: {program} bank set t-bank --name-in "kk=Т-Банк" --alias Тинькофф --popularity 2 --colour "#ffd84d"',
  ],
  run: (context, input) => {
    const change = readChange(input);
    return context.withDatabase(async (db) => {
      await changeLooks(db, [change]);
      const bank = await findBank(db, change.symbol);
      if (input.flag("json")) printJson(context, lookJson(bank));
      else context.print(renderLook(bank));
      return EXIT.done;
    });
  },
};

export const bankShow: Command = {
  name: "bank show",
  summary: "Show a bank with its names in other languages and what else payers find it by.",
  arguments: ["SYMBOL"],
  options: { json: { type: "boolean", help: "print the bank as JSON" } },
  notes: ["SYMBOL is what bank list shows.", "Example: {program} bank show kaspi-bank"],
  run: (context, input) => {
    const symbol = readSymbol(input);
    return context.withDatabase(async (db) => {
      const bank = await findBank(db, symbol);
      if (input.flag("json")) printJson(context, lookJson(bank));
      else context.print(renderLook(bank));
      return EXIT.done;
    });
  },
};

/** The looks that a file lists, with the pictures that are beside it. */
export function readLookChanges(entries: readonly LookEntry[], path: string): LookChange[] {
  const folder = path === "-" ? "." : dirname(path);
  return entries.map(({ place: _place, image, ...look }): LookChange => {
    if (image === undefined) return look;
    return { ...look, image: image === null ? null : readImage(resolve(folder, image)) };
  });
}

export async function changeLooks(db: Database, changes: readonly LookChange[]): Promise<LooksReport> {
  const done = await changeBankLooks(db, changes);
  if (!done.ok) throw new CliFault(`Nothing was changed: ${done.error.join("; ")}.`);
  return done.value;
}

function readChange(input: CommandInput): LookChange {
  const symbol = readSymbol(input);
  const names = input.texts("name-in");
  const aliases = input.texts("alias");
  const popularity = optional(input, "popularity", (text, name) =>
    text === NONE ? null : readInteger(text, name, 1, BANK_POPULARITY_MAX),
  );
  const colour = optional(input, "colour", readAccent);
  const image = optional(input, "image", (text) => (text === NONE ? null : readImage(text)));
  const change = {
    symbol,
    ...(names === undefined ? {} : { names: readNames(names) }),
    ...(aliases === undefined ? {} : { aliases: aliases.filter((alias) => alias !== NONE).map((each) => each.trim()) }),
    ...(popularity === undefined ? {} : { popularity }),
    ...(colour === undefined ? {} : { colour }),
    ...(image === undefined ? {} : { image }),
  };
  if (Object.keys(change).length === 1)
    throw wrongUsage("bank set needs what to change: --name-in, --alias, --popularity, --colour or --image.");
  const { names: given, ...rest } = change;
  const faults = findLookFaults({ ...rest, names: withoutNone(given) });
  if (faults.length > 0) throw wrongUsage(`The change is refused: ${faults.join("; ")}.`);
  return change;
}

function readNames(texts: readonly string[]): NonNullable<LookChange["names"]> {
  return Object.fromEntries(
    texts.map((text) => {
      const [, language = "", name = ""] = /^([a-z]+)=(.*)$/s.exec(text) ?? [];
      if (!isBankLanguage(language)) throw wrongUsage(`--name-in must be like ru=Сбербанк. It is ${quote(text)}.`);
      return [language, name.trim() === NONE ? undefined : name.trim()];
    }),
  );
}

function withoutNone(names: LookChange["names"] = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(names).flatMap(([key, name]) => (name === undefined ? [] : [[key, name]])));
}

function readImage(path: string): BankImage {
  const bytes = readBytes(path);
  if (bytes.length > IMAGE_BYTES_MAX) throw new CliFault(`${path} has more than 32 KiB. Nothing was changed.`);
  const image = cleanImage(bytes);
  if (!image.ok) throw new CliFault(`${path} ${IMAGE_FAULTS[image.error]}. Nothing was changed.`);
  return image.value;
}

async function findBank(db: Database, symbol: string): Promise<StoredBank> {
  const bank = (await listBanks(db)).find((each) => each.symbol === symbol);
  if (bank === undefined) throw new CliFault(`There is no bank ${symbol}.`);
  return bank;
}

function lookJson({ symbol, name, names, aliases, popularity, colour, imageVersion }: StoredBank) {
  return { symbol, name, names, aliases, popularity, colour, image: imageVersion };
}

function renderLook({ symbol, name, names, aliases, popularity, colour, imageVersion }: StoredBank): string {
  return renderPairs([
    ["symbol", symbol],
    ["name", name],
    ...Object.entries(names).map(([language, text]) => [`name in ${language}`, text] as const),
    ["aliases", aliases.join(", ") || "-"],
    ["popularity", popularity === null ? "-" : String(popularity)],
    ["colour", colour ?? "-"],
    ["picture", imageVersion === null ? "-" : `version ${imageVersion}`],
  ]);
}
