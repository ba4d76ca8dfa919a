import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { newReference } from "../../connectors/conformance.ts";
import { type Channel, openChannel } from "../../connectors/sandbox/channel.ts";
import { openSandboxControl, type SandboxControl } from "../../connectors/sandbox/control.ts";
import { openLog } from "../../platform/log.ts";
import { startSandbox } from "../start-sandbox.ts";
import { CARDS, LIFETIME_S, newCharge, type WireCharge } from "../test-charge.ts";
import { useTestSandbox } from "../test-sandbox.ts";

type Told = { readonly id: string; readonly event: string; readonly direction: string; readonly reference: string };
const told: Told[] = [];
const receiver = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    const body = JSON.parse(Buffer.concat(chunks).toString());
    told.push(...(body.notifications ?? [body]));
    response.end();
  });
});
beforeAll(() => new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve)));
afterAll(() => new Promise((resolve) => receiver.close(resolve)));

const sandbox = useTestSandbox(inject("postgres"), {
  notifyUrl: () => `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`,
});
let channel: Channel;
let control: SandboxControl;
const opened: { close: () => Promise<void> }[] = [];
beforeAll(connect);
afterAll(() => Promise.all(opened.map((each) => each.close())));

function connect(): void {
  const options = { baseUrl: sandbox.url(), secret: sandbox.secret, timeoutMs: 10_000 };
  channel = openChannel(options);
  control = openSandboxControl(options);
  opened.push(channel, control);
}

type Answered = { readonly status: number; readonly json: Record<string, unknown> };

async function ask(method: "GET" | "POST", path: string, body?: object): Promise<Answered> {
  const answer = await channel.ask(method, path, body);
  if (answer.kind === "lost") return { status: 0, json: {} };
  return { status: answer.status, json: JSON.parse(answer.body.toString()) };
}

const sendCharge = (charge: WireCharge): Promise<Answered> => ask("POST", "/cards/charges", charge);
const stateOf = async ({ reference }: WireCharge) => (await ask("GET", `/cards/charges/${reference}`)).json;
const toldOf = ({ reference }: WireCharge) => told.filter((each) => each.reference === reference);

describe("the cards", () => {
  it.each([
    ["4242424242424242", { status: "approved", approved_amount: 250_000 }],
    ["5555555555554444", { status: "approved", approved_amount: 250_000 }],
    ["2202208311110010", { status: "approved", approved_amount: 250_000 }],
    ["4000000000003220", { status: "challenge", three_ds: { version: "2.2.0" } }],
    ["2200111753579001", { status: "challenge", three_ds: { version: "2.2.0" } }],
    ["4111111111111111", { status: "challenge", three_ds: { version: "1.0.2" } }],
    ["4000000000000002", { status: "declined", reason: "card_declined" }],
    ["4000000000009995", { status: "declined", reason: "insufficient_funds" }],
    ["4000000000000069", { status: "declined", reason: "card_expired" }],
    ["4000000000000119", { status: "declined", reason: "processing_error" }],
    ["378282246310005", { status: "declined", reason: "card_declined" }],
  ])("%s", async (pan, expected) => {
    const charge = newCharge(pan);
    const first = await sendCharge(charge);
    expect(first).toMatchObject({ status: 200, json: { reference: charge.reference, amount: 250_000, ...expected } });
    expect(first.json.approved_amount === undefined).toBe(expected.status !== "approved");
    expect(await sendCharge(charge)).toEqual(first);
    expect(await stateOf(charge)).toEqual(first.json);
  });

  it("4100401111100062: is charged in silence, and answered when asked again", async () => {
    const [asked, repeated] = [newCharge("4100401111100062"), newCharge("4100401111100062")];
    for (const charge of [asked, repeated]) expect((await sendCharge(charge)).status).toBe(0);
    expect(await stateOf(asked)).toMatchObject({ status: "approved" });
    expect((await sendCharge(repeated)).json).toMatchObject({ status: "approved" });
    // Nor is it told of unasked: the notification of a later charge comes without one of this.
    const later = newCharge(CARDS.approved);
    await sendCharge(later);
    await expect.poll(() => toldOf(later), { timeout: 60_000 }).toHaveLength(1);
    expect([...toldOf(asked), ...toldOf(repeated)]).toEqual([]);
  });
});

describe("a request", () => {
  it("is refused unless it is signed, and unless it is one", async () => {
    for (const path of ["/cards/charges", "/cards/charges/x/reverse", "/play/charges/x/end", "/no/such/page"])
      expect((await fetch(sandbox.url() + path, { method: "POST", body: "{}" })).status).toBe(401);
    const good = newCharge(CARDS.approved);
    const bad = [
      { amount: 0 },
      { amount: 1.5 },
      { currency: "rub" },
      { return_url: "javascript:alert(1)" },
      { return_url: "https://" },
      { return_url: "/back" },
      { expires_at: "2026-13-01T00:00:00Z" },
      { extra: 1 },
      { card: { ...good.card, pan: "4242 4242 4242 4242" } },
      { card: { ...good.card, cvv: "12" } },
      { card: { ...good.card, expiry_month: 13 } },
      { browser: { user_agent: 7 } },
    ];
    for (const change of bad) expect((await sendCharge({ ...good, ...change })).status).toBe(400);
    expect((await stateOf(good)).error).toEqual({ code: "order_unknown" });
  });

  it("is another one when anything that is requested differs", async () => {
    const charge = newCharge(CARDS.approved);
    const first = await sendCharge(charge);
    for (const change of [
      { amount: 1 },
      { project_id: "other" },
      { currency: "KZT" },
      { return_url: "https://other.invalid/" },
      { merchant_name: "Other" },
      { card: { ...charge.card, pan: "5555555555554444" } },
      { card: { ...charge.card, expiry_year: 2042 } },
      { card: { ...charge.card, card_holder: "OTHER" } },
    ])
      expect((await sendCharge({ ...charge, ...change })).status).toBe(409);
    const same = [{ expires_at: "2030-01-01T00:00:00Z" }, { browser: { language: "en" } }];
    for (const change of [...same, { card: { ...charge.card, cvv: "111" } }])
      expect(await sendCharge({ ...charge, ...change })).toEqual(first);
  });

  it("leaves nothing of the card behind but its ends", async () => {
    const charge = newCharge(CARDS.challenge, { card: { ...newCharge("").card, pan: CARDS.challenge, cvv: "0987" } });
    await sendCharge(charge);
    const client = new pg.Client(sandbox.connection);
    await client.connect();
    const tables = await client.query("select tablename from pg_tables where schemaname = 'sandbox'");
    const texts: string[] = [];
    for (const { tablename } of tables.rows)
      texts.push(
        ...(await client.query(`select t::text as text from sandbox.${tablename} t`)).rows.map((row) => row.text),
      );
    await client.end();
    const all = texts.join("\n");
    expect(all).toContain("400000******3220");
    for (const secret of [CARDS.challenge, ",0987,", '"0987"', "OLGA"]) expect(all).not.toContain(secret);
  });

  it("is known again after a restart, card number included", async () => {
    const charge = newCharge(CARDS.challenge1);
    const first = await sendCharge(charge);
    await sandbox.restart();
    connect();
    const again = await sendCharge(charge);
    expect(again.json.three_ds).toMatchObject({ pa_req: (first.json.three_ds as { pa_req: string }).pa_req });
    expect((await sendCharge({ ...charge, card: { ...charge.card, pan: CARDS.challenge } })).status).toBe(409);
  });
});

describe("time", () => {
  it("ends what nobody finished, by the project's own clock", async () => {
    const [one, other] = [newCharge(CARDS.challenge), newCharge(CARDS.challenge)];
    await Promise.all([sendCharge(one), sendCharge(other)]);
    await control.moveClock(one.project_id, LIFETIME_S - 60);
    expect(await stateOf(one)).toMatchObject({ status: "challenge" });
    await control.moveClock(one.project_id, 61);
    expect(await stateOf(one)).toMatchObject({ status: "declined", reason: "expired" });
    expect(await stateOf(other)).toMatchObject({ status: "challenge" });
  });

  it("ends it without anybody asking, with real time too", async () => {
    const charge = newCharge(CARDS.challenge, { expires_at: new Date(Date.now() + 300).toISOString() });
    await sendCharge(charge);
    await expect.poll(async () => (await stateOf(charge)).reason, { timeout: 60_000 }).toBe("expired");
  });

  it("does not end what is pending or approved", async () => {
    const [pending, approved] = [newCharge(CARDS.challenge), newCharge(CARDS.approved)];
    await Promise.all([sendCharge(pending), sendCharge(approved)]);
    await control.endCharge(pending.reference, { status: "pending" });
    for (const charge of [pending, approved]) await control.moveClock(charge.project_id, 1_000_000);
    expect([(await stateOf(pending)).status, (await stateOf(approved)).status]).toEqual(["pending", "approved"]);
  });
});

describe("wishes", () => {
  it("come true as often as they were requested for a project, also when charges come together", async () => {
    const project_id = newReference();
    await control.addFault({ projectId: project_id, kind: "wrong_amount", times: 3 });
    const charges = Array.from({ length: 12 }, () => newCharge(CARDS.approved, { project_id }));
    const answers = await Promise.all(charges.map(sendCharge));
    expect(answers.map(({ json }) => json.approved_amount).sort()).toEqual([
      ...Array.from({ length: 9 }, () => 250_000),
      ...Array.from({ length: 3 }, () => 250_100),
    ]);
  });

  it("come true together, beside a fault of the answer", async () => {
    const charge = newCharge(CARDS.challenge);
    for (const kind of ["method_step", "wrong_amount", "slow_approval", "error500_after_success"] as const)
      await control.addFault({ reference: charge.reference, kind });
    expect((await sendCharge(charge)).status).toBe(500);
    expect(await stateOf(charge)).toMatchObject({
      status: "challenge",
      three_ds: { method_url: expect.stringContaining("/acs/method"), method_completed: false },
    });
  });

  it("bring an approval after an expiry too, and are forgotten with the project's faults", async () => {
    const [late, cleared] = [newCharge(CARDS.challenge), newCharge(CARDS.declined)];
    await control.addFault({ reference: late.reference, kind: "late_approval", ms: 60_000 });
    await control.addFault({ projectId: cleared.project_id, kind: "late_approval" });
    await control.clearFaults(cleared.project_id);
    await Promise.all([sendCharge(late), sendCharge(cleared)]);
    for (const charge of [late, cleared]) await control.moveClock(charge.project_id, LIFETIME_S + 1);
    expect([(await stateOf(late)).status, (await stateOf(cleared)).status]).toEqual(["declined", "declined"]);
    for (const charge of [late, cleared]) await control.moveClock(charge.project_id, 61);
    expect([(await stateOf(late)).status, (await stateOf(cleared)).status]).toEqual(["approved", "declined"]);
  });
});

describe("a tester", () => {
  const end = (charge: WireCharge, body: object) => ask("POST", `/play/charges/${charge.reference}/end`, body);

  it("ends a charge in any way, but what was approved can only be given back", async () => {
    const charge = newCharge(CARDS.challenge);
    await sendCharge(charge);
    const steps: [object, object][] = [
      [{ status: "reversed" }, { status: "challenge" }],
      [{ status: "pending" }, { status: "pending" }],
      [
        { status: "declined", reason: "insufficient_funds" },
        { status: "declined", reason: "insufficient_funds" },
      ],
      [{ status: "pending" }, { status: "declined" }],
      [
        { status: "approved", amount: 77 },
        { status: "approved", approved_amount: 77 },
      ],
      [
        { status: "approved", amount: 88 },
        { status: "approved", approved_amount: 77 },
      ],
      [{ status: "declined" }, { status: "approved" }],
      [{ status: "reversed" }, { status: "reversed", approved_amount: 77 }],
      [{ status: "approved" }, { status: "reversed" }],
    ];
    for (const [body, expected] of steps) expect((await end(charge, body)).json).toMatchObject(expected);
    expect(await control.readBooks(charge.project_id)).toEqual({
      arrived: [{ currency: "RUB", amount: "77", entries: 1 }],
      left: [{ currency: "RUB", amount: "77", entries: 1 }],
    });
    for (const body of [{}, { status: "paid" }, { status: "approved", amount: 0 }, { status: "declined", reason: "x" }])
      expect((await end(charge, body)).status).toBe(400);
    expect((await end(newCharge(CARDS.approved), { status: "approved" })).status).toBe(404);
  });

  it("hears of every change once, or more often if he wants to", async () => {
    const charge = newCharge(CARDS.challenge);
    await sendCharge(charge);
    await end(charge, { status: "approved" });
    await end(charge, { status: "approved" });
    await end(charge, { status: "reversed" });
    await expect.poll(() => toldOf(charge).length).toBe(3);
    await control.tellCharge(charge.reference);
    await expect.poll(() => toldOf(charge).length).toBe(4);
    expect(new Set(toldOf(charge).map(({ id }) => id)).size).toBe(4);
    for (const { direction, event } of toldOf(charge)) expect([direction, event]).toEqual(["charge", "charge.status"]);

    const twice = newCharge(CARDS.approved);
    await control.addFault({ reference: twice.reference, kind: "duplicate" });
    await sendCharge(twice);
    await expect.poll(() => toldOf(twice).length).toBe(2);
    expect(new Set(toldOf(twice).map(({ id }) => id)).size).toBe(1);
  });
});

describe("a cancel", () => {
  const cancel = (reference: string) => ask("POST", `/cards/charges/${reference}/cancel`);

  it("of a reference that no charge can have is refused, and leaves nothing behind", async () => {
    const before = await countCharges();
    for (const reference of ["-x", "a".repeat(65), "%20", "%D1%8F"])
      expect(await cancel(reference)).toEqual({ status: 404, json: { error: { code: "order_unknown" } } });
    expect(await countCharges()).toBe(before);
  });

  it("that comes with many others ends each of their charges, and tells of each once", async () => {
    const charges = Array.from({ length: 20 }, (_, at) => newCharge(at % 2 ? CARDS.challenge : CARDS.challenge1));
    await Promise.all(charges.map(sendCharge));
    const answers = await Promise.all([...charges, ...charges].map(({ reference }) => cancel(reference)));
    for (const { json } of answers) expect(json).toMatchObject({ status: "declined", reason: "cancelled" });
    for (const charge of charges) await expect.poll(() => toldOf(charge).length).toBe(2);
  });

  it("does not keep the issuer from approving later, where a tester wants it", async () => {
    const charge = newCharge(CARDS.challenge);
    await control.addFault({ reference: charge.reference, kind: "late_approval", ms: 60_000 });
    await sendCharge(charge);
    expect((await cancel(charge.reference)).json).toMatchObject({ status: "declined", reason: "cancelled" });
    await control.moveClock(charge.project_id, 61);
    expect(await stateOf(charge)).toMatchObject({ status: "approved" });
  });

  async function countCharges(): Promise<number> {
    const client = new pg.Client(sandbox.connection);
    await client.connect();
    const { rows } = await client.query("select count(*)::int as count from sandbox.charges");
    await client.end();
    return rows[0].count;
  }
});

it("keeps a charge apart from a pay-in of the same reference", async () => {
  const charge = newCharge(CARDS.approved);
  const { card: _, return_url: __, ...shared } = charge;
  await ask("POST", "/payins", { ...shared, method: "card-p2p" });
  await control.cancelPayin(charge.reference);
  await sendCharge(charge);
  expect((await ask("GET", `/payins/${charge.reference}`)).json.transfers).toEqual([]);
  await expect
    .poll(() =>
      toldOf(charge)
        .map(({ event }) => event)
        .sort(),
    )
    .toEqual(["charge.status", "payin.status"]);
});

it("names its pages by the address that browsers know it by", async () => {
  const log = openLog({ level: "error", destination: process.stderr });
  const { connection, secret } = sandbox;
  const urlIn = async (answer: Promise<{ json: Record<string, unknown> }>) =>
    ((await answer).json.three_ds as { acs_url: string }).acs_url;
  expect(await urlIn(sendCharge(newCharge(CARDS.challenge)))).toBe(`${sandbox.url()}/acs/challenge`);
  const notifyUrl = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
  expect(await control.setNotifyUrl(notifyUrl, "none")).toBe(false);
  expect(await control.setNotifyUrl(notifyUrl, "https://pay.example/sandbox/")).toBe(true);
  expect(await urlIn(sendCharge(newCharge(CARDS.challenge)))).toBe("https://pay.example/sandbox/acs/challenge");

  // Another process on the same books knows it, too.
  const other = await startSandbox({ connection, secret, log });
  const there = openChannel({ baseUrl: other.url, secret, timeoutMs: 10_000 });
  const answer = await there.ask("POST", "/cards/charges", newCharge(CARDS.challenge));
  await there.close();
  await other.close();
  const { three_ds } = answer.kind === "answered" ? JSON.parse(answer.body.toString()) : {};
  expect(three_ds.acs_url).toBe("https://pay.example/sandbox/acs/challenge");
});

it("takes over a database that was made before there were charges", async () => {
  const client = new pg.Client(sandbox.connection);
  await client.connect();
  await client.query(`
    drop table sandbox.authentications, sandbox.charges;
    delete from sandbox.notifications;
    delete from sandbox.settings where name in ('card_key', 'schema');
    alter table sandbox.notifications drop constraint notifications_direction_check;
    alter table sandbox.notifications add check (direction in ('payin', 'payout'));`);
  await client.end();
  await sandbox.restart();
  connect();
  const charge = newCharge(CARDS.approved);
  expect((await sendCharge(charge)).json.status).toBe("approved");
  await expect.poll(() => toldOf(charge).length).toBe(1);
});
