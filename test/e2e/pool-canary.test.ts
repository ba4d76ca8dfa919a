import { beforeAll, describe, expect, it, vi } from "vitest";
import type { Keyring } from "../../src/platform/secrets.ts";
import { recordLines } from "../../src/pool/app/record-lines.ts";
import { findReceivingAccount } from "../../src/pool/store/receiving-accounts.ts";
import { minor, RUB } from "../../src/testing/builders/projects.ts";
import { useTestDatabase } from "../../src/testing/database/test-database.ts";
import { type CommandAnswer, openCommandLine } from "../../src/testing/program/command-line.ts";
import { aClient, type NewClient, payinBody } from "../../src/testing/service/merchant-client.ts";
import { serviceKeyring } from "../../src/testing/service/service-keyring.ts";
import { useTestService } from "../../src/testing/service/test-service.ts";
import { waitForState } from "../../src/testing/service/wait-for-payment.ts";
import { dumpDatabase, findLeaks, type Place } from "./leak-search.ts";

/** A stolen dump, or a log that went astray, tells nobody where the operator's money is received, nor by whom. */

vi.setConfig({ testTimeout: 120_000 });

const database = useTestDatabase();
const { db } = database;
const service = useTestService(database, { TILLGATE_LOG_LEVEL: "debug" });

const HOLDER = "ZINAIDA QUETZALCOATL";
const NUMBER = "40817810099910004312";
const PAYER = "PRIAMOS XYLOPHON";
const VALUES = {
  card: "2200001234567891",
  phone: "+79005550117",
  account: "40817810500000777123",
  link: "https://pay.example/secret-wallet-815",
} as const;
const SPOILED = "2200009876543211";
/** Without its +, a phone would be found too. */
const SECRETS = {
  texts: [HOLDER, NUMBER, PAYER, SPOILED, ...Object.values(VALUES), VALUES.phone.slice(1), "secret-wallet-815"],
  codes: [],
};

let keyring: Keyring;
let client: NewClient;
const said: string[] = [];

async function tillgate(...words: string[]): Promise<CommandAnswer> {
  const run = openCommandLine(db, undefined, { openKeyring: async () => keyring });
  const answer = await run(...words);
  said.push(answer.printed, answer.errors);
  return answer;
}

async function done(...words: string[]): Promise<string> {
  const { exitCode, printed, errors } = await tillgate(...words);
  expect([exitCode, errors]).toEqual([0, ""]);
  return printed;
}

async function shownPayin(method: string, amount: number, currency = "RUB") {
  const { json } = await client.payin(
    payinBody(client.projectId, {
      general: { merchant_callback_url: "http://127.0.0.1:9/hook" },
      payment: { method, amount, currency },
      ...(method === "sbp-p2p" ? { sender: { bank: "sberbank" } } : {}),
    }),
  );
  return waitForState(() => client.payinInfo(json.payment_id), "processing:awaiting_confirm");
}

beforeAll(async () => {
  keyring = await serviceKeyring(db, service);
  client = await aClient(db, service, { book: "live" });
  const routes = ["card-p2p", "sbp-p2p", "account-number", "qr-link-p2p"].flatMap((method) => [
    "--route",
    `payin:${method}=pool`,
  ]);
  await done("project", "set", client.projectId, ...routes);
  await service.settled();
  const plain = ["--holder", HOLDER, "--bank", "sberbank", "--country", "RU"];
  await done("pool", "account", "add", "main", ...plain, "--currency", "RUB", "--number", NUMBER);
  await done("pool", "account", "add", "wallet", ...plain, "--currency", "KGS");
});

describe("requisites, holders and numbers of the operator's accounts", () => {
  it("are shown to their payers, and go through every flow", async () => {
    for (const [type, value] of Object.entries(VALUES)) {
      const account = type === "link" ? "wallet" : "main";
      await done("pool", "requisite", "add", account, "--type", type, "--value", value, "--json");
      expect((await tillgate("pool", "requisite", "add", account, "--type", type, "--value", value)).exitCode).toBe(1);
      expect(
        (await tillgate("pool", "requisite", "add", account, "--type", type, "--value", `${value}\t;`)).exitCode,
      ).toBe(2);
    }
    const card = await shownPayin("card-p2p", 250_000);
    expect(card.requisites).toMatchObject({ pan: VALUES.card, holder: HOLDER });
    const phone = await shownPayin("sbp-p2p", 250_001);
    expect(phone.requisites).toMatchObject({ phone: VALUES.phone });
    const account = await shownPayin("account-number", 250_002);
    expect(account.requisites).toMatchObject({ account_number: VALUES.account });
    const link = await shownPayin("qr-link-p2p", 250_003, "KGS");
    expect(link.requisites).toMatchObject({ url: VALUES.link });

    await client.payinCancel(phone.payment_id);
    await client.payinConfirm(card.payment_id);
    const main = await findReceivingAccount(db, "main");
    if (main === undefined) throw new Error("the account is gone");
    const booked = { kind: "instant", from: new Date(), to: new Date() } as const;
    const credit = { account: main, direction: "credit", currency: RUB, booked, payer: PAYER } as const;
    const lines = [250_000, 777].map((amount) => ({ ...credit, reference: `bank-${amount}`, amount: minor(amount) }));
    const recorded = await recordLines({ db, keyring }, lines, "olga");
    expect(recorded).toMatchObject([{ outcome: "exact" }, { outcome: "unclaimed" }]);
    // An operator who asks is told; that they were is kept, and this answer alone is not searched below.
    const reveal = ["transfer", "list", "--reference", "bank-777", "--reveal-payer", "--reason", "whose is it"];
    const asked = await openCommandLine(db, undefined, { openKeyring: async () => keyring })(...reveal);
    expect(asked.printed).toContain(PAYER);
    expect(await done("transfer", "reveals")).toMatch(/olga +main +bank-777 +whose is it/);
    const ended = await waitForState(() => client.payinInfo(card.payment_id), "success");
    expect(JSON.stringify(ended)).not.toContain(VALUES.card);
  });

  it("are complained of without being said", async () => {
    await done("pool", "requisite", "add", "main", "--type", "card", "--value", SPOILED);
    await db.run({
      text: `update requisites r set value = o.value from requisites o
              where r.type = 'card' and o.type = 'account' and r.account_id = o.account_id`,
    });
    const { json } = await client.payin(payinBody(client.projectId, { payment: { amount: 250_004 } }));
    await waitForState(() => client.payinInfo(json.payment_id), "decline");
    expect(service.logLines().filter((line) => line.includes("a requisite could not be opened"))).toHaveLength(2);
    expect(await done("attention")).toContain("was switched off: it cannot be opened");
    for (const words of [
      ["account", "list"],
      ["account", "show", "main"],
      ["account", "show", "wallet"],
    ]) {
      await done("pool", ...words);
      await done("pool", ...words, "--json");
    }
    await done("pool", "requisite", "list", "main");
    await done("pool", "capacity", "250002", "RUB", "--json");
  });

  it("are found nowhere: in no table, in no line of the log, and in nothing that a command said", async () => {
    const places: Place[] = [
      ...(await dumpDatabase(database.url)),
      ...service.logLines().map((text) => ({ where: "log", text })),
      ...said.map((text) => ({ where: "command", text })),
    ];
    const tables = ["receiving_accounts", "requisites", "lendings", "bank_lines", "payments", "callbacks", "attempts"];
    for (const where of [...tables.map((table) => `public.${table}`), "log", "command"])
      expect([where, places.filter((place) => place.where === where).length]).not.toEqual([where, 0]);
    expect(findLeaks(places, SECRETS)).toEqual([]);
  });

  it("would be found by this search, in a column and in bytes", async () => {
    await db.run({ text: "update receiving_accounts set owner = $1 where code = 'main'", values: [NUMBER] });
    await db.run({ text: "update receiving_accounts set holder = $1", values: [Buffer.from(HOLDER)] });
    await db.run({ text: "update requisites set mask = $1 where type = 'phone'", values: [VALUES.phone] });
    const found = findLeaks(await dumpDatabase(database.url), SECRETS).join("\n");
    expect(found).toMatch(/text 0 in public\.receiving_accounts holder bytes/);
    expect(found).toMatch(/text 1 in public\.receiving_accounts owner/);
    expect(found).toMatch(/text 5 in public\.requisites mask/);
  });
});
