import { beforeAll, expect, it } from "vitest";
import { EXIT } from "../../cli/kit/command.ts";
import { testKeyring } from "../../testing/builders/projects.ts";
import { aConfiguredProvider } from "../../testing/builders/provider-books.ts";
import { anAccount } from "../../testing/builders/receiving-accounts.ts";
import { useTestDatabase } from "../../testing/database/test-database.ts";
import { openCommandLine, outcomesOf } from "../../testing/program/command-line.ts";
import { openPoolRig, type ReportedAccount } from "../../testing/rigs/pool-rig.ts";

/** Funds of a provider that leave one of our receiving accounts or reach it: the bank's line and the operator's word are one movement. */
const { db } = useTestDatabase();
const keyring = testKeyring();
const rig = openPoolRig(db, keyring);
const tillgate = openCommandLine(db, undefined, { openKeyring: async () => keyring });
const { print, json } = outcomesOf(tillgate);
let main: ReportedAccount;

beforeAll(async () => {
  await aConfiguredProvider(db, "gate");
  main = await anAccount(db, keyring, { code: "main" });
  await anAccount(db, keyring, { code: "trial", book: "test" });
});

const fund = (direction: "in" | "out", amount: number, reference: string, through = "pool-main") =>
  [
    ...["provider", "funds", "gate", `--${direction}`, String(amount), "--currency", "RUB"],
    ...["--reference", reference, "--through", through],
  ] as const;

const report = (direction: "credit" | "debit", amount: number, reference: string) =>
  rig.record([{ account: main, reference, amount, direction, at: new Date() }]);

const why = ["--reason", "wrong provider"] as const;

/** What each of the house's accounts holds. */
async function sums(): Promise<Record<string, number>> {
  const rows = await db.run<{ account: string; sum: string }>({
    text: "select account, sum(amount)::text as sum from entries group by account having sum(amount) <> 0",
  });
  return Object.fromEntries(rows.map(({ account, sum }) => [account, Number(sum)]));
}

/** The lines of the account under a reference that count. */
async function linesOf(reference: string): Promise<unknown[]> {
  const { transfers } = (await json("transfer", "list", "--reference", reference)) as {
    transfers: { outcome: string; direction: string; reversed_at: string | null }[];
  };
  return transfers
    .filter((line) => line.reversed_at === null)
    .map(({ direction, outcome }) => `${direction} ${outcome}`);
}

/** By how much a flow changed each account. */
async function changes(flow: () => Promise<unknown>): Promise<Record<string, number>> {
  const before = await sums();
  await flow();
  const after = await sums();
  const accounts = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return Object.fromEntries(
    accounts
      .map((account) => [account, (after[account] ?? 0) - (before[account] ?? 0)] as const)
      .filter(([, change]) => change !== 0),
  );
}

it("a top-up that the operator records first is the debit that the bank reports later", async () => {
  const changed = await changes(async () => {
    await print(...fund("in", 500, "IN-1"));
    expect(await report("debit", 500, "IN-1")).toMatchObject([{ kind: "known" }]);
  });
  expect(changed).toEqual({ "clearing:gate": -500, "clearing:pool-main": 500 });
  expect(await linesOf("IN-1")).toEqual(["debit funds"]);
});

it("a top-up that the bank reports first was an unexplained debit, and is explained", async () => {
  const changed = await changes(async () => {
    expect(await report("debit", 600, "IN-2")).toMatchObject([{ outcome: "unexplained" }]);
    const other = await tillgate(...fund("in", 601, "IN-2"));
    expect([other.exitCode, other.errors]).toEqual([
      EXIT.refused,
      "Reference IN-2 names another transfer of that receiving account already. Nothing was changed.",
    ]);
    await print(...fund("in", 600, "IN-2"));
    expect(await json(...fund("in", 600, "IN-2"))).toMatchObject({ repeated: true, through: "pool-main" });
  });
  expect(changed).toEqual({ "clearing:gate": -600, "clearing:pool-main": 600 });
});

it("reversed, it is unexplained again", async () => {
  await report("debit", 650, "IN-3");
  const changed = await changes(async () => {
    await print(...fund("in", 650, "IN-3"));
    await print("provider", "funds", "reverse", "gate", "--reference", "IN-3", ...why);
  });
  expect(changed).toEqual({});
  expect(await linesOf("IN-3")).toEqual(["debit unexplained"]);
  await print(...fund("in", 650, "IN-3"));
  expect(await linesOf("IN-3")).toEqual(["debit funds"]);
});

it("a withdrawal that the operator records first is the credit that the bank reports later, and not suspense", async () => {
  const changed = await changes(async () => {
    await print(...fund("out", 700, "OUT-1"));
    expect(await report("credit", 700, "OUT-1")).toMatchObject([{ kind: "known" }]);
  });
  expect(changed).toEqual({ "clearing:gate": 700, "clearing:pool-main": -700 });
});

it("a withdrawal that the bank reports first is in suspense, and leaves it for the provider", async () => {
  const changed = await changes(async () => {
    const [line] = await report("credit", 800, "OUT-2");
    if (line?.kind !== "recorded" || line.requestId === null) throw new Error("it is in suspense");
    const refused = await tillgate(...fund("out", 800, "OUT-2"));
    expect([refused.exitCode, refused.errors]).toEqual([
      EXIT.refused,
      expect.stringContaining("it is in suspense: suspense return REQUEST_ID --through gate."),
    ]);
    const words = ["--amount", "800", "--through", "gate", "--reference", "OUT-2", "--reason", "settlement"];
    await print("suspense", "return", line.requestId, ...words);
  });
  expect(changed).toEqual({ "clearing:gate": 800, "clearing:pool-main": -800 });
});

it("transfer reverse takes the record with the line, and both can be entered again", async () => {
  const changed = await changes(async () => {
    await print(...fund("out", 90, "OUT-3"));
    await print("transfer", "reverse", "main", "OUT-3", ...why);
    expect((await tillgate("transfer", "reverse", "main", "OUT-3", ...why)).exitCode).toBe(EXIT.refused);
    const again = await tillgate("provider", "funds", "reverse", "gate", "--reference", "OUT-3", ...why);
    expect(again.exitCode).toBe(EXIT.refused);
  });
  expect(changed).toEqual({});
  expect(await linesOf("OUT-3")).toEqual([]);
  await print(...fund("out", 900, "OUT-3"));
});

it("what a receiving account's bank reported is not recorded once more as manual", async () => {
  await report("debit", 20, "IN-4");
  expect((await tillgate(...fund("in", 20, "IN-4", "manual"))).exitCode).toBe(EXIT.refused);
});

it("counts once what the bank reports and an operator records at the same time", async () => {
  const changed = await changes(async () => {
    await Promise.all([report("debit", 33, "IN-5"), print(...fund("in", 33, "IN-5"))]);
  });
  expect(changed).toEqual({ "clearing:gate": -33, "clearing:pool-main": 33 });
});

it.each([
  ["an account that is not there", "pool-none", EXIT.refused],
  ["an account of the other book", "pool-trial", EXIT.refused],
  ["the pool without an account", "pool", EXIT.usage],
  ["another provider", "sandbox", EXIT.usage],
])("refuses %s", async (_what, through, exitCode) => {
  const changed = await changes(async () => {
    expect((await tillgate(...fund("in", 5, "BAD", through))).exitCode).toBe(exitCode);
  });
  expect(changed).toEqual({});
});

it("refuses an account in another currency", async () => {
  const words = ["provider", "funds", "gate", "--in", "5", "--currency", "KZT", "--reference", "BAD"];
  expect((await tillgate(...words, "--through", "pool-main")).exitCode).toBe(EXIT.refused);
});
