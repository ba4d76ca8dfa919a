import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { testKeyring } from "../../testing/builders/projects.ts";
import { anAccount } from "../../testing/builders/receiving-accounts.ts";
import { useTestDatabase } from "../../testing/database/test-database.ts";
import { openCommandLine } from "../../testing/program/command-line.ts";

/** What an operator is told where a statement, or the command, is not what it should be. docs/pool.md has the rest. */
const { db } = useTestDatabase();
const keyring = testKeyring();
const run = openCommandLine(db, undefined, { openKeyring: async () => keyring });
const directory = mkdtempSync(join(tmpdir(), "tillgate-statements-"));
const HEADER = "booked_at,account,amount,currency,reference,payer\n";

beforeAll(async () => {
  await anAccount(db, keyring, { code: "main" });
});
afterAll(() => rmSync(directory, { recursive: true }));

function file(name: string, text: string): string {
  writeFileSync(join(directory, name), text);
  return join(directory, name);
}

describe("statement import", () => {
  it("tells what left from what came, and says what to do about lines that it did not take", async () => {
    const first = file("first.csv", `${HEADER}2026-01-05,main,1.00,RUB,r1,\n2026-01-05,main,-3.00,RUB,f1,fee\n`);
    const { exitCode, printed } = await run("statement", "import", first);
    expect([exitCode, printed]).toEqual([0, expect.stringMatching(/ 3 {2}main {5}-3\.00 RUB {2}f1 .* debit/)]);
    const second = file("second.csv", `${HEADER}2026-01-05,main,2.00,RUB,r1,\n2026-01-05,main,9.00,RUB,,\n`);
    const again = await run("statement", "import", second);
    expect(again.exitCode).toBe(1);
    expect(again.printed).toContain("1 line changed nothing: under the same reference another sum");
    expect(again.printed).toContain("transfer list --reference REFERENCE");
    expect(again.printed).toContain("1 line refused:\n  line 3: the bank's reference is missing\nCorrect these lines");
  });

  it("names the way out of a header that it does not know", async () => {
    const { exitCode, errors } = await run("statement", "import", file("other.csv", "Datum;Summe\n1;2\n"));
    expect(exitCode).toBe(1);
    expect(errors).toContain("save a column mapping (pool account mapping), and name its account with --account");
  });
});

describe("a sum that was mistyped", () => {
  it("is reversed, and then the bank's line is taken in and every line agrees", async () => {
    const { code } = await anAccount(db, keyring);
    const words = ["--account", code, "--booked-at", "2026-01-05T10:00", "--reference", "t1"];
    await run("transfer", "record", ...words, "--amount", "70");
    const day = file("day.csv", `${HEADER}2026-01-05,${code},7.00,RUB,t1,\n`);
    expect((await run("statement", "import", day)).printed).toContain("reverse it with transfer reverse");
    expect((await run("reconcile", code, day, "--closing-balance=700")).exitCode).toBe(4);
    expect((await run("transfer", "reverse", code, "t1", "--reason", "mistyped")).exitCode).toBe(0);
    expect((await run("reconcile", code, day, "--closing-balance=700")).printed).toContain("1 missing here");
    expect((await run("statement", "import", day)).exitCode).toBe(0);
    const agreed = await run("reconcile", code, day, "--closing-balance=700");
    expect([agreed.exitCode, agreed.printed]).toEqual([0, expect.stringContaining("Every line agrees.")]);
    expect((await run("ledger", "check")).exitCode).toBe(0);
  });
});

describe("reconcile", () => {
  it("says of each kind of difference what to do", async () => {
    const lines = [
      "2026-01-05,main,2.00,RUB,r1,",
      "2026-01-06,main,-3.00,RUB,f1,",
      ...["2026-01-05,main,4.00,RUB,r3,", "2026-01-05,main,4.00,RUB,r3,"],
    ];
    const whole = file("whole.csv", `${HEADER}${lines.join("\n")}\n`);
    const { exitCode, printed } = await run("reconcile", "main", whole, "--closing-balance=-100");
    expect(exitCode).toBe(4);
    expect(printed).toContain(
      "4 lines of 2026-01-05 to 2026-01-06. 1 missing here, 1 amount differs, 1 doubled, 1 other day.",
    );
    for (const kind of ["missing here", "amount differs", "doubled", "other day"])
      expect(printed).toContain(`\n${kind}: `);
    expect(printed).not.toContain("\nmissing there: ");
  });

  it("of a statement without lines compares nothing until it knows the days", async () => {
    const empty = file("empty.csv", HEADER);
    const { exitCode, printed } = await run("reconcile", "main", empty);
    expect(exitCode).toBe(1);
    expect(printed).toBe(
      "The file has no line and no balance of this account, so nothing was compared: name its days with --from and --to.",
    );
    const named = await run("reconcile", "main", empty, "--from", "2026-01-05");
    expect([named.exitCode, named.printed]).toEqual([
      4,
      expect.stringContaining("0 lines of 2026-01-05. 2 missing there."),
    ]);
  });
});

it("transfer record says where to look when the reference is taken", async () => {
  const words = ["--account", "main", "--amount", "300", "--reference", "r1", "--booked-at", "2026-01-05"];
  const { exitCode, errors } = await run("transfer", "record", ...words);
  expect([exitCode, errors]).toEqual([
    1,
    expect.stringContaining("see transfer list --reference. Nothing was changed."),
  ]);
});

describe("transfer explain", () => {
  it("takes a bank's charge off the list of what nobody explains, once", async () => {
    const fees = file("fees.csv", `${HEADER}2026-01-07,main,-5.00,RUB,fee-7,\n2026-01-07,main,6.00,RUB,in-7,\n`);
    await run("statement", "import", fees);
    const explain = (reference: string) => run("transfer", "explain", "main", reference, "--reason", "monthly fee");
    const words = "5.00 RUB that left main were charged by the bank: monthly fee.";
    expect(await explain("fee-7")).toMatchObject({ exitCode: 0, printed: words });
    expect(await explain("fee-7")).toMatchObject({
      exitCode: 0,
      printed: `This was said before, and nothing was changed: ${words}`,
    });
    expect((await run("transfer", "list", "--outcome", "unexplained")).printed).not.toContain("fee-7");
    expect((await run("transfer", "list", "--outcome", "cost")).printed).toContain("fee-7");
    const [fee] = await db.run<{ sum: bigint }>({
      text: "select sum(amount)::bigint as sum from entries where account = 'fees' and kind = 'cost'",
    });
    expect(fee?.sum).toBe(-500n);
    for (const [reference, sentence] of [
      ["in-7", "This transfer is already explained: in suspense: no pay-in matches. Nothing was changed."],
      ["none", "No transfer of this account is known by that reference: see transfer list. Nothing was changed."],
    ] as const) {
      expect(await explain(reference)).toMatchObject({ exitCode: 1, errors: sentence });
    }
    expect(await run("transfer", "explain", "main", "fee-7")).toMatchObject({ exitCode: 2 });
  });
});
