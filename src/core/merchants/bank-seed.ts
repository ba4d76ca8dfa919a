import type { BankFacts } from "./bank.ts";
import { NO_SBP_CODE } from "./bank.ts";

/** The banks that a new installation knows. Operators add to them by `tillgate bank import` and `bank add`. */
const SBP_MEMBERS = `
Sberbank 100000000111|T-Bank 100000000004|VTB 110000000005|Alfa-Bank 100000000008|Raiffeisenbank 100000000007
Gazprombank 100000000001|PSB 100000000010|Sovcombank 100000000013|Rosselkhozbank 100000000020
Credit Bank of Moscow 100000000025|UniCredit Bank 100000000030|Bank Sinara 100000000003|Avangard 100000000028
Expobank 100000000044|VBRR 100000000049|Bank Rossiya 100000000095|Khlynov 100000000056|Blanc Bank 100000000053
Solidarnost 100000000121|Bank DOM.RF 100000000082|MTS Bank 100000000017|PSKB 100000000087|Levoberezhny 100000000052
Ak Bars 100000000006|RostFinance 100000000098|BystroBank 100000000092|Absolut Bank 100000000047|Modulbank 100000000099
Akcept 100000000135|YooMoney 100000000022|Bank Saint Petersburg 100000000029|Kuban Kredit 100000000050|TKB 100000000034
Ozon Bank 100000000273|Yandex Bank 100000000150`;

const OUTSIDE_SBP = `
Kaspi Bank KZ|Halyk Bank KZ|Kapitalbank UZ|Kapital Bank AZ|MBank KG|Alif Bank TJ|Zenith Bank NG|Banco Nacion AR`;

function split(list: string): [name: string, last: string][] {
  return list
    .trim()
    .split(/[|\n]/)
    .map((line) => {
      const blank = line.lastIndexOf(" ");
      return [line.slice(0, blank), line.slice(blank + 1)];
    });
}

export const BANK_SEED: readonly BankFacts[] = [
  ...split(SBP_MEMBERS).map(([name, sbpCode]) => ({ name, sbpCode, countryCode: "RU" })),
  ...split(OUTSIDE_SBP).map(([name, countryCode]) => ({ name, sbpCode: NO_SBP_CODE, countryCode })),
];
