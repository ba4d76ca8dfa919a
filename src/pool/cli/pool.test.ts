import { beforeEach, describe, expect, it } from "vitest";
import { seedBanks } from "../../app/merchants/seed-banks.ts";
import { EXIT } from "../../cli/kit/command.ts";
import type { PayinRequest } from "../../core/connector.ts";
import type { Id } from "../../core/ids.ts";
import { newId } from "../../platform/new-id.ts";
import { ASKED_FOR } from "../../testing/builders/asked-for.ts";
import { aProject, minor, RUB, testKeyring } from "../../testing/builders/projects.ts";
import { aDesk } from "../../testing/builders/receiving-accounts.ts";
import { useTestDatabase } from "../../testing/database/test-database.ts";
import { openCommandLine } from "../../testing/program/command-line.ts";

const { db } = useTestDatabase();
const keyring = testKeyring();
const PAN = "2200001234567891";
const NUMBER = "40817810099910004312";
const TAKEN = "40817810099910009999";
const HOLDER = "IVAN PETROV";
let typed = "";
const tillgate = openCommandLine(db, undefined, {
  openKeyring: async () => keyring,
  readInput: async () => typed,
});

/** Of two accounts with the same card only one may lend it. */
beforeEach(() => db.run({ text: "update requisites set enabled = false" }));

async function print(...words: string[]): Promise<string> {
  const { exitCode, printed, errors } = await tillgate("pool", ...words);
  expect([exitCode, errors]).toEqual([EXIT.done, ""]);
  for (const secret of [PAN, NUMBER, HOLDER, "PETROV"]) expect(printed).not.toContain(secret);
  return printed;
}

async function json(...words: string[]) {
  return JSON.parse(await print(...words, "--json"));
}

/** What is refused changes nothing, and says so in a sentence that repeats no secret. */
async function refusal(...words: string[]): Promise<string> {
  const { exitCode, printed, errors } = await tillgate("pool", ...words);
  expect([exitCode, printed]).toEqual([EXIT.refused, ""]);
  for (const secret of [PAN, NUMBER, TAKEN, HOLDER]) expect(errors).not.toContain(secret);
  return errors;
}

const PLAIN = ["--bank", "sberbank", "--currency", "RUB", "--country", "RU", "--holder", HOLDER];
let made = 0;

async function addAccount(...words: string[]): Promise<string> {
  await seedBanks(db);
  made += 1;
  const code = `main-${made}`;
  await print("account", "add", code, ...PLAIN, ...words);
  return code;
}

async function addCard(code: string, value = PAN): Promise<string> {
  return (await json("requisite", "add", code, "--type", "card", "--value", value)).id;
}

async function lend(projectId: Id, amount: number, reference: string = newId()) {
  const request: PayinRequest = {
    ...{ reference, projectId, method: "card-p2p", currency: RUB, bank: undefined },
    ...{ amount: minor(amount), expiresAt: new Date(), ...ASKED_FOR },
  };
  return aDesk(db, keyring).lend(request);
}

describe("receiving accounts", () => {
  it("are added with usual settings, and shown by their masks", async () => {
    const code = await addAccount("--number", "40817810 0999 1000 4312", "--owner", "Olga");
    expect(await json("account", "show", code)).toMatchObject({
      ...{ code, book: "live", bank: "sberbank", currency: "RUB", country: "RU", owner: "Olga" },
      ...{ holder_mask: "I*** P***", number_mask: "****************4312", intact: true },
      ...{ time_zone: "UTC", enabled: true, priority: 0, hours: "always", quarantine_s: 3600 },
      ...{ min_amount: 1, max_amount: 10_000_000_000_000, day_count_max: null, day_sum_max: null, parallel_max: null },
      ...{ lent_now: 0, today: { count: 0, sum: 0 }, holds: 0, requisites: [], lent: [] },
    });
    const text = await print("account", "show", code);
    for (const part of ["holder           I*** P***", "number           ****************4312", "It has no requisites."])
      expect(text).toContain(part);
    expect(await print("account", "list")).toMatch(new RegExp(`^CODE .*\\n(.*\\n)*${code} +live +sberbank +RUB +on`));
  });

  it("are changed in what is named, and in nothing else", async () => {
    const code = await addAccount(
      "--number",
      NUMBER.replace("4312", "5555"),
      "--priority=-5",
      "--opening-balance=-700",
    );
    const before = await json("account", "show", code);
    expect(before).toMatchObject({ priority: -5, opening_balance: -700, holds: -700 });
    await print("account", "set", code, "--hours", "22:00-06:00", "--time-zone", "Europe/Moscow", "--off");
    const { holder_mask: _, ...rest } = before;
    expect(await json("account", "show", code)).toMatchObject({
      ...rest,
      ...{ hours: "22:00-06:00", time_zone: "Europe/Moscow", enabled: false },
    });
    await print("account", "set", code, "--holder", "OLEG SIDOROV", "--number", "none", "--owner", "none", "--on");
    await print(
      "account",
      "set",
      code,
      ...["--day-count", "3", "--day-sum", "500", "--parallel", "2", "--hours", "always"],
    );
    expect(await json("account", "set", code, "--min", "5", "--max", "50", "--cool-down", "60")).toMatchObject({
      ...{ holder_mask: "O*** S***", number_mask: null, enabled: true, hours: "always", owner: "" },
      ...{ day_count_max: 3, day_sum_max: 500, parallel_max: 2, min_amount: 5, max_amount: 50, cool_down_s: 60 },
    });
    await print("account", "set", code, "--day-count", "none", "--day-sum", "none", "--parallel", "none");
    expect(await json("account", "show", code)).toMatchObject({
      day_count_max: null,
      day_sum_max: null,
      parallel_max: null,
    });
  });

  it("are refused with the reason", async () => {
    const code = await addAccount("--number", TAKEN);
    const before = await json("account", "show", code);
    const add = (...words: string[]) => refusal("account", "add", "other", ...PLAIN, ...words);
    expect(await refusal("account", "add", code, ...PLAIN)).toBe(
      "There is a receiving account of this code already. Nothing was changed.",
    );
    const elsewhere = PLAIN.map((word, index) => (PLAIN[index - 1] === "--bank" ? "no-bank" : word));
    expect(await refusal("account", "add", "other", ...elsewhere)).toBe(
      "There is no such bank: see bank list. Nothing was changed.",
    );
    expect(await add("--time-zone", "Mars/Base")).toContain("There is no such time zone");
    expect(await add("--time-zone", "+03:00")).toContain("There is no such time zone");
    expect(await add("--number", TAKEN)).toBe(
      "Another receiving account has this number already. Nothing was changed.",
    );
    expect(await add("--min", "5", "--max", "4")).toBe(
      "The smallest sum would be above the largest. Nothing was changed.",
    );
    expect(await refusal("account", "set", code, "--max", "5", "--min", "6")).toContain("The smallest sum");
    expect(await refusal("account", "set", "nobody", "--off")).toContain("There is no such receiving account");
    expect(await refusal("account", "show", "nobody")).toBe(
      "There is no receiving account nobody: see pool account list.",
    );
    expect(await json("account", "show", code)).toEqual(before);
    expect((await json("account", "list")).map((each: { code: string }) => each.code)).not.toContain("other");
  });

  it("keep how their bank writes statements", async () => {
    const code = await addAccount();
    const show = async () => JSON.parse(await print("account", "mapping", code, "--show"));
    expect(await show()).toBeNull();
    const mapping = { columns: { booked_at: "Дата", amount: "Сумма", reference: "Номер" }, currency: "RUB" };
    typed = `\uFEFF${JSON.stringify(mapping)}`;
    expect(await print("account", "mapping", code, "--file", "-")).toContain("by this mapping");
    expect(await show()).toEqual(mapping);
    expect(await json("account", "set", code, "--priority", "7")).toMatchObject({ has_statement_mapping: true });
    expect(await show()).toEqual(mapping);
    expect(await json("account", "mapping", code, "--none")).toEqual({ code, statement_mapping: null });
    expect(await show()).toBeNull();
    expect(await refusal("account", "mapping", "nobody", "--file", "-")).toContain(
      "There is no receiving account nobody",
    );
  });
});

describe("requisites", () => {
  it("are added from standard input, listed by their masks, and not twice", async () => {
    const code = await addAccount();
    typed = "2200 0012 3456 7891\n";
    const added = await json("requisite", "add", code, "--type", "card", "--value", "-");
    expect(added).toMatchObject({
      account: code,
      mask: "220000******7891",
      methods: ["card-p2p", "international-p2p"],
    });
    expect(await refusal("requisite", "add", code, "--type", "card", "--value", PAN)).toBe(
      "The account has this requisite already: see pool requisite list. Nothing was changed.",
    );
    expect(await json("requisite", "list", code)).toMatchObject([
      { id: added.id, type: "card", enabled: true, fault: null },
    ]);
    expect(await print("requisite", "list", code)).toMatch(/220000\*{6}7891 +on +card-p2p,international-p2p +never$/);
    const narrow = ["requisite", "add", code, "--type", "phone", "--value", "+79001234567", "--method", "sbp-p2p"];
    expect((await json(...narrow)).methods).toEqual(["sbp-p2p"]);
  });

  it("of the sandbox's test cards are refused on a live account, by a sentence without the number", async () => {
    const code = await addAccount();
    typed = "4242 4242 4242 4242\n";
    const refused = await refusal("requisite", "add", code, "--type", "card", "--value", "-");
    expect(refused).toBe("It is a test card, and the account is live: no payer could reach it. Nothing was changed.");
    expect(await print("requisite", "list", code)).toBe("There are none: see pool requisite add.");
  });

  it("serve only methods that can pay to them", async () => {
    const code = await addAccount();
    const add = (type: string, value: string, ...more: string[]) =>
      refusal("requisite", "add", code, "--type", type, "--value", value, ...more);
    expect(await add("card", PAN, "--method", "sbp-p2p")).toBe(
      "Payers in RUB pay to a card by card-p2p, international-p2p, and by nothing else. Nothing was changed.",
    );
    expect(await add("link", "https://pay.example/1")).toBe("No method pays to a link in RUB. Nothing was changed.");
    expect(await refusal("requisite", "add", "nobody", "--type", "card", "--value", PAN)).toBe(
      "There is no such receiving account: see pool account list.",
    );
    expect(await print("requisite", "list", code)).toBe("There are none: see pool requisite add.");
  });

  it("are switched off and on, and taken back from whoever was shown them", async () => {
    await db.run({ text: "update receiving_accounts set enabled = false" });
    const { projectId } = await aProject(db, "live");
    const code = await addAccount();
    const id = await addCard(code);
    const reference = newId();
    expect(await lend(projectId, 500, reference)).toMatchObject({ kind: "issued" });
    expect(await json("account", "show", code)).toMatchObject({
      ...{ lent_now: 1, today: { count: 1, sum: 500 } },
      lent: [{ requisite_id: id, amount: 500, project_id: projectId, request_id: null }],
    });
    expect(await print("requisite", "off", id)).toBe(`Requisite ${id} is off: new payers are not shown it.`);
    expect(await lend(projectId, 501)).toEqual({ kind: "none" });
    expect(await json("requisite", "off", id, "--withdraw")).toEqual({ id, enabled: false, withdrawn: 1 });
    expect(await aDesk(db, keyring).findPayin(reference)).toMatchObject({ kind: "declined" });
    expect(await print("requisite", "off", id, "--withdraw")).toContain("no open pay-in has it.");
    await print("requisite", "on", id);
    expect(await lend(projectId, 501)).toMatchObject({ kind: "issued" });
    const nobody = "0".repeat(32);
    expect(await refusal("requisite", "on", nobody)).toBe(`There is no requisite ${nobody}: see pool requisite list.`);
  });

  it("that could not be opened need attention, until they are added again", async () => {
    await db.run({ text: "update receiving_accounts set enabled = false" });
    const { projectId } = await aProject(db, "live");
    const code = await addAccount();
    const id = await addCard(code);
    await db.run({ text: "update requisites set value = '\\x00' where id = $1", values: [id] });
    expect(await lend(projectId, 900)).toEqual({ kind: "none" });
    const attention = await tillgate("attention");
    expect(attention.printed).toContain(
      `Requisite ${id} (220000******7891) of account ${code} was switched off: it cannot be opened: it was tampered with → tillgate pool requisite list ${code}`,
    );
    const found = JSON.parse((await tillgate("attention", "--json")).printed);
    expect(found.faulty_requisites).toMatchObject([{ requisite_id: id, account: code, mask: "220000******7891" }]);
    expect(await print("requisite", "list", code)).toContain("off: it cannot be opened");
    expect(await addCard(code)).toBe(id);
    expect(await lend(projectId, 900)).toMatchObject({ kind: "issued", requisites: { value: PAN } });
    expect(JSON.parse((await tillgate("attention", "--json")).printed).faulty_requisites).toEqual([]);
  });

  it("of an account whose holder was tampered with can be shown once it is set again", async () => {
    const code = await addAccount();
    await db.run({ text: "update receiving_accounts set holder = '\\x00' where code = $1", values: [code] });
    expect(await json("account", "show", code)).toMatchObject({ holder_mask: null, intact: false });
    expect(await print("account", "show", code)).toContain("cannot be opened: set it again");
    expect(await json("account", "set", code, "--holder", HOLDER)).toMatchObject({
      holder_mask: "I*** P***",
      intact: true,
    });
  });
});

describe("pool capacity", () => {
  it("says what is free for a sum, and why the others are not", async () => {
    await db.run({ text: "update receiving_accounts set enabled = false" });
    const { projectId } = await aProject(db, "live");
    const [first, second] = [await addAccount("--priority", "5"), await addAccount("--max", "400")];
    await addCard(first);
    await addCard(second, "2200000000000004");
    const total = async (...words: string[]) => (await print("capacity", ...words)).split("\n").at(-1);
    expect(await total("300", "RUB")).toMatch(/^2 of \d+ free: 2 payers at once could pay 3\.00 RUB now\.$/);
    expect(await lend(projectId, 300)).toMatchObject({ kind: "issued" });
    const text = await print("capacity", "300", "RUB");
    expect(text).toMatch(new RegExp(`${first} +sberbank +5  this sum is reserved by a pay-in that runs`));
    expect(text).toMatch(new RegExp(`${second} +sberbank +0  FREE`));
    expect(text).toMatch(/main-1 +sberbank +0 {2}off/);
    expect(await print("capacity", "401", "RUB")).toContain("above its largest sum, 4.00 RUB");
    const found = await json("capacity", "300", "RUB", "--method", "sbp-p2p");
    expect(found).toMatchObject({ book: "live", amount: 300, method: "sbp-p2p", bank: null, payers_at_once: 0 });
    expect(found.accounts.find((each: { code: string }) => each.code === second)).toEqual({
      ...{ code: second, bank: "sberbank", priority: 0, free: false, obstacle: "no_requisite", until: null },
    });
    expect(await print("capacity", "300", "RUB", "--bank", "vtb")).toMatch(/another bank\n/);
    expect(await total("300", "RUB", "--bank", "vtb", "--method", "card-p2p")).toMatch(/^1 of \d+ free: 1 payer could/);
    expect(await total("300", "USD")).toBe("There are no live receiving accounts in USD: see pool account add.");
    expect(await total("300", "RUB", "--book", "test")).toContain("There are no test receiving accounts in RUB");
    expect(await refusal("capacity", "300", "RUB", "--bank", "no-bank")).toBe(
      "There is no bank no-bank: see bank list.",
    );
  });

  it("names each limit that was met", async () => {
    const { projectId } = await aProject(db, "live");
    await db.run({ text: "update receiving_accounts set enabled = false" });
    const code = await addAccount("--parallel", "1");
    await addCard(code);
    const reference = newId();
    await lend(projectId, 700, reference);
    const now = async (...set: string[]) => {
      await print("account", "set", code, ...set);
      const line = (await print("capacity", "600", "RUB")).split("\n").find((each) => each.startsWith(`${code} `));
      return line?.split(/ {2,}/).at(-1);
    };
    expect(await now("--owner", "x")).toBe("has all the 1 pay-ins that it may have at once");
    expect(await now("--parallel", "none", "--day-count", "1")).toBe("had all the 1 pay-ins of its day");
    expect(await now("--day-count", "none", "--day-sum", "1200")).toBe(
      "would pass its day's sum: 7.00 RUB of 12.00 RUB so far",
    );
    expect(await now("--day-sum", "none", "--cool-down", "600")).toMatch(/^rests until \d{4}-/);
    expect(await now("--cool-down", "0", "--min", "601")).toBe("below its smallest sum, 6.01 RUB");
    const hour = (new Date().getUTCHours() + 3) % 24;
    const hours = `${String(hour).padStart(2, "0")}:00-${String(hour).padStart(2, "0")}:30`;
    expect(await now("--min", "1", "--hours", hours)).toBe(`outside its hours, ${hours} (UTC)`);
    expect(await now("--hours", "always")).toBe("FREE");
    await aDesk(db, keyring).endLending(reference);
    expect(await print("capacity", "700", "RUB")).toMatch(/this sum is reserved until \d{4}-/);
  });
});

it("a live project's payments can go by the pool", async () => {
  const { projectId } = await aProject(db, "live");
  const set = await tillgate(
    "project",
    "set",
    projectId,
    "--route",
    "payin:card-p2p=pool",
    "--route",
    "payout:card-p2p=pool",
  );
  expect([set.exitCode, set.errors]).toEqual([EXIT.done, ""]);
  const shown = JSON.parse((await tillgate("project", "show", projectId, "--json")).printed);
  expect(shown.routes).toEqual([
    { direction: "payin", method: "card-p2p", providers: ["pool"] },
    { direction: "payout", method: "card-p2p", providers: ["pool"] },
  ]);
});
