import { beforeAll, describe, expect, it } from "vitest";
import type { Id } from "../../core/ids.ts";
import { newId } from "../../platform/new-id.ts";
import { heartbeat } from "../../store/processes/processes.ts";
import { saveProviderHealth } from "../../store/providers/provider-health.ts";
import { aProject } from "../../testing/builders/projects.ts";
import { useTestDatabase } from "../../testing/database/test-database.ts";
import { openCommandLine, outcomesOf } from "../../testing/program/command-line.ts";

const { db } = useTestDatabase();
let input = "";
const tillgate = openCommandLine(db, undefined, { readInput: async () => input });
const { print, json, refusal } = outcomesOf(tillgate);
let projectId: Id;

async function addProvider(code: string): Promise<void> {
  await db.run({
    text: `insert into providers (code, kind, book, base_url) values ($1, 'upstream', 'live', 'https://up.example')`,
    values: [code],
  });
}

const TRY = ["--direction", "payin", "--method", "card-ecom", "--amount", "150000", "--currency", "RUB"];
const tryRoute = (...words: string[]) => json("route", "try", projectId, ...TRY, ...words);
const setRoute = (route: string) => print("project", "set", projectId, "--route", `payin:card-ecom=${route}`);

beforeAll(async () => {
  ({ projectId } = await aProject(db, "live"));
  for (const code of ["acme", "zenit", "backup"]) await addProvider(code);
  await print("project", "set", projectId, "--method", "payin:card-ecom:RUB", "--enable");
});

describe("route try", () => {
  it("says that there is no route", async () => {
    expect(await tryRoute()).toMatchObject({ choice: null, outcome: "refused", entries: [] });
    expect(await print("route", "try", projectId, ...TRY)).toContain("The project has no route for this.");
  });

  it("judges every entry, and leaves nothing behind", async () => {
    await setRoute("acme[amount<=100000],zenit[country=RU],backup");
    const before = await db.run({ text: "select count(*)::int as count from payments" });
    const tried = await tryRoute("--bin", "427901");
    expect(tried).toEqual({
      choice: "backup",
      outcome: "provider",
      entries: [
        {
          rank: 1,
          entry: "acme[amount<=100000]",
          provider: "acme",
          passed_over: "the amount is above 100000",
          share: null,
        },
        {
          rank: 2,
          entry: "zenit[country=RU]",
          provider: "zenit",
          passed_over: "the country is not known",
          share: null,
        },
        { rank: 3, entry: "backup", provider: "backup", passed_over: null, share: null },
      ],
      notes: ["No list of BINs was imported: no condition on a card's country or bank holds. See bin import."],
    });
    expect(await db.run({ text: "select count(*)::int as count from payments" })).toEqual(before);
  });

  it("knows a card by the list of BINs", async () => {
    input = "prefix,country,bank\n427901,RU,\n42790155,KZ,sberbank\n";
    expect(await print("bin", "import", "-")).toBe("2 BINs imported.");
    expect(await tryRoute("--bin", "427901")).toMatchObject({
      choice: "zenit",
      notes: ["The card was issued in RU by no bank that we know."],
    });
    expect(await tryRoute("--bin", "42790155")).toMatchObject({ choice: "backup" });
    expect(await tryRoute("--bin", "555555")).toMatchObject({ choice: "backup" });
    expect(await json("bin", "show", "427901")).toEqual([
      { prefix: "427901", country: "RU", bank: null },
      { prefix: "42790155", country: "KZ", bank: "sberbank" },
    ]);
    input = "prefix,country,bank\n4279,RU,\n";
    expect(await refusal("bin", "import", "-")).toBe("Nothing was imported:\n  line 2: prefix must be 6 to 8 digits");
    expect(await print("bin", "show", "427901")).toContain("42790155");
    // What the next list leaves out is not known any more.
    input = "prefix,country,bank\n427901,KZ,\n";
    expect(await json("bin", "import", "-")).toEqual({ imported: 1 });
    expect(await json("bin", "show", "427901")).toEqual([{ prefix: "427901", country: "KZ", bank: null }]);
  });

  it("tells the shares, and by an id the provider that this payment gets", async () => {
    await setRoute("acme*3+zenit,backup");
    const shared = await tryRoute();
    expect(shared).toMatchObject({
      choice: null,
      outcome: "shared",
      entries: [{ share: 0.75 }, { share: 0.25 }, { share: null }],
    });
    const { choice } = await tryRoute("--payment-id", "order-1");
    expect(["acme", "zenit"]).toContain(choice);
    expect(await tryRoute("--payment-id", "order-1")).toMatchObject({ choice });
    expect(await print("route", "try", projectId, ...TRY)).toContain("Choice: acme or zenit, by the payment's id");
  });

  it("passes over what is paused or broken; a card does not wait", async () => {
    await setRoute("acme,zenit");
    await print("pause", "provider", "acme", "--reason", "x");
    const processId = newId();
    await heartbeat(db, processId, "worker");
    const figures = { calls: 5, refused: 0, lost: 5, p50Ms: 10_000, p95Ms: 10_000, since: new Date() };
    await saveProviderHealth(db, [{ provider: "zenit", processId, state: "open", ...figures }]);
    expect(await tryRoute()).toMatchObject({
      outcome: "refused",
      entries: [{ passed_over: "it is paused" }, { passed_over: "its breaker is open in 1 of 1 processes" }],
    });
    expect(await print("provider", "health")).toMatch(/zenit +[0-9a-f]{32} +open/);
    await print("resume", "provider", "acme");
    expect(await tryRoute()).toMatchObject({ choice: "acme" });
  });
});

describe("project set --route", () => {
  it("shows what was set, in words and as JSON", async () => {
    await setRoute("acme*70[amount<=100000 currency=RUB]+zenit*30,backup");
    expect(await print("project", "show", projectId)).toContain("acme*70[amount<=100000 currency=RUB]+zenit*30,backup");
    expect((await json("project", "show", projectId)).routes).toEqual([
      {
        ...{ direction: "payin", method: "card-ecom", providers: ["acme", "zenit", "backup"] },
        entries: [
          { provider: "acme", rank: 1, weight: 70, when: { max_amount: 100000, currencies: ["RUB"] } },
          { provider: "zenit", rank: 1, weight: 30, when: null },
          { provider: "backup", rank: 2, weight: 1, when: null },
        ],
      },
    ]);
  });

  it.each([
    ["payin:card-ecom=acme[bank=nobank]", "There is no bank nobank: see bank list. Nothing was changed."],
    ["payin:card-ecom=acme[currency=USD]", "No payin by card-ecom can meet currency=USD. Nothing was changed."],
    ["payin:card-p2p=acme[country=RU]", "No payin by card-p2p can meet country=RU. Nothing was changed."],
    ["payin:card-ecom=acme+pool", "pool cannot serve payin:card-ecom. Nothing was changed."],
  ])("%s is refused", async (route, sentence) => {
    expect(await refusal("project", "set", projectId, "--route", route)).toBe(sentence);
  });

  it("names the place of a fault in the text", async () => {
    const { errors } = await tillgate("project", "set", projectId, "--route", "payin:card-ecom=acme*70,zenit");
    expect(errors).toContain(
      "--route payin:card-ecom: character 5 after the =: a weight is for providers that share a place: put + between them.",
    );
  });
});
