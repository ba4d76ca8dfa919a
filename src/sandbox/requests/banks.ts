/** The banks that the fake world's people have their money in. A bank that is asked for by a symbol not listed here exists too. */
export type SandboxBank = { readonly symbol: string; readonly name: string };

const BANKS_OF_CURRENCY: Readonly<Record<string, readonly SandboxBank[]>> = {
  RUB: [
    { symbol: "sberbank", name: "Sberbank" },
    { symbol: "t-bank", name: "T-Bank" },
    { symbol: "vtb", name: "VTB" },
    { symbol: "alfa-bank", name: "Alfa-Bank" },
    { symbol: "raiffeisenbank", name: "Raiffeisenbank" },
    { symbol: "gazprombank", name: "Gazprombank" },
    { symbol: "sovcombank", name: "Sovcombank" },
    { symbol: "ozon-bank", name: "Ozon Bank" },
  ],
  KZT: [
    { symbol: "kaspi-bank", name: "Kaspi Bank" },
    { symbol: "halyk-bank", name: "Halyk Bank" },
  ],
  UZS: [{ symbol: "kapitalbank", name: "Kapitalbank" }],
  AZN: [{ symbol: "kapital-bank", name: "Kapital Bank" }],
  KGS: [{ symbol: "mbank", name: "MBank" }],
  TJS: [{ symbol: "alif-bank", name: "Alif Bank" }],
  NGN: [{ symbol: "zenith-bank", name: "Zenith Bank" }],
  ARS: [{ symbol: "banco-nacion", name: "Banco Nacion" }],
};

export function banksOf(currency: string): readonly SandboxBank[] {
  return BANKS_OF_CURRENCY[currency] ?? [];
}

export function bankBySymbol(symbol: string): SandboxBank {
  const known = Object.values(BANKS_OF_CURRENCY).flat();
  return known.find((bank) => bank.symbol === symbol) ?? { symbol, name: nameFrom(symbol) };
}

function nameFrom(symbol: string): string {
  const words = symbol.split("-").filter((word) => word !== "");
  return words.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1)).join(" ");
}
