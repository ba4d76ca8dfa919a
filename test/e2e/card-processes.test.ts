import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { useTestDatabase } from "../../src/testing/database/test-database.ts";
import { type RunningProgram, startProgram } from "../../src/testing/program/program.ts";
import { useTestService } from "../../src/testing/service/test-service.ts";
import { goBack, goThroughPage, typeCodes } from "./card-payer.ts";
import { AMOUNT, type Books, type ShownPayment, SOON, stateOf, useCardShop } from "./card-shop.ts";

/** The worker runs here, with the sandbox; merchants' calls go to processes of their own, which are killed. */
const database = useTestDatabase();
const worker = useTestService(database, {}, "worker");
let api: RunningProgram | undefined;
const shop = useCardShop(database, worker, () => api?.url ?? "");

const FEE = 6_250;
const NOTHING: Books = { available: 0, fees: 0, suspense: 0, clearing: 0, bank: 0 };
const EARNED: Books = { available: AMOUNT - FEE, fees: FEE, suspense: 0, clearing: -AMOUNT, bank: AMOUNT };

async function startApi(): Promise<RunningProgram> {
  return startProgram(["start", "--role", "api"], {
    PATH: process.env.PATH ?? "",
    PORT: "0",
    DATABASE_URL: database.url,
    TILLGATE_SANDBOX_DATABASE_URL: database.sandboxUrl,
    TILLGATE_DATA_DIR: worker.stateDir,
  });
}

beforeAll(() => worker.settled());
beforeEach(async () => {
  api ??= await startApi();
});
afterAll(() => api?.end("SIGKILL"));

/** Kills the process that takes merchants' calls, and starts another in its place. */
async function replaceApi(signal: NodeJS.Signals): Promise<number | null> {
  return replaceApiWhile(signal, async () => undefined);
}

/** The same with something between the end of the one and the start of the other. */
async function replaceApiWhile(signal: NodeJS.Signals, between: () => Promise<void>): Promise<number | null> {
  const old = api;
  api = undefined;
  const code = (await old?.end(signal)) ?? null;
  await between();
  api = await startApi();
  return code;
}

/** The provider tells nobody, so that only our own looks find out. */
async function withoutNotifications(work: () => Promise<void>): Promise<void> {
  await shop.control().setNotifyUrl("http://127.0.0.1:9/");
  await work().finally(() => shop.control().setNotifyUrl(`${worker.url()}/provider/sandbox/notifications`));
}

it("takes a payer through the challenge, with the card in one process and the timers in another", async () => {
  const waiting = await shop.until(await shop.create({ pan: "4000000000003220" }), "processing:awaiting_3ds_result");
  expect(waiting.integration?.redirect_url).toContain(api?.url ?? "?");
  const { shop: page } = await goBack(await typeCodes(await goThroughPage(waiting), "1234"));
  expect(page.status).toBe(200);
  expect(await shop.booksOf(await shop.until(waiting, "success"))).toEqual(EARNED);
});

it("a worker shows payers no pages", async () => {
  const waiting = await shop.until(await shop.create({ pan: "4000000000003220" }), "processing:awaiting_3ds_result");
  const path = new URL(waiting.integration?.redirect_url ?? "").pathname;
  expect((await fetch(worker.url() + path)).status).toBe(404);
});

it("killed before the card was sent: it is declined, and nothing was charged", async () => {
  // A process that has not yet asked for the provider's address.
  await replaceApi("SIGTERM");
  const locks = await database.db.connect();
  await locks.query("begin; lock table settings in access exclusive mode");
  const payment = await shop.create();
  // The process waits at the very point between its answer to the merchant and its call to the provider.
  await expect.poll(waitingForAddress, SOON).toBe(1);
  await replaceApiWhile("SIGKILL", async () => {
    await locks.query("rollback");
    await locks.end();
  });
  expect(stateOf(await shop.info(payment))).toBe("processing:new");
  await shop.moveClock(31);
  // It is asked about twice, so that no card is declined that is just being sent.
  await shop.askedAbout(payment);
  await shop.moveClock(31);
  expect(await shop.booksOf(await shop.until(payment, "decline:provider_declined"))).toEqual(NOTHING);
});

async function waitingForAddress(): Promise<number> {
  const rows = await database.db.run<{ count: number }>({
    text: `select count(*)::int as count from pg_stat_activity
            where datname = current_database() and wait_event_type = 'Lock' and query like '%from settings%'`,
  });
  return rows[0]?.count ?? 0;
}

it("killed while the provider was answering: the charge is found, and counted once", async () => {
  await withoutNotifications(async () => {
    await shop.spoil("create", "slow", { ms: 60_000 });
    const payment = await shop.create();
    await shop.charged(payment);
    await replaceApi("SIGKILL");
    expect(stateOf(await shop.info(payment))).toBe("processing:new");
    await shop.moveClock(31);
    expect(await shop.booksOf(await shop.until(payment, "success"))).toEqual(EARNED);
  });
});

it("told to stop while the provider was answering: it waits for the answer", async () => {
  await withoutNotifications(async () => {
    await shop.spoil("create", "slow", { ms: 1_500 });
    const payment = await shop.create();
    await shop.charged(payment);
    expect(await replaceApi("SIGTERM")).toBe(0);
    expect(stateOf(await shop.info(payment))).toBe("success");
    expect(await shop.booksOf(payment)).toEqual(EARNED);
  });
});

it("a twin of the same create in two processes charges once", async () => {
  const other = await startApi();
  const body = shop.bodyOf({});
  const path = "/api/v1/payment/ecom/payin";
  const urls = Array.from({ length: 10 }, (_, at) => (at % 2 === 0 ? other.url : (api?.url ?? "")));
  const answers = await Promise.all(urls.map((url) => shop.ask(path, body, url)));
  const payments = answers.map(({ json }) => json as unknown as ShownPayment);
  expect(new Set(payments.map(({ request_id }) => request_id)).size).toBe(1);
  const [payment] = payments;
  if (payment === undefined) throw new Error("nobody was answered");
  expect(await shop.booksOf(await shop.until(payment, "success"))).toEqual(EARNED);
  await other.end("SIGTERM");
});
