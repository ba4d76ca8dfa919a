import { describe, expect, it } from "vitest";
import { createTillgate, credentialsFromSandboxFile, type Tillgate, TillgateApiError } from "../../sdk/src/index.ts";
import { aProject, credit, rsaKeyOf } from "../../src/testing/builders/projects.ts";
import { useTestDatabase } from "../../src/testing/database/test-database.ts";
import { useTestService } from "../../src/testing/service/test-service.ts";

const database = useTestDatabase();
const { db } = database;
const service = useTestService(database);

const SEEDED = ["ARS", "AZN", "KGS", "KZT", "NGN", "RUB", "TJS", "UZS"];

function clientOf(kind: "rsa" | "hmac", scheme: 1 | 2) {
  return createTillgate({
    baseUrl: service.url(),
    credentials: credentialsFromSandboxFile(service.sandbox(), kind),
    scheme,
  });
}

const combinations = [
  ["rsa", 1],
  ["rsa", 2],
  ["hmac", 1],
  ["hmac", 2],
] as const;

describe.each(combinations)("the SDK with %s and scheme %i", (kind, scheme) => {
  it("reads the sandbox's balance: available and locked in every currency, by code", async () => {
    const { balance } = await clientOf(kind, scheme).balance.info();
    expect(balance.map(({ currency }) => currency)).toEqual(SEEDED);
    for (const entry of balance) {
      expect(entry.amount).toBeGreaterThanOrEqual(1e6);
      expect(entry.amount).toBeLessThanOrEqual(1e11);
      expect(entry.locked_amount).toBeGreaterThan(0);
      expect(Object.keys(entry)).toEqual(["currency", "amount", "locked_amount"]);
    }
  });

  it("reads the bank list", async () => {
    const banks = await clientOf(kind, scheme).bank.all();
    expect(banks).toHaveLength(102);
    expect(banks.find((bank) => bank.symbol === "sberbank")).toMatchObject({
      name: "Sberbank",
      sbp_code: "100000000111",
      is_sbp_bank: true,
      country_code: "RU",
    });
    expect(banks.find((bank) => bank.symbol === "kaspi-bank")).toMatchObject({
      sbp_code: "000000000000",
      is_sbp_bank: false,
    });
    for (const bank of banks) {
      expect(Object.keys(bank).sort()).toEqual(["country_code", "id", "is_sbp_bank", "name", "sbp_code", "symbol"]);
      expect(bank.id).toMatch(/^[0-9a-f]{32}$/);
    }
  });
});

describe("balance/info", () => {
  it("shows a movement that was committed just before", async () => {
    const client = clientOf("hmac", 2);
    const before = (await client.balance.info()).balance.find(({ currency }) => currency === "RUB")?.amount ?? 0;
    const { project_id } = service.sandbox();
    await credit(db, project_id as never, 12345);
    const after = (await client.balance.info()).balance.find(({ currency }) => currency === "RUB")?.amount;
    expect(after).toBe(before + 12345);
  });

  it("answers many callers at once, each with its own project's figures", async () => {
    const owners = await Promise.all([1, 2, 3, 4].map(() => aProject(db)));
    const clients: Tillgate[] = [];
    for (const [index, owner] of owners.entries()) {
      await credit(db, owner.projectId, 1000 + index);
      const key = await rsaKeyOf(db, { ...owner, book: "test" });
      const credentials = { ...owner, kind: "rsa" as const, privateKeyPem: key.privateKeyPem.reveal() };
      clients.push(createTillgate({ baseUrl: service.url(), credentials }));
    }
    await service.settled();
    const answers = await Promise.all(Array.from({ length: 80 }, (_, index) => clients[index % 4]?.balance.info()));
    for (const [index, answer] of answers.entries()) {
      expect(answer?.balance).toEqual([{ currency: "RUB", amount: 1000 + (index % 4), locked_amount: 0 }]);
    }
  });

  it("is 403 for a project of another merchant", async () => {
    const stranger = await aProject(db);
    await service.settled();
    const credentials = { ...credentialsFromSandboxFile(service.sandbox()), projectId: stranger.projectId };
    const refused = createTillgate({ baseUrl: service.url(), credentials }).balance.info();
    await expect(refused).rejects.toBeInstanceOf(TillgateApiError);
    await expect(refused).rejects.toMatchObject({ httpStatus: 403, code: "project_forbidden" });
  });
});
