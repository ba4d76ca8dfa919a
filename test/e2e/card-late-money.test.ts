import { afterEach, describe, expect, it } from "vitest";
import { adjustBalance } from "../../src/app/ledger/adjust-balance.ts";
import { declinePayment, settlePayment } from "../../src/app/payments/settle-payment.ts";
import type { Currency } from "../../src/core/currency.ts";
import type { Id } from "../../src/core/ids.ts";
import { AMOUNT_MAX, type Minor } from "../../src/core/money.ts";
import { newId } from "../../src/platform/new-id.ts";
import { listBalances } from "../../src/store/ledger/balances.ts";
import { hintByReference } from "../../src/store/payments/claims.ts";
import { firstReferenceOf } from "../../src/testing/builders/payments.ts";
import { useTestDatabase } from "../../src/testing/database/test-database.ts";
import { useTestService } from "../../src/testing/service/test-service.ts";
import { goThroughPage, openForward } from "./card-payer.ts";
import { AMOUNT, type Books, type ShownPayment, SOON, stateOf, useCardShop } from "./card-shop.ts";

const database = useTestDatabase();
const { db } = database;
const service = useTestService(database);
const shop = useCardShop(database, service);

const FEE = 6_250;
const NOTHING: Books = { available: 0, fees: 0, suspense: 0, clearing: 0, bank: 0 };
const EARNED: Books = { available: AMOUNT - FEE, fees: FEE, suspense: 0, clearing: -AMOUNT, bank: AMOUNT };
const WAITING: Books = { ...NOTHING, suspense: AMOUNT, clearing: -AMOUNT, bank: AMOUNT };
const CARDS = { approved: "4242424242424242", declined: "4000000000000002", silent: "4100401111100062" } as const;
const ALWAYS = { times: "always" } as const;

afterEach(() => shop.clearFaults());

function booksBecome(payment: ShownPayment, books: Books): Promise<void> {
  return expect.poll(() => shop.booksOf(payment), SOON).toEqual(books);
}

async function rowOf<T extends Record<string, unknown>>({ request_id }: ShownPayment, columns: string): Promise<T> {
  const [row] = await db.run<T>({
    text: `select ${columns} from payments where request_id = $1`,
    values: [request_id],
  });
  if (row === undefined) throw new Error("no such payment");
  return row;
}

/** Until the worker has looked once more, by the queue, and left it as it is: a look that a notification brought leaves no trace. */
async function lookedAt(payment: ShownPayment): Promise<void> {
  const { tries } = await rowOf<{ tries: number }>(payment, "tries");
  await hintByReference(db, [{ provider: "sandbox", reference: firstReferenceOf(payment) }]);
  await expect.poll(async () => (await rowOf<{ tries: number }>(payment, "tries")).tries, SOON).toBeGreaterThan(tries);
}

/** An operator's word on it. */
function asOperator({ request_id }: ShownPayment) {
  return { requestId: request_id as Id, reference: newId(), reason: "seen in the statement", actor: "olga" };
}

describe("a charge after the end", () => {
  it.each(["error500_before", "error500_after_success", "garbage", "reset"] as const)(
    "stands in suspense until the provider confirms that it gave it back (%s)",
    async (fault) => {
      await shop.wish("late_approval", 100);
      await shop.spoil("reverse", fault, ALWAYS);
      const payment = await shop.create({ pan: CARDS.declined });
      await shop.until(payment, "decline:provider_declined");
      const isReversedAlready = fault !== "error500_before";
      await booksBecome(payment, { ...WAITING, bank: isReversedAlready ? 0 : AMOUNT });
      await lookedAt(payment);
      expect((await shop.booksOf(payment)).suspense).toBe(AMOUNT);
      await shop.clearFaults();
      await shop.moveClock(60);
      await booksBecome(payment, NOTHING);
      // Told again of what is over, nobody gives it back again.
      await shop.control().tellCharge(firstReferenceOf(payment));
      await lookedAt(payment);
      expect(await shop.booksOf(payment)).toEqual(NOTHING);
      await shop.hears(payment, ["decline:provider_declined"]);
    },
  );

  it("of a payer who finished too late is given back", async () => {
    const created = await shop.create({ pan: "4000000000003220", general: { redirect_url: undefined } });
    const waiting = await shop.until(created, "processing:awaiting_3ds_result");
    await goThroughPage(waiting);
    await shop.moveClock(601);
    await shop.until(waiting, "decline:expired");
    await shop.control().endCharge(firstReferenceOf(waiting), { status: "approved" });
    await expect
      .poll(() => rowOf(waiting, "received_amount, released_at is not null as released"), SOON)
      .toEqual({
        received_amount: BigInt(AMOUNT),
        released: true,
      });
    await booksBecome(waiting, NOTHING);
    // The payer is not told that nothing was taken.
    expect((await openForward(waiting)).text).toContain("the money is given back");
  });
});

describe("a charge that is told again", () => {
  it("is counted once, however often and by however many", async () => {
    for (const kind of ["duplicate", "out_of_order"] as const) {
      await shop.control().addFault({ projectId: shop.projectId(), kind, times: 3 });
    }
    const payment = await shop.create();
    await shop.until(payment, "success");
    await Promise.all(Array.from({ length: 8 }, () => shop.control().tellCharge(firstReferenceOf(payment))));
    await lookedAt(payment);
    expect(await shop.booksOf(payment)).toEqual(EARNED);
    await shop.hears(payment, ["success"]);
  });

  it("as given back after success changes nothing, and somebody is told", async () => {
    const payment = await shop.create();
    await shop.until(payment, "success");
    await shop.control().endCharge(firstReferenceOf(payment), { status: "reversed" });
    await expect
      .poll(
        () =>
          service
            .logLines()
            .filter((line) => line.includes("contradicts how a payment ended") && line.includes(payment.request_id)),
        SOON,
      )
      .not.toEqual([]);
    expect(await shop.booksOf(await shop.until(payment, "success"))).toEqual({ ...EARNED, bank: 0 });
  });
});

describe("a charge of which nobody can say what became", () => {
  /**
   * The provider charges the card, and says nothing of it. The clock is moved after that: the worker's question would
   * otherwise reach the provider beside the charge, before the fault is known to be about it, and be answered.
   */
  async function unknownCharge(): Promise<ShownPayment> {
    await shop.spoil("state", "error500_before", ALWAYS);
    const payment = await shop.create({ pan: CARDS.silent });
    await shop.charged(payment);
    return payment;
  }

  it("stays open past its time, is in dispute after a day, and ends as soon as it is known", async () => {
    const payment = await unknownCharge();
    await shop.moveClock(601);
    await lookedAt(payment);
    expect(stateOf(await shop.info(payment))).toBe("processing:new");
    await shop.moveClock(86_400);
    const disputed = await shop.until(payment, "dispute:confirm_timeout");
    expect(disputed.status_description).toMatch(/did not say in time what became of the charge/);
    expect((await shop.confirm(payment, { cres: "anything" })).status).toBe(200);
    await shop.clearFaults();
    await shop.moveClock(900);
    expect(await shop.booksOf(await shop.until(payment, "success"))).toEqual(EARNED);
    await shop.hears(payment, ["dispute:confirm_timeout", "success"]);
  });

  it("is counted once when an operator confirms it, and the provider tells of it later", async () => {
    const payment = await unknownCharge();
    await shop.moveClock(87_001);
    await shop.until(payment, "dispute:confirm_timeout");
    expect(await settlePayment(db, asOperator(payment))).toMatchObject({ ok: true });
    expect(await shop.booksOf(payment)).toEqual(EARNED);
    await shop.clearFaults();
    await shop.control().tellCharge(firstReferenceOf(payment));
    await lookedAt(payment);
    expect(await shop.booksOf(await shop.until(payment, "success"))).toEqual(EARNED);
  });

  it("that an operator declines is given back when it turns out to be charged", async () => {
    const payment = await unknownCharge();
    await shop.moveClock(87_001);
    await shop.until(payment, "dispute:confirm_timeout");
    expect(await declinePayment(db, asOperator(payment))).toMatchObject({ ok: true });
    await shop.clearFaults();
    await shop.control().tellCharge(firstReferenceOf(payment));
    await booksBecome(payment, NOTHING);
    await shop.until(payment, "decline:operator");
  });

  it("is declined where it was given back before anybody counted it", async () => {
    const payment = await unknownCharge();
    await shop.control().endCharge(firstReferenceOf(payment), { status: "reversed" });
    await shop.clearFaults();
    await shop.moveClock(30);
    expect(await shop.booksOf(await shop.until(payment, "decline:provider_declined"))).toEqual(NOTHING);
  });
});

describe("a charge for another amount", () => {
  const OTHER = AMOUNT + 100;
  const standing: Books = { ...NOTHING, suspense: OTHER, clearing: -OTHER, bank: OTHER };

  async function disputed(): Promise<ShownPayment> {
    await shop.wish("wrong_amount");
    const payment = await shop.until(await shop.create(), "dispute:different_amount");
    expect(await shop.booksOf(payment)).toEqual(standing);
    return payment;
  }

  it("is given back when an operator declines it", async () => {
    const payment = await disputed();
    expect(await declinePayment(db, asOperator(payment))).toMatchObject({ ok: true });
    await shop.until(payment, "decline:operator");
    await booksBecome(payment, NOTHING);
  });

  it("is settled by an operator for what it is", async () => {
    const payment = await disputed();
    expect(await settlePayment(db, asOperator(payment))).toMatchObject({ ok: true });
    const settled = await shop.until(payment, "success");
    expect(settled.payment).toMatchObject({ amount: OTHER, requested_amount: AMOUNT, fee: 6_253, net: 243_847 });
    expect(await shop.booksOf(payment)).toEqual({ ...standing, suspense: 0, available: 243_847, fees: 6_253 });
  });
});

it("a charge that the balance has no room for waits, and is settled when there is room", async () => {
  const currency = "UZS" as Currency;
  const balance = (await listBalances(db, [shop.projectId()])).find((each) => each.currency === currency);
  const room = (AMOUNT_MAX - (balance?.available ?? 0n) - (balance?.locked ?? 0n)) as Minor;
  const adjust = (direction: "credit" | "debit") =>
    adjustBalance(db, {
      ...{ projectId: shop.projectId(), currency, amount: room, direction },
      ...{ reference: newId(), reason: "test", actor: "test" },
    });
  expect(await adjust("credit")).toMatchObject({ ok: true });
  const payment = await shop.create({ currency });
  await shop.until(payment, "processing:paid");
  await booksBecome(payment, WAITING);
  await shop.moveClock(86_401);
  await lookedAt(payment);
  expect(stateOf(await shop.info(payment))).toBe("processing:paid");
  expect(await adjust("debit")).toMatchObject({ ok: true });
  await shop.moveClock(15);
  expect(await shop.booksOf(await shop.until(payment, "success"))).toEqual(EARNED);
  await shop.hears(payment, ["processing:paid", "success"]);
});
