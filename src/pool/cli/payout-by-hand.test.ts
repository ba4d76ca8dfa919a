import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { EXIT } from "../../cli/kit/command.ts";
import { anAccount } from "../../testing/builders/receiving-accounts.ts";
import { useTestDatabase } from "../../testing/database/test-database.ts";
import { openCommandLine, outcomesOf } from "../../testing/program/command-line.ts";
import { useHandPayoutRig } from "../../testing/rigs/hand-payout-rig.ts";

const rig = useHandPayoutRig(useTestDatabase());
const { db, keyring, aWaitingPayout, importDebits } = rig;
const tillgate = openCommandLine(db, undefined, { openKeyring: async () => keyring });
const { print, refusal } = outcomesOf(tillgate);
const directory = mkdtempSync(join(tmpdir(), "tillgate-payouts-"));
afterAll(() => rmSync(directory, { recursive: true }));

const PAN = "4242424242424242";

it("a day of somebody who pays by hand", async () => {
  const account = await anAccount(db, keyring);
  const { code } = account;
  const [one, two, three] = [await aWaitingPayout(), await aWaitingPayout(), await aWaitingPayout()];
  expect(await print("attention")).toBe("Nothing needs attention.");
  await db.run({ text: "update hand_payouts set created_at = created_at - interval '2 hours'" });
  expect(await print("attention")).toBe(
    "3 payments, 30.00 RUB, to be paid by hand, the oldest waiting for 2 h → tillgate payout list --waiting",
  );
  const list = await print("payout", "list", "--waiting");
  expect(list).toMatch(
    new RegExp(`${one.requestId} +${rig.codeOf(one)} +2 h +10.00 RUB +424242\\*{6}4242 .* no$`, "m"),
  );
  expect(list).not.toContain(PAN);
  expect(await print("payment", "show", one.requestId)).toMatch(
    /^waits for +a person to pay it, for 2 h: payout complete/m,
  );

  const file = join(directory, "payouts.csv");
  const said = await print("payout", "export", "--account", code, "--limit", "2", "--file", file);
  expect(said).toContain(`: 2 payouts to pay from ${code}, in ${file}. To repeat this export: tillgate payout export`);
  expect(said).not.toContain(PAN);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readFileSync(file, "utf8")).toBe(
    [
      "purpose,receiver_type,receiver,bank,sbp_code,name,amount,currency,request_id",
      `${rig.codeOf(one)},card,${PAN},,,,10.00,RUB,${one.requestId}`,
      `${rig.codeOf(two)},card,${PAN},,,,10.00,RUB,${two.requestId}`,
      "",
    ].join("\r\n"),
  );
  // A file that is there is never written over, and nothing is handed out for it.
  expect(await refusal("payout", "export", "--account", code, "--file", file)).toContain("it is there already");
  const exportId = /Export (\w+):/.exec(said)?.[1] ?? "";
  const again = await tillgate("payout", "export", "--again", exportId, "--file", "-");
  expect(again).toMatchObject({ exitCode: EXIT.done, errors: expect.stringContaining("2 payouts") });
  expect(`${again.printed}\r\n`).toBe(readFileSync(file, "utf8"));
  expect(await print("payout", "list", "--waiting")).toMatch(
    new RegExp(`${two.requestId} .* olga +${code} +${exportId}$`, "m"),
  );
  expect(JSON.parse(await print("payment", "show", two.requestId, "--json")).by_hand).toMatchObject({
    ...{ waiting: true, account: code, exported_by: "olga", export_id: exportId, outcome: null },
  });

  const paid = ["payout", "complete", one.requestId, "--account", code, "--reference", "77-1"];
  expect(await print(...paid, "--booked-at", "2026-01-31")).toBe(
    `Payout ${one.requestId} of 10.00 RUB left from ${code}: it is success now.`,
  );
  expect(await print(...paid)).toBe(`Payout ${one.requestId} was already completed this way, and nothing was changed.`);
  expect(await db.run({ text: "select booked_day::text as day from bank_lines where reference = '77-1'" })).toEqual([
    { day: "2026-01-31" },
  ]);
  expect(await refusal("payout", "complete", one.requestId, "--account", code, "--reference", "77-2")).toBe(
    `It was completed before: from account ${code}, under reference 77-1. Nothing was changed.`,
  );
  expect(await refusal("payout", "fail", two.requestId, "--reason", "r")).toMatch(
    /^olga exported it for account .* Make sure that it was not paid, then add --certain\. Nothing was changed\.$/,
  );
  expect(await print("payout", "fail", two.requestId, "--reason", "the card is closed", "--receiver-wrong")).toContain(
    "has a wrong receiver",
  );
  await rig.workOff();
  expect(await print("payment", "show", two.requestId)).toMatch(
    /^by hand +the receiver's details are wrong, said olga .*: the card is closed$/m,
  );
  expect(await refusal("payment", "settle", two.requestId, "--reference", "x", "--reason", "r")).toContain(
    "payout complete",
  );
  expect(await print("payout", "fail", three.requestId, "--reason", "no money")).toContain("was not paid");
  await rig.workOff();
  expect(await rig.find(three)).toMatchObject({ state: "decline" });

  await importDebits(account, { reference: "fees of the bank", amount: 300 });
  expect(await print("attention")).toContain(
    "1 debit, 3.00 RUB, of own accounts explained by no payout, the oldest for 0 s → tillgate transfer list --outcome unexplained",
  );
  expect(await print("transfer", "list", "--outcome", "unexplained")).toMatch(
    new RegExp(`${code} +-3.00 RUB +fees of the bank`, "m"),
  );
  expect(await print("payout", "list", "--waiting")).toBe("There are none.");
  const none = join(directory, "none.csv");
  expect(await print("payout", "export", "--account", code, "--file", none)).toBe("No payout is waiting for export.");
  expect(() => statSync(none)).toThrow("ENOENT");
});

it.each([
  [["payout", "list", "--waiting", "--state", "success"], "--waiting does not go with --state."],
  [["payout", "list", "--waiting", "--all"], "--waiting does not go with --all."],
  [["payout", "export"], "--account is missing."],
  [["payout", "export", "--again", "0".repeat(32), "--limit", "1"], "--again does not go with --limit."],
  [["payout", "complete", "0".repeat(32), "--account", "a"], "--reference is missing."],
  [["payout", "fail", "0".repeat(32)], "--reason is missing."],
  [
    ["payout", "fail", "0".repeat(32), "--reason", "r", "--receiver-wrong", "--may-have-left"],
    "Give --receiver-wrong or --may-have-left, not both.",
  ],
])("%j is not understood", async (words, sentence) => {
  const { exitCode, errors } = await tillgate(...words);
  expect([exitCode, errors.split("\n")[0]]).toEqual([EXIT.usage, sentence]);
});
