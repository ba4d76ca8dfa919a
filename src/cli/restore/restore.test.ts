import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import type { Connector } from "../../core/connector.ts";
import { newId } from "../../platform/new-id.ts";
import { aConfiguredProvider } from "../../testing/builders/provider-books.ts";
import { anAccount } from "../../testing/builders/receiving-accounts.ts";
import { useTestDatabase } from "../../testing/database/test-database.ts";
import { openCommandLine, outcomesOf } from "../../testing/program/command-line.ts";
import { APPROVED, aFakeProvider, NEVER_SEEN, open, receipt, UNKNOWN } from "../../testing/rigs/fake-provider.ts";
import { useHandPayoutRig } from "../../testing/rigs/hand-payout-rig.ts";
import { CliFault, EXIT } from "../kit/command.ts";

const database = useTestDatabase();
const { db } = database;
const rig = useHandPayoutRig(database);
const { keyring } = rig;
let provider: Connector | undefined;
const tillgate = openCommandLine(db, undefined, {
  openKeyring: async () => keyring,
  openConnector: async (_db, code) => {
    if (provider === undefined) throw new CliFault(`There is no provider ${code} that an operator configured.`);
    return { ...provider, close: async () => undefined };
  },
});
const { print, json, refusal } = outcomesOf(tillgate);
const DECLARE = ["restore", "declare", "--reason", "snapshot of Monday"];

afterEach(async () => {
  await tillgate("restore", "resume", "--despite", "end of the test");
});

describe("nothing to resume", () => {
  it("check and resume say so, and change nothing", async () => {
    expect(await print("restore", "show")).toBe("No restore is open: nothing is paused for one.");
    for (const command of ["check", "resume"])
      expect(await refusal("restore", command)).toContain("No restore is open");
    expect(await json("restore", "show")).toEqual({ paused: false, restores: [] });
  });
});

it("resume asks for a check, which asks the providers", async () => {
  const first = aFakeProvider("first");
  const payout = await rig.aPayout([first]);
  const { requestId } = payout;
  const { requestId: payin } = await rig.aPayin([first]);
  await rig.workOff();
  expect(await print(...DECLARE, "--written-until", "2026-01-31T10:00:00Z")).toContain("are paused");
  expect(await refusal("restore", "resume")).toBe("The restored database was not checked. Run restore check first.");

  // No line to the provider: no answer.
  provider = undefined;
  const unasked = await tillgate("restore", "check");
  expect(unasked.exitCode).toBe(EXIT.violations);
  expect(unasked.printed).toMatch(/first +2 +2 +unknown 2/);
  expect(unasked.printed).toContain("first did not answer for 2 attempts");
  expect(await refusal("restore", "resume")).toContain("did not pass");

  provider = aFakeProvider("first", { payout: () => APPROVED, payin: () => UNKNOWN });
  expect((await tillgate("restore", "check")).exitCode).toBe(EXIT.violations);

  provider = aFakeProvider("first", { payout: () => NEVER_SEEN, payin: () => open(receipt("r-1", 400)) });
  const report = await json("restore", "check");
  expect(report).toMatchObject({
    known_until: "2026-01-31T10:00:00.000Z",
    report: { passed: true, ledger: { violations: [] } },
  });
  expect(report.report.providers).toEqual([
    { provider: "first", asked: 2, unanswered: 0, answers: { money_arrived: 1, never_seen: 1 } },
  ]);
  const news = report.report.news.map((each: Record<string, unknown>) => [each.request_id, each.answer]);
  expect(Object.fromEntries(news)).toEqual({ [requestId]: "never_seen", [payin]: "money_arrived" });
  // It changes no payment.
  expect(await rig.find(payout)).toMatchObject({ state: "processing:payout_process" });
  expect(await print("restore", "show")).toMatch(/passed/);
  expect(await print("restore", "resume")).toContain("go on");
  const { restores } = await json("restore", "show");
  expect(restores[0]).toMatchObject({ why: "declared", resumed_by: "olga", passed: true, despite: null });
});

it("what was declared again must be checked again", async () => {
  provider = aFakeProvider("first");
  await print(...DECLARE);
  await print("restore", "check");
  await print(...DECLARE);
  expect(await refusal("restore", "resume")).toContain("not checked");
  expect(await print("restore", "resume", "--despite", "it was the same backup")).toContain("go on");
  const { restores } = await json("restore", "show");
  expect(restores[0]).toMatchObject({ passed: null, despite: "it was the same backup" });
});

describe("what an operator must do is listed", () => {
  it("manual payouts, statements and registers; and exports wait", async () => {
    provider = aFakeProvider("first");
    await aConfiguredProvider(db, "alpha");
    const { code } = await anAccount(db, keyring);
    const { requestId } = await rig.aWaitingPayout();
    await print(...DECLARE);
    expect(await refusal("payout", "export", "--account", code)).toContain("paused");
    const printed = (await tillgate("restore", "check")).printed;
    expect(printed).toContain(requestId);
    expect(printed).toContain(`statement import FILE --account ${code}`);
    expect(printed).toContain("reconcile provider alpha FILE --since");
    await print("restore", "resume", "--despite", newId());
    const file = join(mkdtempSync(join(tmpdir(), "tillgate-restore-")), "payouts.csv");
    expect(await print("payout", "export", "--account", code, "--file", file)).toContain("1 payout to pay");
  });
});

it.each([
  [["restore", "declare"], "--reason is missing."],
  [[...DECLARE, "--written-until", "yesterday"], "--written-until must be a time"],
  [["restore", "resume", "--despite", " "], "--despite must not be empty."],
])("wrong usage is refused: %j", async (words, sentence) => {
  const { exitCode, errors } = await tillgate(...words);
  expect([exitCode, errors]).toEqual([EXIT.usage, expect.stringContaining(sentence)]);
});
