import { describe, expect, it } from "vitest";
import { openPage, submitForm } from "../../src/sandbox/test-browser.ts";
import { useTestDatabase } from "../../src/testing/database/test-database.ts";
import { useTestService } from "../../src/testing/service/test-service.ts";
import {
  followToShop,
  goBack,
  goDirectly,
  goThroughPage,
  openForward,
  playMethodStep,
  typeCodes,
  withoutMethodForm,
} from "./card-payer.ts";
import { AMOUNT, type Books, type CardShop, type ShownPayment, SOON, stateOf, useCardShop } from "./card-shop.ts";

const database = useTestDatabase();
const service = useTestService(database);
const shop = useCardShop(database, service);

const FEE = 6_250;
const NOTHING: Books = { available: 0, fees: 0, suspense: 0, clearing: 0, bank: 0 };
const EARNED: Books = { available: AMOUNT - FEE, fees: FEE, suspense: 0, clearing: -AMOUNT, bank: AMOUNT };
const CARDS = { challenge: "4000000000003220", challenge1: "4111111111111111", silent: "4100401111100062" } as const;
const AT_ISSUER = "processing:awaiting_3ds_result";
const AT_PROVIDER = "processing:awaiting_redirect_result";

type Case = {
  readonly what: string;
  readonly pan: string;
  /** Asked of the provider before the charge. */
  readonly before?: (shop: CardShop) => Promise<unknown>;
  /** The first state that the merchant hears of; absent: the end. */
  readonly waits?: string;
  /** What the payer, or time, then does. */
  readonly acts?: (payment: ShownPayment) => Promise<unknown>;
  readonly end: string;
  readonly books: Books;
  /** Between the first state and the end. */
  readonly passes?: readonly string[];
};

const declined = (code: string) => ({ end: `decline:${code}`, books: NOTHING });
const PAID = { end: "success", books: EARNED } as const;

const CASES: readonly Case[] = [
  { what: "approved", pan: "4242424242424242", ...PAID },
  { what: "approved", pan: "5555555555554444", ...PAID },
  { what: "approved", pan: "2202208311110010", ...PAID },
  { what: "declined", pan: "4000000000000002", ...declined("provider_declined") },
  { what: "without money", pan: "4000000000009995", ...declined("insufficient_funds") },
  { what: "expired at the issuer", pan: "4000000000000069", ...declined("card_expired") },
  { what: "that cannot be processed", pan: "4000000000000119", ...declined("provider_declined") },
  {
    what: "with the right code",
    pan: CARDS.challenge,
    waits: AT_ISSUER,
    acts: async (payment) => goBack(await typeCodes(await goThroughPage(payment), "1234")),
    ...PAID,
  },
  {
    what: "with the right code at last",
    pan: "2200111753579001",
    waits: AT_ISSUER,
    acts: async (payment) => goBack(await typeCodes(await goThroughPage(payment), "1111", "2222", "1234")),
    ...PAID,
  },
  {
    what: "with three wrong codes",
    pan: CARDS.challenge,
    waits: AT_ISSUER,
    acts: async (payment) => goBack(await typeCodes(await goThroughPage(payment), "1111", "2222", "3333")),
    ...declined("three_ds_failed"),
  },
  {
    what: "whose payer cancels",
    pan: CARDS.challenge,
    waits: AT_ISSUER,
    acts: async (payment) => goBack(await submitForm(await goThroughPage(payment), {}, "Cancel")),
    ...declined("three_ds_failed"),
  },
  {
    what: "whose payer never comes back",
    pan: CARDS.challenge,
    waits: AT_ISSUER,
    acts: async (payment) => {
      await goThroughPage(payment);
      await shop.moveClock(601);
    },
    ...declined("expired"),
  },
  {
    what: "whose payer closes the issuer's last page",
    pan: CARDS.challenge,
    waits: AT_ISSUER,
    acts: async (payment) => {
      await typeCodes(await goThroughPage(payment), "1234");
      await shop.moveClock(601);
    },
    ...declined("expired"),
  },
  {
    what: "whose issuer looks at the browser first",
    pan: CARDS.challenge,
    before: () => shop.wish("method_step"),
    waits: AT_ISSUER,
    acts: async (payment) => {
      const page = await openForward(payment);
      expect((await playMethodStep(page)).text).toContain("postMessage('method-done'");
      await goBack(await typeCodes(await submitForm(withoutMethodForm(page), {}), "1234"));
    },
    ...PAID,
  },
  {
    what: "whose issuer would look at the browser, and is not waited for",
    pan: CARDS.challenge,
    before: () => shop.wish("method_step"),
    waits: AT_ISSUER,
    acts: async (payment) => goBack(await typeCodes(await goThroughPage(payment), "1234")),
    ...PAID,
  },
  {
    what: "of 3-D Secure 1",
    pan: CARDS.challenge1,
    waits: AT_ISSUER,
    acts: async (payment) => goBack(await typeCodes(await goThroughPage(payment), "1234")),
    ...PAID,
  },
  {
    what: "of 3-D Secure 1, posted by the merchant",
    pan: CARDS.challenge1,
    waits: AT_ISSUER,
    acts: async (payment) => goBack(await typeCodes(await goDirectly(payment), "1234")),
    ...PAID,
  },
  {
    what: "that the provider finishes slowly",
    pan: CARDS.challenge,
    before: () => shop.wish("slow_approval", 1_000),
    waits: AT_ISSUER,
    acts: async (payment) => goBack(await typeCodes(await goThroughPage(payment), "1234")),
    ...PAID,
    passes: ["processing:paid"],
  },
  {
    what: "paid on the provider's page",
    pan: "4242424242424242",
    before: () => shop.wish("plain_redirect"),
    waits: AT_PROVIDER,
    acts: async (payment) => atCheckout(payment, "Pay"),
    ...PAID,
  },
  {
    what: "given up on the provider's page",
    pan: "4242424242424242",
    before: () => shop.wish("plain_redirect"),
    waits: AT_PROVIDER,
    acts: async (payment) => atCheckout(payment, "Cancel"),
    ...declined("cancelled"),
  },
  {
    what: "left open on the provider's page",
    pan: "4242424242424242",
    before: () => shop.wish("plain_redirect"),
    waits: AT_PROVIDER,
    acts: () => shop.moveClock(601),
    ...declined("expired"),
  },
  {
    what: "whose answer never comes, until it is asked for",
    pan: CARDS.silent,
    acts: async (payment) => {
      await expect.poll(async () => (await shop.booksOf(payment)).bank, SOON).toBe(AMOUNT);
      expect(stateOf(await shop.info(payment))).toBe("processing:new");
      await shop.moveClock(31);
    },
    ...PAID,
  },
  {
    what: "charged behind an error",
    pan: "4242424242424242",
    before: () => shop.spoil("create", "error500_after_success"),
    ...PAID,
  },
  {
    what: "charged behind garbage",
    pan: "4242424242424242",
    before: () => shop.spoil("create", "garbage"),
    ...PAID,
  },
  {
    what: "whose challenge was lost on the way",
    pan: CARDS.challenge,
    before: () => shop.spoil("create", "reset"),
    waits: AT_ISSUER,
    acts: async (payment) => goBack(await typeCodes(await goThroughPage(payment), "1234")),
    ...PAID,
  },
  {
    what: "whose result is taken behind an error",
    pan: CARDS.challenge,
    waits: AT_ISSUER,
    acts: async (payment) => {
      await shop.spoil("authenticate", "error500_after_success");
      await goBack(await typeCodes(await goThroughPage(payment), "1234"));
    },
    ...PAID,
  },
  {
    what: "that the provider never saw",
    pan: "4242424242424242",
    before: () => shop.spoil("create", "error500_before"),
    acts: async (payment) => {
      await sentAway(payment);
      await shop.moveClock(31);
      // It is asked about twice, so that nobody is declined whose card is just being sent.
      await shop.askedAbout(payment);
      await shop.moveClock(31);
    },
    ...declined("provider_declined"),
  },
  {
    what: "approved for another amount",
    pan: "4242424242424242",
    before: () => shop.wish("wrong_amount"),
    end: "dispute:different_amount",
    books: { ...NOTHING, suspense: AMOUNT + 100, clearing: -AMOUNT - 100, bank: AMOUNT + 100 },
  },
];

/** Until the charge has left us, whatever became of it. */
async function sentAway(payment: ShownPayment): Promise<void> {
  await expect
    .poll(
      () => database.db.run({ text: "select from attempts where request_id = $1", values: [payment.request_id] }),
      SOON,
    )
    .toHaveLength(1);
}

async function atCheckout(payment: ShownPayment, button: "Pay" | "Cancel"): Promise<void> {
  const ours = await openForward(payment);
  expect(ours.status).toBe(303);
  const checkout = await openPage(ours.headers.get("location") ?? "");
  const back = await submitForm(checkout, {}, button);
  await followToShop(await openPage(back.headers.get("location") ?? ""));
}

describe("a card", () => {
  it.each(CASES)("$what: $pan → $end", async ({ pan, before, waits, acts, end, books, passes = [] }) => {
    await before?.(shop);
    const created = await shop.create({ pan });
    const waiting = waits === undefined ? created : await shop.until(created, waits);
    // A callback that comes late shows no more than the payment does by then.
    if (waits !== undefined) await shop.hears(created, [waits]);
    await acts?.(waiting);
    const ended = await shop.until(created, end);
    expect(await shop.booksOf(ended)).toEqual(books);
    const told = await shop.hears(created, [...(waits === undefined ? [] : [waits]), ...passes, end]);
    expect(told.map(({ integration }) => integration)).toEqual(
      told.map((_, at) => (at === 0 ? waiting.integration : undefined)),
    );
    expect(ended.integration).toBeUndefined();
    expect(ended.card.pan).toBe(`${pan.slice(0, 6)}******${pan.slice(-4)}`);
    await shop.clearFaults();
  });
});
