/** ISO 4217 codes that money can be held in, with the number of decimals of the minor unit. */
const TWO_DECIMALS =
  "AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BGN BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CNY COP CRC CUP CVE " +
  "CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR JMD KES KGS KHR KPW " +
  "KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK " +
  "PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS " +
  "UAH USD UYU UZS VED VES WST XCD XCG YER ZAR ZMW ZWG";
const NO_DECIMALS = "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF";
const THREE_DECIMALS = "BHD IQD JOD KWD LYD OMR TND";

export type Currency = string & { readonly __brand: "Currency" };

const DECIMALS: ReadonlyMap<string, number> = new Map([
  ...TWO_DECIMALS.split(" ").map((code) => [code, 2] as const),
  ...NO_DECIMALS.split(" ").map((code) => [code, 0] as const),
  ...THREE_DECIMALS.split(" ").map((code) => [code, 3] as const),
]);

export function findCurrency(code: string): Currency | undefined {
  return DECIMALS.has(code) ? (code as Currency) : undefined;
}

export function decimalsOf(currency: Currency): number {
  const decimals = DECIMALS.get(currency);
  if (decimals === undefined) throw new Error("a Currency is only made by findCurrency");
  return decimals;
}
