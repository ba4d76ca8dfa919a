import { describe, expect, it } from "vitest";
import type { Id } from "../../core/ids.ts";
import type { Book } from "../../core/merchants/book.ts";
import { completePayout } from "../../pool/app/complete-payout.ts";
import { recordLines } from "../../pool/app/record-lines.ts";
import { reverseBankLine } from "../../pool/app/reverse-bank-line.ts";
import type { PaymentKey } from "../../store/payments/payments.ts";
import { aPayin, aPayout, CONFIRMED, ISSUED, receive } from "../../testing/builders/payments.ts";
import { aProject, minor, RUB } from "../../testing/builders/projects.ts";
import { anAccount } from "../../testing/builders/receiving-accounts.ts";
import { useTestDatabase } from "../../testing/database/test-database.ts";
import { useHandPayoutRig } from "../../testing/rigs/hand-payout-rig.ts";
import { moveSuspense, reverseMove } from "../../testing/rigs/with-pool.ts";
import { shortIt, variants } from "../../testing/run/run-form.ts";
import { settlePayment } from "../payments/settle-payment.ts";
import { adjustBalance } from "./adjust-balance.ts";

/** One bank reference proves one movement of money of a book. */
const database = useTestDatabase();
const { db } = database;
const rig = useHandPayoutRig(database);
const { keyring } = rig;

const words = { reason: "seen in the statement", actor: "olga" };
let made = 0;
const newReference = () => {
  made += 1;
  return `FT-${made}`;
};

async function projectOf(book: Book): Promise<Id> {
  return (await aProject(db, book)).projectId;
}

async function lateMoney(book: Book): Promise<PaymentKey> {
  const key = await aPayin(db, [...ISSUED, { kind: "cancelled" }], { projectId: await projectOf(book) });
  await receive(db, key, 1000);
  return key;
}

type Taking = (reference: string, book: Book) => Promise<{ readonly ok: boolean }>;

const settle = ({ requestId }: PaymentKey, reference: string, through?: string) =>
  settlePayment(db, { requestId, reference, ...words, ...(through === undefined ? {} : { through }) });

async function adjust(direction: "credit" | "debit", reference: string, book: Book) {
  const projectId = await projectOf(book);
  const command = { projectId, currency: RUB, amount: minor(1000), ...words };
  if (direction === "debit") await adjustBalance(db, { ...command, direction: "credit", reference: newReference() });
  return adjustBalance(db, { ...command, direction, reference });
}

shortIt("is free for the right entry once the wrong one was reversed", async () => {
  const { projectId, requestId } = await lateMoney("live");
  const reference = newReference();
  const target = { kind: "to_balance", projectId } as const;
  await moveSuspense(db, { requestId, amount: minor(1000), target, reference, ...words });
  const payin = await aPayin(db, CONFIRMED, { projectId: await projectOf("live") });
  expect(await settle(payin, reference)).toMatchObject({ ok: false });
  expect(await reverseMove(db, { requestId, reference, ...words })).toMatchObject({ ok: true });
  expect(await settle(payin, reference)).toMatchObject({ ok: true });
});

shortIt("of a recorded bank line is free once that was reversed, though its receipt stays", async () => {
  const account = await anAccount(db, keyring);
  const reference = newReference();
  const at = new Date();
  const line = {
    account,
    reference,
    direction: "credit",
    currency: RUB,
    amount: minor(777),
    payer: undefined,
  } as const;
  const booked = { kind: "instant", from: at, to: at } as const;
  await recordLines({ db, keyring }, [{ ...line, booked, byOperator: true }], "olga");
  const payin = await aPayin(db, CONFIRMED, { projectId: await projectOf("live") });
  expect(await settle(payin, reference)).toMatchObject({ ok: false });
  expect(await reverseBankLine(db, { account, reference, ...words })).toMatchObject({ ok: true });
  expect(await settle(payin, reference)).toMatchObject({ ok: true });
});

/** Everything that an operator can say with a bank's reference, each for a project of its own. */
const WAYS: Record<string, Taking> = {
  "a pay-in, by hand": async (reference, book) =>
    settle(await aPayin(db, CONFIRMED, { projectId: await projectOf(book) }), reference),
  "a pay-in whose money was seen": async (reference, book) => {
    const key = await aPayin(db, CONFIRMED, { projectId: await projectOf(book) });
    await receive(db, key, 400);
    return settle(key, reference);
  },
  "a payout, by hand": async (reference, book) =>
    settle(await aPayout(db, ["claimed", "timed_out"], { projectId: await projectOf(book) }), reference, "manual"),
  "a payout, through its provider": async (reference, book) =>
    settle(await aPayout(db, ["claimed", "timed_out"], { projectId: await projectOf(book) }), reference),
  "a credit": (reference, book) => adjust("credit", reference, book),
  "a debit": (reference, book) => adjust("debit", reference, book),
  "money out of suspense to a balance": async (reference, book) => {
    const { projectId, requestId } = await lateMoney(book);
    const target = { kind: "to_balance", projectId } as const;
    return moveSuspense(db, { requestId, amount: minor(1000), target, reference, ...words });
  },
  "money out of suspense sent back": async (reference, book) => {
    const { requestId } = await lateMoney(book);
    const target = { kind: "return", through: "manual" } as const;
    return moveSuspense(db, { requestId, amount: minor(1000), target, reference, ...words });
  },
  "a bank line, recorded by hand": async (reference, book) => {
    const account = await anAccount(db, keyring, { book });
    const at = new Date();
    const line = { reference, direction: "credit", currency: RUB, amount: minor(1000), payer: undefined } as const;
    const booked = { kind: "instant", from: at, to: at } as const;
    const [recorded] = await recordLines({ db, keyring }, [{ account, ...line, booked, byOperator: true }], "olga");
    return { ok: recorded?.kind === "recorded" };
  },
};

const NAMES = Object.keys(WAYS);
const PAIRS = NAMES.flatMap((first) => NAMES.map((second) => [first, second, newReference()] as const));
/** Each way after itself, and after the one before it in the list. */
const isNext = (first: string, second: string) =>
  [0, 1].includes((NAMES.indexOf(second) - NAMES.indexOf(first) + NAMES.length) % NAMES.length);
const CASES = variants(
  PAIRS.filter(([first, second]) => isNext(first, second)),
  PAIRS.filter(([first, second]) => !isNext(first, second)),
);

describe("one reference is good for one movement of a book", () => {
  it.each(CASES)("%s, and then %s of another project", async (first, second, reference) => {
    expect(await WAYS[first]?.(reference, "test")).toMatchObject({ ok: true });
    // Two lines of two accounts of our own may have the same name: each bank counts for itself.
    const isOfTwoBanks = [first, second].every((way) => way === "a bank line, recorded by hand");
    expect((await WAYS[second]?.(reference, "test"))?.ok).toBe(isOfTwoBanks);
  });

  shortIt.each(NAMES)("%s is refused under the reference of a payout that was made by hand", async (way) => {
    const account = await anAccount(db, keyring, { book: "live" });
    const reference = newReference();
    const { requestId } = await rig.aWaitingPayout();
    const command = { requestId, account: account.code, reference, booked: undefined, actor: "olga" };
    expect(await completePayout(db, command)).toMatchObject({ ok: true, value: { changed: true } });
    expect(await completePayout(db, command)).toMatchObject({ ok: true, value: { changed: false } });
    expect((await WAYS[way]?.(reference, "live"))?.ok).toBe(false);
  });

  shortIt(
    "refuses to complete a payout under a reference that settled another payment, and changes nothing",
    async () => {
      const account = await anAccount(db, keyring, { book: "live" });
      const reference = newReference();
      expect(await adjust("credit", reference, "live")).toMatchObject({ ok: true });
      const key = await rig.aWaitingPayout();
      const command = { requestId: key.requestId, account: account.code, reference, booked: undefined, actor: "olga" };
      expect(await completePayout(db, command)).toEqual({ ok: false, error: { kind: "reference_used" } });
      expect(await rig.find(key)).toMatchObject({ state: "processing:payout_process" });
    },
  );

  shortIt("of many at once, in as many projects, one settles", async () => {
    const reference = newReference();
    const keys: PaymentKey[] = [];
    for (let n = 0; n < 6; n += 1) keys.push(await aPayin(db, CONFIRMED, { projectId: await projectOf("test") }));
    const results = await Promise.all(keys.map((key) => settle(key, reference)));
    expect(results.filter(({ ok }) => ok)).toHaveLength(1);
    for (const result of results.filter(({ ok }) => !ok))
      expect(result).toEqual({ ok: false, error: { kind: "reference_taken" } });
  });
});

shortIt("test and live are two books, each with its own references", async () => {
  const reference = newReference();
  expect(await adjust("credit", reference, "test")).toMatchObject({ ok: true });
  expect(await adjust("credit", reference, "live")).toMatchObject({ ok: true });
});

shortIt("a reference that settled nothing is free for what it names", async () => {
  const reference = newReference();
  const declined = await aPayin(db, [...ISSUED, { kind: "cancelled" }]);
  expect(await settle(declined, reference)).toMatchObject({ ok: false, error: { kind: "refused" } });
  expect(await settle(await aPayin(db, CONFIRMED), reference)).toMatchObject({ ok: true });
});

shortIt(
  "the name of money that a provider told of for another payment is taken, and for the same payment it is not",
  async () => {
    const [paid, other] = [await aPayin(db, ISSUED), await aPayin(db, CONFIRMED)];
    const reference = newReference();
    await receive(db, paid, 1000, reference);
    expect(await settle(other, reference)).toEqual({ ok: false, error: { kind: "reference_taken" } });
    const seen = newReference();
    await receive(db, other, 400, seen);
    expect(await settle(other, seen)).toMatchObject({ ok: true, value: { amount: 400n } });
  },
);

shortIt("what one command did is done once, and its repeat is harmless", async () => {
  const projectId = await projectOf("test");
  const command = {
    projectId,
    currency: RUB,
    amount: minor(5),
    direction: "credit",
    reference: newReference(),
  } as const;
  expect(await adjustBalance(db, { ...command, ...words })).toMatchObject({ ok: true, value: { repeated: false } });
  expect(await adjustBalance(db, { ...command, ...words })).toMatchObject({ ok: true, value: { repeated: true } });
  await expect(db.run({ text: "update operator_references set reference = 'x'" })).rejects.toThrow();
});
