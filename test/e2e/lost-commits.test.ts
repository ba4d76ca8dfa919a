import pg from "pg";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { credentialsFromSandboxFile } from "../../sdk/src/index.ts";
import { firstReferenceOf } from "../../src/testing/builders/payments.ts";
import { useDatabaseDoor } from "../../src/testing/database/database-door.ts";
import { useTestDatabase } from "../../src/testing/database/test-database.ts";
import { longIt } from "../../src/testing/run/run-form.ts";
import {
  type MerchantClient,
  openMerchantClient,
  payinBody,
  payoutBody,
} from "../../src/testing/service/merchant-client.ts";
import { useTestService } from "../../src/testing/service/test-service.ts";
import { type Made, usePayShop } from "../browser/pay-shop.ts";
import { type ShownPayment, useCardShop } from "./card-shop.ts";
import { chargesOf, payByCard, payByTransfer, see, trailOf } from "./page-payer.ts";

/** A commit whose answer does not arrive: 503, the outcome is unknown, and the caller finds it by the same body. */
const database = useTestDatabase();
const { db } = database;
const door = useDatabaseDoor(database);
const service = useTestService(door.database, { TILLGATE_REQUEST_DEADLINE_MS: "3000" });
const cards = useCardShop(database, service);
const pages = usePayShop(database, service);
let client: MerchantClient;

beforeAll(() => {
  client = openMerchantClient(service.url, credentialsFromSandboxFile(service.sandbox()));
});

const P2P = "/api/v1/payment/p2p";
const ECOM = "/api/v1/payment/ecom/payin";
const WIDGET = "/api/v1/widget/payin";
const SOON = { timeout: 60_000, interval: 50 } as const;

function widgetBody(): object {
  const { payment: _payment, ...rest } = payinBody(client.projectId) as { payment: object };
  return { ...rest, payment: { amount: 250_000, currency: "RUB" } };
}

/** Every way to create a payment, and the statement that does it. */
const CREATES = {
  create_payins: () => ({ path: `${P2P}/payin`, body: payinBody(client.projectId) }),
  create_payouts: () => ({ path: `${P2P}/payout`, body: payoutBody(client.projectId, { payment: { amount: 1_000 } }) }),
  create_widget_payins: () => ({ path: WIDGET, body: widgetBody() }),
  create_card_payins: () => ({ path: ECOM, body: cards.bodyOf({}) }),
} as const;

async function countOf(body: object): Promise<number> {
  const { payment_id } = (body as { general: { payment_id: string } }).general;
  const text = "select count(*)::int as count from payments where payment_id = $1";
  const [row] = await db.run<{ count: number }>({ text, values: [payment_id] });
  return row?.count ?? 0;
}

/** How often the sandbox charged the card of this payment: a second attempt would have another reference. */
async function chargesOfCard(payment: ShownPayment): Promise<readonly string[]> {
  const { attempts } = await trailOf(db, cards.projectId(), { url: "", paymentId: payment.payment_id });
  expect(attempts.map(({ reference }) => reference)).toEqual([firstReferenceOf(payment)]);
  return chargesOf(database.sandboxUrl, [firstReferenceOf(payment)]);
}

describe("a create whose commit is done, and whose answer is lost", () => {
  it.each(Object.keys(CREATES) as (keyof typeof CREATES)[])("%s: 503, and the repeat finds it", async (statement) => {
    const { path, body } = CREATES[statement]();
    door.loseCommitOf(statement);
    const first = await client.post(path, body);
    expect([first.status, first.json.code, first.headers["retry-after"]]).toEqual([503, "unavailable", "1"]);
    expect(await countOf(body)).toBe(1);
    const again = await client.post(path, body);
    expect([again.status, again.replayed]).toEqual([200, true]);
    expect(await countOf(body)).toBe(1);
  });

  longIt("of a card: its number and code are gone with the request, so it is declined and never charged", async () => {
    const { path, body } = CREATES.create_card_payins();
    door.loseCommitOf("create_card_payins");
    expect((await client.post(path, body)).status).toBe(503);
    const payment = (await client.post(path, body)).json as unknown as ShownPayment;
    await cards.moveClock(120);
    await cards.until(payment, "decline:provider_declined");
    expect(await chargesOfCard(payment)).toEqual(["none"]);
  });

  it.each([
    ["way to pay", payByTransfer],
    ["card", (made: Made) => payByCard(made, "4242424242424242")],
  ] as const)("of a payer's %s: 503, and the page has the one choice that was made", async (_what, choose) => {
    const made = await pages.create();
    door.loseCommitOf("insert_choices");
    expect((await choose(made)).status).toBe(503);
    expect((await see(made)).step).toBe("prepare");
    expect((await choose(made)).status).toBe(409);
    const { requestId, attempts } = await trailOf(db, pages.projectId(), made);
    expect(await choiceCountOf(requestId)).toBe(1);
    expect(attempts).toEqual([]);
  });
});

async function choiceCountOf(requestId: string): Promise<number> {
  const text = "select count(*)::int as count from page_choices where request_id = $1";
  const [row] = await db.run<{ count: number }>({ text, values: [requestId] });
  return row?.count ?? 0;
}

/** Makes the commits of this file's database wait for a standby that does not exist. The others' are asynchronous, and go on. */
async function whileCommitsWait(work: () => Promise<void>): Promise<void> {
  const [row] = await db.run<{ name: string }>({ text: "select current_database() as name" });
  await db.run({ text: `alter database ${row?.name} set synchronous_commit = on` });
  await db.run({ text: "alter system set synchronous_standby_names = 'missing'" });
  await db.run({ text: "select pg_reload_conf()" });
  try {
    await vi.waitFor(expectCommitsWait, SOON);
    // Settings are read by new connections.
    await db.run({
      text: `select pg_terminate_backend(pid) from pg_stat_activity
              where datname = current_database() and application_name = 'tillgate service'`,
    });
    await work();
  } finally {
    await db.run({ text: "alter system reset synchronous_standby_names" });
    await db.run({ text: "select pg_reload_conf()" });
    await db.run({ text: `alter database ${row?.name} reset synchronous_commit` });
  }
}

async function expectCommitsWait(): Promise<void> {
  const probe = new pg.Client({ connectionString: database.url, query_timeout: 300 });
  probe.on("error", () => undefined);
  await probe.connect();
  try {
    await expect(probe.query("select pg_logical_emit_message(true, 'probe', '')")).rejects.toThrow(
      "Query read timeout",
    );
  } finally {
    probe.end().catch(() => undefined);
  }
}

it("commits that wait for a standby: creates are 503 by the deadline, reads go on, and repeats find one payment", async () => {
  const wanted = Object.values(CREATES).map((create) => create());
  await whileCommitsWait(async () => {
    await vi.waitFor(async () => expect((await client.post(...BALANCE())).status).toBe(200), SOON);
    const startedMs = performance.now();
    const answers = await Promise.all(wanted.map(({ path, body }) => client.post(path, body)));
    expect(answers.map(({ status }) => status)).toEqual(wanted.map(() => 503));
    expect(performance.now() - startedMs).toBeLessThan(7_000);
    expect((await client.post(...BALANCE())).status).toBe(200);
  });
  for (const { path, body } of wanted) {
    await vi.waitFor(async () => expect((await client.post(path, body)).status).toBe(200), SOON);
    expect(await countOf(body)).toBe(1);
  }
  const card = (await client.post(ECOM, wanted.at(-1)?.body ?? {})).json as unknown as ShownPayment;
  await vi.waitFor(async () => expect(["success", "decline"]).toContain((await cards.info(card)).status), SOON);
  expect((await chargesOfCard(card)).length).toBe(1);
});

const BALANCE = () => ["/api/v1/balance/info", { general: { project_id: client.projectId } }] as const;
