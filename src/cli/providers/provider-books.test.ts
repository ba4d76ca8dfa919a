import { mkdtempSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { readProviderBalances } from "../../app/providers/read-books.ts";
import type { ProviderEntry } from "../../core/connector.ts";
import { referenceOf } from "../../testing/builders/payments.ts";
import { minor, RUB } from "../../testing/builders/projects.ts";
import { aBalance, aConfiguredProvider, aTheirBank, fakeBooks } from "../../testing/builders/provider-books.ts";
import { useTestDatabase } from "../../testing/database/test-database.ts";
import { openCommandLine, outcomesOf } from "../../testing/program/command-line.ts";
import { APPROVED, aFakeProvider } from "../../testing/rigs/fake-provider.ts";
import { useWorkerRig } from "../../testing/rigs/worker-rig.ts";
import { EXIT } from "../kit/command.ts";

const database = useTestDatabase();
const { db } = database;
const rig = useWorkerRig(database);
const books = fakeBooks();
let input = "";
let closed = 0;
const close = async () => {
  closed += 1;
};
const tillgate = openCommandLine(db, undefined, {
  readInput: async () => input,
  openConnector: async (_db, code) => ({ ...aFakeProvider(code), books, close }),
});
const { print, json, refusal } = outcomesOf(tillgate);

const TODAY = new Date().toISOString().slice(0, 10);
const DAYS = ["--since", "2020-01-01", "--until", "2100-01-01"];
const directory = mkdtempSync(join(tmpdir(), "tillgate-books-"));
const said = new Map<string, ProviderEntry>();
let sent = "";
let other = "";

beforeAll(async () => {
  const code = await aConfiguredProvider(db, "alpha");
  const connector = aFakeProvider(code, { send: () => APPROVED });
  const keys = [await rig.aPayout([connector]), await rig.aPayout([connector], { amount: 2500 })];
  await rig.workOff();
  [sent = "", other = ""] = await Promise.all(keys.map((key) => referenceOf(db, key)));
  books.entry = (reference) => said.get(reference) ?? { kind: "unknown" };
});

function entry(amount: number, status: "success" | "open" = "success"): ProviderEntry {
  return { kind: "entry", status, word: status, amount: minor(amount), currency: RUB, fee: undefined };
}

describe("provider balances", () => {
  it("says what there is, when it was read, and since when it is not told", async () => {
    await aConfiguredProvider(db, "beta");
    const log = rig.deps.log;
    await readProviderBalances({ db, log }, "alpha", fakeBooks({ balances: [aBalance(123_450, 50)] }));
    await readProviderBalances({ db, log }, "beta", fakeBooks({ balances: undefined }));
    const table = await print("provider", "balances");
    expect(table).toMatch(/^alpha +1234\.50 RUB +0\.50 RUB +- +20/m);
    expect(table).toMatch(/^beta +- +- +- +- +since 20/m);
    expect(await json("provider", "balances")).toMatchObject([
      { provider: "alpha", currency: "RUB", amount: 123450, locked_amount: 50, waiting: null, failing_since: null },
      { provider: "beta", currency: null, amount: null, read_at: null, failing_since: expect.any(String) },
    ]);
  });
});

describe("provider banks", () => {
  it("lists pairs, what is ambiguous and what is not matched; a file decides", async () => {
    for (const name of ["Primary Bank", "Secondary Bank", "Tertiary Bank"])
      await print("bank", "add", "--name", name, "--country", "KZ");
    expect(await print("provider", "banks", "alpha")).toContain("The list of alpha was never read. 0 pairs.");
    books.banks = [
      aTheirBank("one", "Primary Bank", undefined, "KZ"),
      aTheirBank("two-a", "Secondary Bank", undefined, "KZ"),
      aTheirBank("two-b", "Secondary Bank", undefined, "KZ"),
      aTheirBank("alone", "Evil\u202e Bank", undefined, "KZ"),
    ];
    closed = 0;
    const shown = await print("provider", "banks", "refresh", "alpha");
    expect(closed).toBe(1);
    expect(shown).toMatch(/^primary-bank +one +name +Primary Bank +Primary Bank$/m);
    expect(shown).toContain("Ambiguous, not used:\n  by name: ours secondary-bank; theirs two-a, two-b");
    expect(shown).toMatch(/Ours that are not matched:.*\n {2}tertiary-bank \(Tertiary Bank\)/s);
    expect(shown).toContain("Theirs that are not matched:\n  alone (Evil\ufffd Bank)");

    input = "ours,theirs\nsecondary-bank,two-b\ntertiary-bank,two-a\n";
    expect(await print("provider", "banks", "alpha", "--map", "-")).toBe("2 pairs from the file, 2 pairs changed.");
    expect(await json("provider", "banks", "alpha")).toMatchObject({
      pairs: [
        { ours: "primary-bank", theirs: "one", source: "name" },
        { ours: "secondary-bank", theirs: "two-b", source: "file" },
        { ours: "tertiary-bank", theirs: "two-a", source: "file" },
      ],
      ambiguous: [],
      unmatched_ours: expect.arrayContaining(["sberbank"]),
      unmatched_theirs: ["alone"],
    });
    input = "ours,theirs\nsecondary-bank,none\nnone,two-a\n";
    expect(await refusal("provider", "banks", "alpha", "--map", "-")).toBe(
      'Nothing was changed:\n  line 2: the provider lists no bank "none"\n  line 3: there is no bank "none" here',
    );
  });

  it("says that a provider does not answer, or is not there", async () => {
    books.banks = undefined;
    expect(await tillgate("provider", "banks", "refresh", "alpha")).toMatchObject({ exitCode: EXIT.unavailable });
    expect((await tillgate("provider", "banks", "gamma")).errors).toContain('There is no provider "gamma".');
    expect(await refusal("provider", "banks", "pool")).toContain("pool is part of Tillgate");
  });
});

describe("reconcile provider", () => {
  const register = (name: string, text: string | Buffer) => {
    const path = join(directory, name);
    writeFileSync(path, text);
    return path;
  };

  it("a register that agrees ends with 0, and one that differs with 4", async () => {
    const lines = (sum: string) => `ID;STATE;SUM\n${sent};DONE;10.00\n${other};DONE;${sum}\n`;
    const options = ["--columns", "payment_id=ID,status=STATE,amount=SUM", "--statuses", "success=DONE"];
    const compare = (path: string, ...more: string[]) =>
      tillgate("reconcile", "provider", "alpha", path, ...DAYS, ...options, "--decimal", "--currency", "RUB", ...more);
    const agrees = await compare(register("agrees.csv", lines("25.00")));
    expect([agrees.exitCode, agrees.errors]).toEqual([EXIT.done, ""]);
    expect(agrees.printed).toContain("2 payments through alpha");
    expect(agrees.printed).toContain("All that was compared agrees.");
    expect(agrees.printed).toMatch(/^theirs +0 +0\.00 RUB +2 +35\.00 RUB +0\.00 RUB +-35\.00 RUB$/m);
    expect(agrees.printed).toContain("The sums agree.");

    const differs = await compare(register("differs.csv", `${lines("24.99")}x;DONE;1\n`), "--json");
    expect(differs.exitCode).toBe(EXIT.violations);
    expect(JSON.parse(differs.printed)).toMatchObject({
      difference_counts: { missing_here: 1, missing_there: 0, other_amount: 1, other_status: 0 },
      differences: [
        { kind: "other_amount", line: 3, reference: other, theirs: { amount: "2499" }, ours: { amount: "2500" } },
        { kind: "missing_here", line: 4, reference: "x", ours: null },
      ],
      totals: [{ currency: "RUB", undirected: { count: 1, amount: "100" }, difference: "1" }],
    });
    expect(await compare(register("empty.csv", ""))).toMatchObject({
      exitCode: EXIT.refused,
      errors: expect.stringContaining("The file has no header."),
    });
    const refused = await compare(register("refused.csv", `${lines("25.00")}y;LOST;1\n`));
    expect(refused.exitCode).toBe(EXIT.violations);
    expect(refused.printed).toContain('1 line could not be compared:\n  line 4: the status "LOST" is not known');
  });

  it("says of a file in another encoding how to name that", async () => {
    const path = register("cyrillic.csv", Buffer.from([0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2]));
    const { exitCode, errors } = await tillgate("reconcile", "provider", "alpha", path, ...DAYS);
    expect([exitCode, errors]).toEqual([
      EXIT.refused,
      expect.stringContaining("If it is in Windows-1251, give --encoding windows-1251."),
    ]);
  });

  it("takes the register of another Tillgate as the account writes it", async () => {
    const header = "request_id,payment_id,type,status,sub_status,currency,amount,fee";
    const row = (reference: string, sum: string) => `x,${reference},payout,success,,RUB,${sum},0.00`;
    const text = [header, row(sent, "10.00"), row(other, "25.00"), row("z", "1.00")].join("\n");
    const path = register("export.csv", text);
    const result = await tillgate("reconcile", "provider", "alpha", path, "--day", TODAY, "--decimal", "--json");
    expect(JSON.parse(result.printed)).toMatchObject({
      difference_counts: { missing_here: 1 },
      totals: [{ theirs: { payouts: { count: 3, amount: "3600" } }, difference: "-100" }],
    });
  });

  it("leaves a file alone that was named for the answers by mistake", async () => {
    const path = register("secret.txt", "sk_one-line-without-its-end");
    const options = ["--from", "api", ...DAYS, "--progress", path];
    expect(await refusal("reconcile", "provider", "alpha", ...options)).toContain("it is no answer of alpha");
    expect(readFileSync(path, "utf8")).toBe("sk_one-line-without-its-end");
  });

  it("asks the provider, keeps the answers, and goes on where it was", async () => {
    const progress = join(directory, "answers.jsonl");
    const compare = () => tillgate("reconcile", "provider", "alpha", "--from", "api", ...DAYS, "--progress", progress);
    said.set(sent, entry(1000));
    const first = await compare();
    expect(first.exitCode).toBe(EXIT.unavailable);
    expect(first.printed).toContain(`1 payment not answered by the provider`);
    expect(first.printed).toContain(`\n  ${other}`);
    expect(statSync(progress).mode & 0o777).toBe(0o600);
    // A process that was killed left half a line.
    writeFileSync(progress, '{"provider":"al', { flag: "a" });
    books.asked.length = 0;
    said.set(other, entry(2500));
    expect(await compare()).toMatchObject({ exitCode: EXIT.done });
    expect(books.asked).toEqual([`payout ${other}`]);
    said.clear();
    expect(await compare()).toMatchObject({ exitCode: EXIT.done });
    expect(readFileSync(progress, "utf8").trim().split("\n")).toHaveLength(2);
    const wrong = await tillgate("reconcile", "provider", "beta", "--from", "api", ...DAYS, "--progress", progress);
    expect(wrong).toMatchObject({ exitCode: EXIT.refused, errors: expect.stringContaining("line 1") });
  });

  it.each([
    [["alpha"], "Give --day DAY"],
    [["alpha", "--day", TODAY], "Give either FILE, or --from api."],
    [["alpha", "f.csv", "--from", "api", "--day", TODAY], "Give either FILE, or --from api."],
    [["alpha", "--from", "bank", "--day", TODAY], "--from must be api."],
    [["alpha", "--from", "api", "--day", "2026-02-30"], "--day must be"],
    [["alpha", "--from", "api", "--day", TODAY, "--until", TODAY], "Give either --day, or --since and --until."],
    [["alpha", "--from", "api", "--since", TODAY, "--until", TODAY], "--until must be after --since."],
    [["alpha", "--from", "api", "--day", TODAY, "--decimal"], "--decimal says how a file is read"],
    [["alpha", "f.csv", "--day", TODAY, "--progress", "p"], "--progress is for --from api."],
    [["alpha", "f.csv", "--day", TODAY, "--columns", "id=ID"], "--columns must be such as"],
    [["alpha", "f.csv", "--day", TODAY, "--statuses", "paid=PAID"], "--statuses must be such as"],
  ])("%j is not understood", async (words, sentence) => {
    const { exitCode, errors } = await tillgate("reconcile", "provider", ...words);
    expect([exitCode, errors]).toEqual([EXIT.usage, expect.stringContaining(sentence)]);
  });
});
