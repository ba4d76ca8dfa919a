import { describe, expect, it } from "vitest";
import { FEES_BP, FUNDS, useTwoGateways } from "../../src/testing/rigs/two-gateways.ts";
import { untilBooksAgree } from "../../src/testing/rigs/two-gateways-books.ts";
import { payinBody, payoutBody } from "../../src/testing/service/merchant-client.ts";
import {
  type Counter,
  counterOf,
  endOf,
  type Followed,
  follow,
  openDirectCounter,
  useShopServer,
} from "./upstream-counters.ts";

/** A payout that A sends on to B ends as it does at B itself, and the two gateways agree on every kopeck. */
const gateways = useTwoGateways();
const shop = useShopServer();

const PATHS = { "card-p2p": "/api/v1/payment/p2p/payout", "card-ecom": "/api/v1/payment/ecom/payout" } as const;
type PayoutMethod = keyof typeof PATHS;

type Case = {
  readonly ending: string;
  readonly what: string;
  readonly play?: (payout: Followed, counter: Counter) => Promise<unknown>;
  readonly end: string;
  readonly isPaid: boolean;
};

const CASES: readonly Case[] = [
  { ending: "00", what: "paid", end: "success", isPaid: true },
  { ending: "01", what: "declined by the bank", end: "decline:provider_declined", isPaid: false },
  { ending: "02", what: "failed, and the money may have left", end: "dispute:payout_failed", isPaid: false },
  {
    ending: "03",
    what: "never answered",
    play: async (payout, { passTime }) => {
      await payout.reaches("processing:payout_process");
      await passTime(3_660);
    },
    end: "dispute:payout_timeout",
    isPaid: false,
  },
  {
    ending: "03",
    what: "never answered, and paid in the end",
    play: async (payout, { passTime, referenceAtBank }) => {
      await payout.reaches("processing:payout_process");
      await passTime(3_660);
      await payout.reaches("dispute:payout_timeout");
      expect(await gateways.sandbox().endPayout(referenceAtBank(payout.created), { status: "paid" })).toBe(true);
    },
    end: "success",
    isPaid: true,
  },
  {
    ending: "02",
    what: "failed, and given back in the end",
    play: async (payout, { referenceAtBank }) => {
      await payout.reaches("dispute:payout_failed");
      expect(await gateways.sandbox().endPayout(referenceAtBank(payout.created), { status: "rejected" })).toBe(true);
    },
    end: "decline:provider_declined",
    isPaid: false,
  },
];

const ROWS = Object.keys(PATHS).flatMap((method) => CASES.map((each) => ({ ...each, method: method as PayoutMethod })));

type Row = (typeof ROWS)[number];

async function payOut(counter: Counter, { ending, method, play, end }: Row): Promise<Followed> {
  const { client } = counter;
  const payment = { method, amount: Number(`1000${ending}`) };
  const { json } = await client.post(PATHS[method], payoutBody(client.projectId, { general: shop.urls(), payment }));
  const payout = follow(counter, PATHS[method], json);
  await play?.(payout, counter);
  await payout.reaches(end);
  return payout;
}

describe.concurrent("a payout", () => {
  it.each(ROWS)("by $method, $ending: $what → $end, at A as at B", async (row) => {
    const line = await gateways.openLine();
    const [direct, through] = [await openDirectCounter(gateways), counterOf(gateways, line)];
    const [atB, atA] = await Promise.all([payOut(direct, row), payOut(through, row)]);
    expect(endOf(await atA.info())).toEqual(endOf(await atB.info()));
    expect(await shop.hears(through, atA.created, row.end)).toEqual(await shop.hears(direct, atB.created, row.end));
    const amount = Number(atA.created.payment.amount);
    const cost = amount + Math.round((amount * FEES_BP.b) / 10_000);
    expect(await untilBooksAgree(gateways, line)).toEqual(row.isPaid ? { RUB: BigInt(-cost) } : {});
  });
});

describe("a payout for which A has no money at B", () => {
  it("is declined at A, and the shop has its money back", async () => {
    const line = await gateways.openLine({ fundsAtB: 1_000 });
    const { json } = await line.shop.payout(payoutBody(line.shop.projectId, { payment: { amount: 100_000 } }));
    await expect
      .poll(async () => (await line.shop.payoutInfo(json.payment_id)).json.status, { timeout: 60_000 })
      .toBe("decline");
    expect(await line.shop.available()).toEqual({ amount: FUNDS, locked: 0 });
    expect(await untilBooksAgree(gateways, line)).toEqual({});
  });
});

describe("a bank that A's merchant names", () => {
  it("is named to B as B calls it, once A has read B's banks", async () => {
    const line = await gateways.openLine();
    const counter = counterOf(gateways, line);
    const pairs = { text: "select from provider_banks where provider = $1", values: [line.code] };
    await expect
      .poll(async () => (await gateways.a.database.db.run(pairs)).length, { timeout: 60_000 })
      .toBeGreaterThan(0);
    await gateways.a.service.settled();
    const { projectId } = line.shop;
    const payout = payoutBody(projectId, {
      payment: { method: "sbp-p2p" },
      receiver: { phone: "+79990000001", bank: "sberbank" },
    });
    const paid = follow(counter, PATHS["card-p2p"], (await line.shop.payout(payout)).json);
    const payin = payinBody(projectId, { payment: { method: "sbp-p2p" }, sender: { bank: "sberbank" } });
    const asked = follow(counter, "/api/v1/payment/p2p/payin", (await line.shop.payin(payin)).json);
    expect((await asked.reaches("processing:awaiting_confirm")).requisites).toMatchObject({ bank: "sberbank" });
    await asked.confirm();
    await asked.reaches("success");
    await paid.reaches("success");
    await untilBooksAgree(gateways, line);
  });
});
