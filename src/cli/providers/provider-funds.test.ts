import { beforeAll, describe, expect, it } from "vitest";
import { aProject, minor, RUB } from "../../testing/builders/projects.ts";
import { aConfiguredProvider } from "../../testing/builders/provider-books.ts";
import { useTestDatabase } from "../../testing/database/test-database.ts";
import { openCommandLine, outcomesOf } from "../../testing/program/command-line.ts";
import { listViolations, moveFunds, reverseFunds } from "../../testing/rigs/with-pool.ts";
import { EXIT } from "../kit/command.ts";

/** Money that an operator moves to a provider or from it: recorded once, balanced, and reversible. */
const { db } = useTestDatabase();
const tillgate = openCommandLine(db);
const { print, json } = outcomesOf(tillgate);

beforeAll(async () => {
  await aConfiguredProvider(db, "gate");
  await aConfiguredProvider(db, "trial", "test");
});

const fund = (name: string, direction: "in" | "out", amount: number, reference: string) =>
  ["provider", "funds", name, `--${direction}`, String(amount), "--currency", "RUB", "--reference", reference] as const;

/** What the provider holds for us by the ledger. */
async function heldBy(code: string): Promise<number> {
  const lines = (await json("ledger", "clearing")) as { provider: string; ours: number }[];
  return lines.find(({ provider }) => provider === code)?.ours ?? 0;
}

async function countRows(): Promise<unknown> {
  const [row] = await db.run({
    text: `select (select count(*) from provider_funds) as funds, (select count(*) from transfers) as transfers,
                  (select count(*) from operator_references) as "references", (select count(*) from projects) as projects`,
  });
  return row;
}

describe("provider funds", () => {
  it("records a top-up and a withdrawal in the provider's book, so that clearing follows", async () => {
    expect(await print(...fund("trial", "in", 5000, "T-1"), "--note", "for payouts")).toBe(
      "50.00 RUB added to your balance at trial, reference T-1.",
    );
    expect(await heldBy("trial")).toBe(5000);
    expect(await json(...fund("trial", "out", 1200, "T-2"))).toEqual({
      funds_id: expect.stringMatching(/^[0-9a-f]{32}$/),
      provider: "trial",
      direction: "out",
      amount: 1200,
      currency: "RUB",
      through: "manual",
      reference: "T-2",
      note: null,
      repeated: false,
    });
    expect(await heldBy("trial")).toBe(3800);
    const transfers = await db.run({
      text: `select p.book, t.from_account as "from", t.to_account as "to", t.amount, t.kind
               from transfers t join projects p on p.id = t.project_id where t.kind = 'fund' order by t.amount desc`,
    });
    expect(transfers).toEqual([
      { book: "test", from: "clearing:trial", to: "clearing:manual", amount: 5000n, kind: "fund" },
      { book: "test", from: "clearing:manual", to: "clearing:trial", amount: 1200n, kind: "fund" },
    ]);
    expect(await json("provider", "funds", "trial")).toMatchObject([
      { direction: "in", amount: 5000, reference: "T-1", note: "for payouts", actor: "olga", reversed_at: null },
      { direction: "out", amount: 1200, reference: "T-2", note: null },
    ]);
    expect(await print("provider", "funds", "trial")).toContain("for payouts");
  });

  it("changes nothing when it is repeated, and refuses the reference for another movement", async () => {
    await print(...fund("gate", "in", 700, "R-1"));
    const before = await countRows();
    expect(await json(...fund("gate", "in", 700, "R-1"))).toMatchObject({ amount: 700, repeated: true });
    const others = [fund("gate", "in", 701, "R-1"), fund("gate", "out", 700, "R-1")];
    for (const words of others) {
      const { exitCode, errors } = await tillgate(...words);
      expect([exitCode, errors]).toEqual([
        EXIT.refused,
        "Reference R-1 names another movement of money already. Nothing was changed.",
      ]);
    }
    expect(await countRows()).toEqual(before);
    expect(await heldBy("gate")).toBe(700);
  });

  it("shares references with every other command of the book, and not with the other book", async () => {
    const { projectId } = await aProject(db, "live");
    const credit = (reference: string) =>
      ["balance", "credit", projectId, "10", "RUB", "--reference", reference, "--reason", "x"] as const;
    await print(...credit("BANK-7"));
    const before = await countRows();
    expect((await tillgate(...fund("gate", "in", 10, "BANK-7"))).exitCode).toBe(EXIT.refused);
    expect(await countRows()).toEqual(before);
    expect((await tillgate(...fund("trial", "in", 10, "BANK-7"))).exitCode).toBe(EXIT.done);
    await print(...fund("gate", "in", 10, "BANK-8"));
    expect((await tillgate(...credit("BANK-8"))).exitCode).toBe(EXIT.refused);
  });

  it("counts once what two operators record at the same time", async () => {
    const command = {
      provider: "gate",
      direction: "in",
      currency: RUB,
      through: "manual",
      note: null,
      actor: "olga",
    } as const;
    const held = await heldBy("gate");
    const same = { ...command, amount: minor(30), reference: "RACE-1" };
    const both = await Promise.all([moveFunds(db, same), moveFunds(db, same)]);
    expect(both.map((each) => each.ok && each.value.repeated).sort()).toEqual([false, true]);
    const sums = [minor(40), minor(50)].map((amount) => moveFunds(db, { ...command, amount, reference: "RACE-2" }));
    expect((await Promise.all(sums)).filter(({ ok }) => ok)).toHaveLength(1);
    expect([70, 80]).toContain((await heldBy("gate")) - held);
  });

  const wrong: readonly (readonly [string, readonly string[]])[] = [
    ["both directions", ["gate", "--in", "1", "--out", "1", "--currency", "RUB", "--reference", "W"]],
    ["no direction", ["gate", "--currency", "RUB", "--reference", "W"]],
    ["a note alone", ["gate", "--note", "x"]],
    ["zero", ["gate", "--in", "0", "--currency", "RUB", "--reference", "W"]],
    ["a negative amount", ["gate", "--in=-5", "--currency", "RUB", "--reference", "W"]],
    ["major units", ["gate", "--in", "1.50", "--currency", "RUB", "--reference", "W"]],
    ["too much", ["gate", "--in", "10000000000001", "--currency", "RUB", "--reference", "W"]],
    ["no currency", ["gate", "--in", "1", "--reference", "W"]],
    ["an unknown currency", ["gate", "--in", "1", "--currency", "rub", "--reference", "W"]],
    ["no reference", ["gate", "--in", "1", "--currency", "RUB"]],
    ["an empty reference", ["gate", "--in", "1", "--currency", "RUB", "--reference", " "]],
    ["an unknown provider", ["gates", "--in", "1", "--currency", "RUB", "--reference", "W"]],
    ["an unknown provider's list", ["gates"]],
  ];
  it.each(wrong)("refuses %s and changes nothing", async (_what, words) => {
    const before = await countRows();
    expect((await tillgate("provider", "funds", ...words)).exitCode).toBe(EXIT.usage);
    expect(await countRows()).toEqual(before);
  });

  it("refuses the providers of the program, which hold no balance of ours", async () => {
    expect((await tillgate(...fund("pool", "in", 1, "W"))).exitCode).toBe(EXIT.refused);
    expect((await tillgate(...fund("sandbox", "in", 1, "W"))).exitCode).toBe(EXIT.refused);
  });
});

describe("provider funds reverse", () => {
  const reverse = (reference: string) =>
    ["provider", "funds", "reverse", "gate", "--reference", reference, "--reason", "wrong amount"] as const;

  it("puts the money back, and frees the reference for the right movement", async () => {
    const held = await heldBy("gate");
    await print(...fund("gate", "out", 90, "S-1"));
    expect(await print(...reverse("S-1"))).toBe(
      "Reversed: 0.90 RUB withdrawn from your balance at gate, reference S-1.",
    );
    expect(await heldBy("gate")).toBe(held);
    const again = await tillgate(...reverse("S-1"));
    expect([again.exitCode, again.errors]).toEqual([
      EXIT.refused,
      expect.stringMatching(/^It was reversed before, by olga at .*\. Nothing was changed\.$/),
    ]);
    await print(...fund("gate", "out", 900, "S-1"));
    expect(await heldBy("gate")).toBe(held - 900);
  });

  it("refuses what was never recorded", async () => {
    const { exitCode, errors } = await tillgate(...reverse("S-none"));
    expect([exitCode, errors]).toEqual([
      EXIT.refused,
      "No funds of gate have reference S-none: see provider funds gate. Nothing was changed.",
    ]);
  });

  it("reverses once, however many operators do so at the same time", async () => {
    await print(...fund("gate", "in", 60, "S-2"));
    const held = await heldBy("gate");
    const command = { provider: "gate", reference: "S-2", reason: "slip", actor: "olga" };
    const both = await Promise.all([reverseFunds(db, command), reverseFunds(db, command)]);
    expect(both.filter(({ ok }) => ok)).toHaveLength(1);
    expect(await heldBy("gate")).toBe(held - 60);
  });
});

describe("what the database and the ledger check hold on to", () => {
  it.each(["delete from provider_funds", "update provider_funds set amount = 1"])("%s is refused", async (text) => {
    await expect(db.run({ text })).rejects.toMatchObject({ code: "23001" });
  });

  it.each([
    "update provider_funds set amount = amount + 1",
    "update provider_funds set through = 'pool-main'",
    "update provider_funds set reversed_at = now()",
  ])("names funds_differ after: %s", async (text) => {
    const undo = new Error("undo");
    let rules: string[] = [];
    const corrupting = db.transaction(async (tx) => {
      await tx.run({ text: "set local session_replication_role = replica" });
      await tx.run({ text });
      rules = (await listViolations(tx)).map(({ rule }) => rule);
      throw undo;
    });
    await expect(corrupting).rejects.toBe(undo);
    expect(new Set(rules)).toEqual(new Set(["funds_differ"]));
  });
});
