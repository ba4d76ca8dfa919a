import { expect, it } from "vitest";
import { listBanks } from "../../store/merchants/banks.ts";
import { useTestDatabase } from "../../testing/database/test-database.ts";
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
