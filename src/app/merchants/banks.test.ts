import { expect, it } from "vitest";
import { listBanks } from "../../store/merchants/banks.ts";
import { aPng } from "../../testing/builders/pictures.ts";
import { useTestDatabase } from "../../testing/database/test-database.ts";
import { changeBankLooks } from "./bank-looks.ts";
import { addBank, importBanks, setBankAvailability } from "./banks.ts";
import { seedBanks } from "./seed-banks.ts";

const { db } = useTestDatabase();

async function bank(symbol: string) {
  return (await listBanks(db)).find((each) => each.symbol === symbol);
}

it("an import adds, renames and leaves alone, and a second one changes nothing", async () => {
  const file = JSON.stringify({
    version: "1.0",
    dictionary: [
      { bankName: "Сбербанк", schema: "bank100000000111" },
      { bankName: "VTB", schema: "bank110000000005" },
      { bankName: "ВТБ", schema: "bank100000000999" },
      { bankName: "VTB", schema: "bank100000000998" },
    ],
  });
  expect(await importBanks(db, file)).toEqual({
    ok: true,
    value: { added: ["vtb-100000000999", "vtb-100000000998"], renamed: ["sberbank"], unchanged: 1 },
  });
  expect(await bank("sberbank")).toMatchObject({ name: "Сбербанк", sbpCode: "100000000111", isSbpBank: true });
  // The page still has the name for those who do not read Cyrillic.
  expect((await bank("sberbank"))?.names).toEqual({ en: "Sberbank", ru: "Сбербанк" });
  expect(await importBanks(db, file)).toMatchObject({ ok: true, value: { added: [], renamed: [], unchanged: 4 } });
});

it("a refused import changes nothing, not even its good lines", async () => {
  const before = await listBanks(db);
  expect((await importBanks(db, "name,sbp_code,country_code\nGood,,KZ\nBad,1,KZ")).ok).toBe(false);
  expect(await listBanks(db)).toEqual(before);
});

it("two imports at once make no symbol twice", async () => {
  const files = [1, 2, 3, 4].map((index) => `name,sbp_code,country_code\nTwin,20000000000${index},RU`);
  const results = await Promise.all(files.map((file) => importBanks(db, file)));
  expect(results.every((result) => result.ok)).toBe(true);
  expect((await listBanks(db)).filter((each) => each.symbol.startsWith("twin"))).toHaveLength(4);
});

it("a bank is added once, disabled, enabled, and keeps its symbol for ever", async () => {
  const facts = { name: "New Bank", sbpCode: "000000000000", countryCode: "UZ" };
  expect(await addBank(db, facts)).toMatchObject({ ok: true, value: { symbol: "new-bank", isSbpBank: false } });
  expect(await addBank(db, { ...facts, name: "NEW bank" })).toMatchObject({ ok: false });
  expect(await addBank(db, { ...facts, name: "" })).toMatchObject({ ok: false });
  expect(await setBankAvailability(db, "new-bank", "disabled")).toBe(true);
  expect((await bank("new-bank"))?.disabledAt).toBeInstanceOf(Date);
  expect(await setBankAvailability(db, "new-bank", "enabled")).toBe(true);
  expect((await bank("new-bank"))?.disabledAt).toBeNull();
  expect(await setBankAvailability(db, "no-such-bank", "disabled")).toBe(false);
  await expect(db.run({ text: "update banks set symbol = 'x' where symbol = 'new-bank'" })).rejects.toMatchObject({
    code: "23001",
  });
});

it("what an operator renamed or disabled stays so when the service starts again", async () => {
  await setBankAvailability(db, "avangard", "disabled");
  await seedBanks(db);
  expect((await bank("avangard"))?.disabledAt).toBeInstanceOf(Date);
  expect((await bank("sberbank"))?.name).toBe("Сбербанк");
});

it("an installation of before is given the looks and the new banks once, and keeps what its operator named", async () => {
  await db.run({ text: "update banks set names = '{}', aliases = '{}', popularity = null, colour = null" });
  await db.run({ text: "update banks set name = 'Тинькофф' where symbol = 't-bank'" });
  await db.run({ text: "update banks set aliases = '{Газ}' where symbol = 'gazprombank'" });
  await db.run({ text: "update settings set value = '1' where name = 'banks_seeded'" });
  await seedBanks(db);
  expect(await bank("vtb")).toMatchObject({ names: { en: "VTB", ru: "ВТБ" }, popularity: 3, colour: "#1258c7" });
  expect(await bank("t-bank")).toMatchObject({ name: "Тинькофф", names: { en: "T-Bank", ru: "Тинькофф" } });
  expect(await bank("gazprombank")).toMatchObject({ names: {}, aliases: ["Газ"], popularity: null });
  expect((await bank("avangard"))?.disabledAt).toBeInstanceOf(Date);
  await changeBankLooks(db, [{ symbol: "vtb", aliases: [], popularity: null, colour: null, names: { ru: "втб" } }]);
  await seedBanks(db);
  expect(await bank("vtb")).toMatchObject({ names: { en: "VTB", ru: "втб" }, popularity: null });
});

it("looks change together or not at all, and what stays the same is not written", async () => {
  const version = async () => (await db.run<{ version: string }>({ text: "select version from directory_version" }))[0];
  const image = { type: "image/png", bytes: aPng() } as const;
  const changes = [{ symbol: "mts-bank", names: { kk: "МТС", ru: undefined }, image }, { symbol: "psb" }];
  expect(await changeBankLooks(db, changes)).toEqual({ ok: true, value: { changed: ["mts-bank"], unchanged: 1 } });
  const changed = await bank("mts-bank");
  expect([changed?.names, changed?.imageVersion]).toEqual([
    { en: "MTS Bank", kk: "МТС" },
    expect.stringMatching(/^[0-9a-f]{12}$/),
  ]);
  const before = await version();
  expect(await changeBankLooks(db, changes)).toEqual({ ok: true, value: { changed: [], unchanged: 2 } });
  const refused = await changeBankLooks(db, [{ symbol: "psb", colour: "#000000" }, { symbol: "none-such" }]);
  expect(refused).toEqual({ ok: false, error: ["there is no bank none-such"] });
  expect(await version()).toEqual(before);
  await changeBankLooks(db, [{ symbol: "mts-bank", image: null }]);
  expect((await bank("mts-bank"))?.imageVersion).toBeNull();
});
