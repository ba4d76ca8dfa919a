import { expect, it } from "vitest";
import { listProviderBalances } from "../../store/providers/provider-balances.ts";
import { listProviderBanks } from "../../store/providers/provider-banks.ts";
import { claimReading, listBalanceAges, listReadings } from "../../store/providers/provider-readings.ts";
import { testKeyring } from "../../testing/builders/projects.ts";
import { aBalance, aConfiguredProvider, aTheirBank, fakeBooks } from "../../testing/builders/provider-books.ts";
import { useTestDatabase } from "../../testing/database/test-database.ts";
import { addBank, setBankAvailability } from "../merchants/banks.ts";
import { loadDirectory } from "../merchants/directory.ts";
import { mapBanks, readBankMatch } from "./bank-names.ts";
import { readProviderBalances, readProviderBanks } from "./read-books.ts";

const { db } = useTestDatabase();

function aLog() {
  const lines: string[] = [];
  const note = (_fields: object, words: string) => void lines.push(words);
  return { lines, log: { info: note, warn: note } as never };
}

async function versionOf(): Promise<bigint> {
  return (await loadDirectory(db, testKeyring(), { error: () => undefined } as never, undefined)).version;
}

it("keeps what a provider said when it does not answer, and logs the beginning and the end of that once", async () => {
  const provider = await aConfiguredProvider(db, "balanced");
  const books = fakeBooks({ balances: [aBalance(500, 20), { ...aBalance(7), currency: "KZT" as never }] });
  const { log, lines } = aLog();
  const read = () => readProviderBalances({ db, log }, provider, books);
  const stored = async () =>
    (await listProviderBalances(db)).map(({ currency, amount, lockedAmount }) => [currency, amount, lockedAmount]);
  expect(await read()).toBe(true);
  expect(await stored()).toEqual([
    ["KZT", 7n, 0n],
    ["RUB", 500n, 20n],
  ]);
  books.balances = undefined;
  expect([await read(), await read()]).toEqual([false, false]);
  const failing = await listReadings(db);
  expect(failing).toMatchObject([{ what: "balances", readAt: expect.any(Date), failingSince: expect.any(Date) }]);
  expect(await stored()).toContainEqual(["RUB", 500n, 20n]);
  // KZT is no longer named: nothing is left of it.
  books.balances = [aBalance(600)];
  expect([await read(), await read()]).toEqual([true, true]);
  expect(await stored()).toEqual([
    ["KZT", 0n, 0n],
    ["RUB", 600n, 0n],
  ]);
  expect(await listReadings(db)).toMatchObject([{ failingSince: null }]);
  expect(lines).toEqual(["a provider does not tell its balances", "a provider tells its balances again"]);
});

it("a connector that throws has not answered", async () => {
  const provider = await aConfiguredProvider(db, "throws");
  const books = { ...fakeBooks(), readBalances: () => Promise.reject(new Error("bug")) };
  expect(await readProviderBalances({ db, ...aLog() }, provider, books)).toBe(false);
  expect((await listBalanceAges(db)).find((each) => each.provider === provider)?.ageS).toBeGreaterThanOrEqual(0);
});

it("of many processes one asks, and the next when the time is over", async () => {
  const provider = await aConfiguredProvider(db, "shared");
  const claim = (everyS: number) => claimReading(db, { provider, what: "balances", everyS });
  const claims = await Promise.all(Array.from({ length: 8 }, () => claim(60)));
  expect(claims.filter(Boolean)).toHaveLength(1);
  expect(await claim(60)).toBe(false);
  await db.run({ text: "update provider_readings set next_at = now() where provider = $1", values: [provider] });
  expect([await claim(60), await claim(60)]).toEqual([true, false]);
});

it("matches a provider's banks with ours; the directory has the names, and is read only after a change", async () => {
  const provider = await aConfiguredProvider(db, "banked");
  for (const name of ["Alpha Bank", "Beta Bank", "Gamma Bank"]) {
    expect(await addBank(db, { name, sbpCode: "000000000000", countryCode: "TJ" })).toMatchObject({ ok: true });
  }
  const banks = [
    aTheirBank("al", "ALPHA bank", undefined, "TJ"),
    aTheirBank("be", "Beta Bank", undefined, "TJ"),
    aTheirBank("be-2", "beta-bank", undefined, "TJ"),
    aTheirBank("bad symbol", "Gamma Bank", undefined, "TJ"),
  ];
  const books = fakeBooks({ banks });
  const deps = { db, ...aLog() };
  expect(await readProviderBanks(deps, provider, books)).toBe(true);
  expect(await listProviderBanks(db, provider)).toMatchObject([
    { symbol: "alpha-bank", theirSymbol: "al", source: "name" },
  ]);
  const match = await readBankMatch(db, provider);
  expect(match).toMatchObject({ ambiguous: [{ by: "name", ours: ["beta-bank"], theirs: ["be", "be-2"] }] });
  expect(match.unmatchedOurs).toContain("gamma-bank");
  expect(match.unmatchedTheirs).toEqual([]);

  const before = await versionOf();
  await readProviderBanks(deps, provider, books);
  expect(await versionOf()).toBe(before);

  expect(await mapBanks(db, provider, "ours,theirs\nbeta-bank,be-2\nalpha-bank,al\n")).toMatchObject({
    value: { fromFile: 2, changed: 2 },
  });
  // The file stays when the list is read again.
  await readProviderBanks(deps, provider, books);
  const directory = await loadDirectory(db, testKeyring(), { error: () => undefined } as never, undefined);
  expect(directory.version).toBeGreaterThan(before);
  const names = directory.providerBanks.get(provider);
  expect([names?.toTheirs("beta-bank"), names?.toTheirs("alpha-bank"), names?.toTheirs("gamma-bank")]).toEqual([
    "be-2",
    "al",
    undefined,
  ]);
  expect([names?.toOurs("be-2"), names?.toOurs("be")]).toEqual(["beta-bank", undefined]);

  // Two that change places, and a file that is taken back.
  expect(await mapBanks(db, provider, "ours,theirs\nbeta-bank,al\nalpha-bank,be-2\n")).toMatchObject({
    value: { changed: 2 },
  });
  expect(await mapBanks(db, provider, "ours,theirs\n")).toMatchObject({ value: { fromFile: 0, changed: 2 } });
  expect(await listProviderBanks(db, provider)).toMatchObject([
    { symbol: "alpha-bank", theirSymbol: "al", source: "name" },
  ]);

  // A bank that is disabled here is no longer matched.
  await setBankAvailability(db, "alpha-bank", "disabled");
  await readProviderBanks(deps, provider, books);
  expect(await listProviderBanks(db, provider)).toEqual([]);
});

it("a file with a fault changes nothing", async () => {
  const provider = await aConfiguredProvider(db, "mapped");
  await readProviderBanks({ db, ...aLog() }, provider, fakeBooks({ banks: [aTheirBank("x", "X")] }));
  expect(await mapBanks(db, provider, "ours,theirs\nbeta-bank,x\nnone,y\n")).toEqual({
    ok: false,
    error: ['line 3: there is no bank "none" here', 'line 3: the provider lists no bank "y"'],
  });
  expect(await listProviderBanks(db, provider)).toEqual([]);
});

it("takes a list of banks with texts that no database keeps, without those", async () => {
  const provider = await aConfiguredProvider(db, "hostile-banks");
  const banks = [
    aTheirBank("a\u0000", "A"),
    aTheirBank("\ud800", "A"),
    aTheirBank("b", "B\u0000\ud800", "1\u0000"),
    aTheirBank("c", "C", undefined, "R\u0000"),
    aTheirBank("d", "D", "\ud800"),
    aTheirBank("e", "E", "100000000999"),
  ];
  expect(await readProviderBanks({ db, ...aLog() }, provider, fakeBooks({ banks }))).toBe(true);
  const { unmatchedTheirs, theirNames } = await readBankMatch(db, provider);
  expect(unmatchedTheirs.toSorted()).toEqual(["b", "c", "d", "e"]);
  expect(theirNames.get("b")).toMatch(/^B *$/);
});
