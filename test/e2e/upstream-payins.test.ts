import { describe, expect, it, vi } from "vitest";
import { settlePayment } from "../../src/app/payments/settle-payment.ts";
import type { Id } from "../../src/core/ids.ts";
import { newId } from "../../src/platform/new-id.ts";
import { FEES_BP, useTwoGateways } from "../../src/testing/rigs/two-gateways.ts";
import { untilBooksAgree } from "../../src/testing/rigs/two-gateways-books.ts";
import { payinBody } from "../../src/testing/service/merchant-client.ts";
import {
  type Counter,
  counterOf,
  endOf,
  type Followed,
  follow,
  openDirectCounter,
  useShopServer,
} from "./upstream-counters.ts";

/** A pay-in that A sends on to B ends as it does at B itself, and the two gateways agree on every kopeck. */
const gateways = useTwoGateways();
const shop = useShopServer();

const PAYIN = "/api/v1/payment/p2p/payin";
const AWAITING = "processing:awaiting_confirm";
const NO_PAYMENT = "dispute:no_payment";

type Case = {
  readonly ending: string;
  readonly what: string;
  /** What the payer, or time, does once there are requisites; absent: nothing, and there may be no requisites. */
  readonly play?: (payin: Followed, counter: Counter) => Promise<unknown>;
  readonly end: string;
  /** What B credits, before its fee. */
  readonly credited: (amount: number) => number;
  /** Money that only B knows of: it came after B had ended the payment, and is in suspense there. */
  readonly lateAtB?: true;
};

const ALL = (amount: number) => amount;
const NOTHING = () => 0;

/** A's payment is a moment older than B's, so time goes by a little further than each of the two needs. */
const LIFETIME_S = 930;

const CASES: readonly Case[] = [
  { ending: "01", what: "arrives without a confirm", end: "success", credited: ALL },
  {
    ending: "02",
    what: "never arrives, and the payer says nothing",
    play: async (payin, { passTime }) => {
      await passTime(LIFETIME_S);
      await payin.reaches(NO_PAYMENT);
      await passTime(LIFETIME_S);
    },
    end: "decline:expired",
    credited: NOTHING,
  },
  {
    ending: "02",
    what: "never arrives, though the payer confirmed",
    play: async (payin, { passTime }) => {
      await payin.confirm();
      await payin.reaches("processing:paid");
      await passTime(1_900);
    },
    end: "dispute:confirm_timeout",
    credited: NOTHING,
  },
  {
    ending: "04",
    what: "arrives within the grace",
    play: async (payin, { passTime }) => {
      await passTime(LIFETIME_S);
      await payin.reaches(NO_PAYMENT);
      await passTime(60);
    },
    end: "success",
    credited: ALL,
  },
  { ending: "05", what: "has no requisites", end: "decline:no_requisites", credited: NOTHING },
  {
    ending: "06",
    what: "arrives after the payer cancelled",
    play: (payin) => payin.cancel(),
    end: "decline:cancelled",
    credited: NOTHING,
    lateAtB: true,
  },
  { ending: "77", what: "arrives after the confirm", play: (payin) => payin.confirm(), end: "success", credited: ALL },
];

async function pay(counter: Counter, { ending, play, end }: Case): Promise<Followed> {
  const { client } = counter;
  const amount = Number(`2500${ending}`);
  const { json } = await client.payin(payinBody(client.projectId, { general: shop.urls(), payment: { amount } }));
  const payin = follow(counter, PAYIN, json);
  if (play !== undefined) {
    await payin.reaches(AWAITING);
    await play(payin, counter);
  }
  await payin.reaches(end);
  return payin;
}

describe.concurrent("a transfer", () => {
  it.each(CASES)("$ending: $what → $end, at A as at B", async (each) => {
    const line = await gateways.openLine();
    const [direct, through] = [await openDirectCounter(gateways), counterOf(gateways, line)];
    const [atB, atA] = await Promise.all([pay(direct, each), pay(through, each)]);
    const [endAtA, endAtB] = [endOf(await atA.info()), endOf(await atB.info())];
    // What came after the end is B's to give back or to assign: A has not been credited with it.
    expect(endAtA).toEqual(each.lateAtB ? { ...endAtB, received_amount: undefined } : endAtB);
    expect(await shop.hears(through, atA.created, each.end)).toEqual(await shop.hears(direct, atB.created, each.end));
    const amount = Number(atA.created.payment.amount);
    const credited = each.credited(amount);
    const expected = credited === 0 ? {} : { RUB: BigInt(credited - feeOf(credited)) };
    expect(await untilBooksAgree(gateways, line)).toEqual(expected);
  });
});

function feeOf(amount: number): number {
  return Math.round((amount * FEES_BP.b) / 10_000);
}

/** A reads B's list of banks some seconds after the provider was added; until then it shows their names without a symbol. */
async function untilBanksArePaired(code: string): Promise<void> {
  const paired = { text: "select from provider_banks where provider = $1 limit 1", values: [code] };
  await vi.waitFor(async () => expect(await gateways.a.database.db.run(paired)).toHaveLength(1), {
    timeout: 60_000,
    interval: 100,
  });
  await gateways.a.service.settled();
}

describe.concurrent("the requisites that A shows", () => {
  it.each([
    ["card-p2p", "RUB", { type: "card", pan: expect.stringMatching(/^\d{16}$/) }],
    ["phone-p2p", "AZN", { type: "phone", phone: expect.stringMatching(/^\+\d+$/) }],
    ["account-number", "NGN", { type: "account", account_number: expect.any(String) }],
    ["qr-link-p2p", "KGS", { type: "link", url: expect.any(String) }],
    ["ussd", "NGN", { type: "link", url: expect.stringMatching(/^tel:/) }],
  ])("%s in %s are those that B gave to it", async (method, currency, shape) => {
    const line = await gateways.openLine();
    await untilBanksArePaired(line.code);
    const counter = counterOf(gateways, line);
    const { json } = await line.shop.payin(payinBody(line.shop.projectId, { payment: { method, currency } }));
    const shown = await follow(counter, PAYIN, json).reaches(AWAITING);
    const [atB] = await gateways.b.database.db.run<{ payment_id: string }>({
      text: "select payment_id from payments where project_id = $1",
      values: [line.account.projectId],
    });
    const theirs = (await line.account.payinInfo(atB?.payment_id ?? "")).json;
    expect(shown.requisites).toMatchObject(shape);
    expect(shown.requisites).toEqual(theirs.requisites);
  });
});

describe("another amount", () => {
  it("is a dispute at both; once B's operator and A's have settled it, the books agree", async () => {
    const line = await gateways.openLine({ signing: "rsa" });
    const counter = counterOf(gateways, line);
    const { json } = await line.shop.payin(payinBody(line.shop.projectId, { payment: { amount: 250_003 } }));
    const payin = follow(counter, PAYIN, json);
    await payin.reaches(AWAITING);
    await payin.confirm();
    const disputed = await payin.reaches("dispute:different_amount");
    expect(disputed.payment).toMatchObject({ requested_amount: 250_003, received_amount: 250_103 });
    const [atB] = await gateways.b.database.db.run<{ request_id: Id; state: string }>({
      text: "select request_id, state from payments where project_id = $1",
      values: [line.account.projectId],
    });
    expect(atB?.state).toBe("dispute:different_amount");
    const byHand = { reason: "agreed with the payer", actor: "olga" };
    const settledAtB = { requestId: atB?.request_id as Id, reference: newId(), ...byHand };
    expect(await settlePayment(gateways.b.database.db, settledAtB)).toMatchObject({ ok: true });
    const settledAtA = { requestId: json.request_id as Id, reference: newId(), ...byHand };
    expect(await settlePayment(gateways.a.database.db, settledAtA)).toMatchObject({ ok: true });
    expect((await payin.reaches("success")).payment).toMatchObject({ amount: 250_103 });
    expect(await untilBooksAgree(gateways, line)).toEqual({ RUB: BigInt(250_103 - feeOf(250_103)) });
  });
});
