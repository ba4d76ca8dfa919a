import { expect, it } from "vitest";
import { EXIT } from "../../cli/kit/command.ts";
import type { Id } from "../../core/ids.ts";
import { testKeyring } from "../../testing/builders/projects.ts";
import { anAccount } from "../../testing/builders/receiving-accounts.ts";
import { useTestDatabase } from "../../testing/database/test-database.ts";
import { openCommandLine, outcomesOf } from "../../testing/program/command-line.ts";
import { revealPayers } from "../app/reveal-payers.ts";

const { db } = useTestDatabase();
const keyring = testKeyring();
const tillgate = openCommandLine(db, undefined, { openKeyring: async () => keyring });
const { print, json } = outcomesOf(tillgate);
const NAME = "PETR PETROV";
const REVEAL = ["--reveal-payer", "--reason", "whose money is it"];

let made = 0;

/** A bank line that arrived, and what the bank says of who sent it. */
async function aLine(payer?: string): Promise<string> {
  const { code } = await anAccount(db, keyring);
  made += 1;
  const reference = `FT-${made}`;
  const said = payer === undefined ? [] : ["--payer", payer];
  await print("transfer", "record", "--account", code, "--amount", "77700", "--reference", reference, ...said);
  return reference;
}

async function countReveals(): Promise<number> {
  const [row] = await db.run<{ count: number }>({ text: "select count(*)::int as count from payer_reveals" });
  return row?.count ?? 0;
}

it("is shown to an operator who says why, and who saw it is kept", async () => {
  const reference = await aLine(NAME);
  const list = ["transfer", "list", "--reference", reference];
  expect(await print(...list)).not.toContain("PETROV");
  expect(JSON.stringify(await json(...list))).not.toContain("PETROV");
  expect(await countReveals()).toBe(0);
  expect(await print(...list, ...REVEAL)).toMatch(new RegExp(`OTHER SIDE\n.* ${reference} .*  ${NAME}$`));
  expect((await json(...list, ...REVEAL)).transfers).toMatchObject([{ reference, payer: NAME, payer_readable: true }]);
  const shown = { actor: "olga", reference, reason: "whose money is it" };
  const { reveals } = await json("transfer", "reveals", "--reference", reference);
  expect(reveals).toMatchObject([shown, shown]);
  const text = await print("transfer", "reveals", "--limit", "1");
  expect(text).toMatch(
    new RegExp(
      `^WHEN .*\n\\S+Z +olga +acc-\\d+ +${reference} +whose money is it\n\nThere are more: .*${reveals[0].id}$`,
    ),
  );
  expect(await print("transfer", "reveals", "--until", "2026-01-31")).toBe("There are none.");
  const rows = await db.run<{ row: string }>({ text: "select r::text as row from payer_reveals r" });
  expect(rows.map(({ row }) => row).join()).not.toContain("PETROV");
});

it("is shown with long numbers in part, and without what could disguise a line", async () => {
  const reference = await aLine("Перевод с карты 4276 1234 5678 9010");
  const [transfer] = (await json("transfer", "list", "--reference", reference, ...REVEAL)).transfers;
  expect(transfer.payer).toMatch(/^Перевод с карты 427612\*+9010\**$/);
  expect(await print("transfer", "list", "--reference", reference, ...REVEAL)).not.toContain("5678");
});

it("where there is none, or it was changed, nothing is shown and nothing is recorded", async () => {
  const before = await countReveals();
  const nameless = await aLine();
  expect((await json("transfer", "list", "--reference", nameless, ...REVEAL)).transfers).toMatchObject([
    { payer: null, payer_readable: true },
  ]);
  // Of another line, whose row it is bound to.
  const [one, other] = [await aLine(NAME), await aLine("ANNA A.")];
  await db.run({ text: "alter table bank_lines disable trigger user" });
  await db.run({
    text: "update bank_lines set payer = (select payer from bank_lines where reference = $1) where reference = $2",
    values: [one, other],
  });
  await db.run({ text: "alter table bank_lines enable trigger user" });
  const moved = await print("transfer", "list", "--reference", other, ...REVEAL);
  expect(moved).toContain("cannot be opened");
  expect(moved).not.toContain("PETROV");
  expect(await countReveals()).toBe(before);
});

it("is not returned where it cannot be recorded who saw it", async () => {
  const reference = await aLine(NAME);
  const [row] = await db.run<{ id: Id }>({
    text: "select id from bank_lines where reference = $1",
    values: [reference],
  });
  const ask = (reason: string) => revealPayers({ db, keyring }, [row?.id as Id], { actor: "olga", reason });
  await expect(ask("")).rejects.toMatchObject({ constraint: "payer_reveals_reason_check" });
  expect([...(await ask("asked")).values()]).toEqual([{ kind: "shown", payer: NAME }]);
  await expect(db.run({ text: "update payer_reveals set actor = 'nobody'" })).rejects.toThrow("is forbidden");
  await expect(db.run({ text: "delete from payer_reveals" })).rejects.toThrow("is forbidden");
  await expect(db.run({ text: "truncate payer_reveals" })).rejects.toThrow("is forbidden");
});

it.each([
  [["--reveal-payer"], "--reason is missing."],
  [["--reason", "why"], "--reason goes with --reveal-payer."],
  [["--reveal-payer", "--reason", " "], "--reason must not be empty."],
  [[...REVEAL, "--limit", "51"], "--reveal-payer takes at most --limit 50."],
])("transfer list %j is not understood", async (words, sentence) => {
  const { exitCode, printed, errors } = await tillgate("transfer", "list", ...words);
  expect([exitCode, printed]).toEqual([EXIT.usage, ""]);
  expect(errors).toContain(sentence);
});
