import { describe, expect, it } from "vitest";
import { newId } from "../../platform/new-id.ts";
import type { PaymentKey } from "../../store/payments/payments.ts";
import { anAccount } from "../../testing/builders/receiving-accounts.ts";
import { useTestDatabase } from "../../testing/database/test-database.ts";
import { useHandPayoutRig } from "../../testing/rigs/hand-payout-rig.ts";
import { exportPayouts } from "./export-payouts.ts";
import { failPayout } from "./fail-payout.ts";

const rig = useHandPayoutRig(useTestDatabase());
const { db, keyring, aWaitingPayout, byHandOf, codeOf, find, importDebits, sumOf } = rig;

const UNEXPLAINED = { outcome: "unexplained", requestId: null };
const paid = ({ requestId }: PaymentKey) => ({ outcome: "payout", requestId });

/** Every test has its own accounts, and nothing of the ones before it is handed out. */
async function anEmptyAccount() {
  await db.run({ text: "update hand_payouts set outcome = 'declined', ended_at = now() where outcome is null" });
  return anAccount(db, keyring);
}

async function handOut(account: { readonly code: string }) {
  const command = { exportId: newId(), account: account.code, currency: undefined, limit: 100, actor: "olga" };
  expect(await exportPayouts({ db, keyring }, command)).toMatchObject({ ok: true });
}

describe("a debit that names a payout", () => {
  it("is that payout, handed out or not, whatever the bank makes of the code", async () => {
    const account = await anEmptyAccount();
    const keys = [await aWaitingPayout(), await aWaitingPayout(), await aWaitingPayout()] as const;
    const [one, two, three] = keys;
    const results = await importDebits(
      account,
      { reference: "n-1", payer: `Payment ${codeOf(one).toLowerCase()}` },
      { reference: `${codeOf(two)} of today` },
      { reference: "n-3", payer: codeOf(three).replace("-", " ") },
    );
    expect(results).toMatchObject(keys.map(paid));
    for (const key of keys) {
      expect(await rig.look(key)).toMatchObject({ state: "success" });
      expect(await byHandOf(key)).toMatchObject({ outcome: "approved", accountCode: account.code, endedBy: "olga" });
      expect(await sumOf(key, `clearing:pool-${account.code}`)).toBe(1000n);
    }
  });

  it("of another sum, of another book, or a second time is nobody's", async () => {
    const account = await anEmptyAccount();
    const ofTest = await anAccount(db, keyring, { book: "test" });
    const key = await aWaitingPayout();
    await handOut(account);
    const payer = codeOf(key);
    expect(await importDebits(account, { reference: "o-1", payer, amount: 900 })).toMatchObject([UNEXPLAINED]);
    expect(await importDebits(ofTest, { reference: "o-2", payer })).toMatchObject([UNEXPLAINED]);
    expect(await find(key)).toMatchObject({ state: "processing:payout_process" });
    const twice = await importDebits(account, { reference: "o-3", payer }, { reference: "o-4", payer });
    expect(twice).toMatchObject([paid(key), UNEXPLAINED]);
    expect(await importDebits(account, { reference: "o-5", payer })).toMatchObject([UNEXPLAINED]);
    expect(await sumOf(key, `clearing:pool-${account.code}`)).toBe(1000n);
  });

  it("that was declared failed and declined is a shortfall, once", async () => {
    const account = await anEmptyAccount();
    const key = await aWaitingPayout();
    const command = {
      requestId: key.requestId,
      outcome: "declined",
      reason: "no",
      certain: false,
      actor: "olga",
    } as const;
    await failPayout(db, command);
    await rig.workOff();
    expect(await find(key)).toMatchObject({ state: "decline" });
    const payer = codeOf(key);
    expect(await importDebits(account, { reference: "l-1", payer }, { reference: "l-2", payer })).toMatchObject([
      paid(key),
      UNEXPLAINED,
    ]);
    expect(await rig.look(key)).toMatchObject({ state: "decline", shortfallAt: expect.any(Date) });
    expect(await sumOf(key, "shortfall")).toBe(-1000n);
  });
});

describe("a debit that names nothing", () => {
  it("is the only payout of its sum that was handed out for its account", async () => {
    const [account, another] = [await anEmptyAccount(), await anAccount(db, keyring)];
    const [key, other] = [await aWaitingPayout(), await aWaitingPayout({ amount: 2_000 })];
    expect(await importDebits(account, { reference: "s-0" })).toMatchObject([UNEXPLAINED]);
    const before = new Date();
    await handOut(account);
    expect(await importDebits(another, { reference: "s-1" })).toMatchObject([UNEXPLAINED]);
    expect(await importDebits(account, { reference: "s-2", bookedAt: before })).toMatchObject([UNEXPLAINED]);
    expect(
      await importDebits(account, { reference: "s-3", amount: 2_000 }, { reference: "s-4", payer: "TG-000000000000" }),
    ).toMatchObject([paid(other), paid(key)]);
    expect(await importDebits(account, { reference: "s-5" })).toMatchObject([UNEXPLAINED]);
  });

  it("is nobody's where two payouts could be meant, or two debits mean one", async () => {
    const account = await anEmptyAccount();
    const [one, two] = [await aWaitingPayout(), await aWaitingPayout()];
    const lonely = await aWaitingPayout({ amount: 3_000 });
    await handOut(account);
    expect(await importDebits(account, { reference: "a-1" })).toMatchObject([UNEXPLAINED]);
    const same = { amount: 3_000 };
    expect(await importDebits(account, { reference: "a-2", ...same }, { reference: "a-3", ...same })).toMatchObject([
      UNEXPLAINED,
      UNEXPLAINED,
    ]);
    // The one that is named is no question, and then only one is left for the other.
    const named = { reference: "a-4", payer: codeOf(lonely), ...same };
    expect(await importDebits(account, { reference: "a-5", ...same }, named)).toMatchObject([
      UNEXPLAINED,
      paid(lonely),
    ]);
    expect(await importDebits(account, { reference: "a-6", payer: codeOf(one) })).toMatchObject([paid(one)]);
    expect(await importDebits(account, { reference: "a-7" })).toMatchObject([paid(two)]);
  });

  it("is nobody's while another payout of its sum may have left", async () => {
    const account = await anEmptyAccount();
    const [doubtful, waiting] = [await aWaitingPayout(), await aWaitingPayout()];
    await handOut(account);
    const command = { requestId: doubtful.requestId, reason: "no", certain: false, actor: "olga" };
    await failPayout(db, { ...command, outcome: "may_have_left" });
    expect(await importDebits(account, { reference: "m-1" })).toMatchObject([UNEXPLAINED]);
    await failPayout(db, { ...command, outcome: "declined", certain: true });
    expect(await importDebits(account, { reference: "m-2" })).toMatchObject([paid(waiting)]);
  });
});
