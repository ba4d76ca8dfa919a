import { type BankFacts, NO_SBP_CODE } from "./bank.ts";
import { type BankLook, type BankNames, isBankLanguage } from "./bank-look.ts";
import { BANKS_ABROAD } from "./bank-seed-abroad.ts";
import { SBP_MEMBERS } from "./bank-seed-sbp.ts";

/** The banks that a new installation knows. Operators add to them by `tillgate bank import` and `bank add`. */
export const BANK_SEED: readonly (BankFacts & BankLook)[] = [
  ...readTable(SBP_MEMBERS).map(({ place, ...bank }) => ({ ...bank, sbpCode: place, countryCode: "RU" })),
  ...readTable(BANKS_ABROAD).map(({ place, ...bank }) => ({ ...bank, sbpCode: NO_SBP_CODE, countryCode: place })),
];

type Row = BankLook & Pick<BankFacts, "name"> & { readonly place: string };

/**
 * A line is: code or country | name | name in Russian | other languages, as `kk Name, uz Name` | aliases | popularity | colour.
 * What is empty at the end is left out.
 */
function readTable(table: string): Row[] {
  return table
    .trim()
    .split("\n")
    .map((line) => {
      const [place = "", name = "", ru = "", others = "", aliases = "", popularity = "", colour = ""] = line
        .split("|")
        .map((cell) => cell.trim());
      return {
        ...{ place, name, names: { en: name, ...(ru === "" ? {} : { ru }), ...readNames(others) } },
        aliases: listOf(aliases),
        popularity: popularity === "" ? null : Number(popularity),
        colour: colour === "" ? null : colour,
      };
    });
}

function readNames(cell: string): BankNames {
  return Object.fromEntries(
    listOf(cell).map((item) => {
      const [language = "", ...words] = item.split(" ");
      if (!isBankLanguage(language)) throw new Error(`${item} does not begin with a language`);
      return [language, words.join(" ")];
    }),
  );
}

function listOf(cell: string): string[] {
  return cell === "" ? [] : cell.split(",").map((item) => item.trim());
}
