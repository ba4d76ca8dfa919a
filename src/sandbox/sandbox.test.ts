import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import pg from "pg";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { newReference } from "../connectors/conformance.ts";
import { type Channel, openChannel } from "../connectors/sandbox/channel.ts";
import { openSandboxControl, type SandboxControl } from "../connectors/sandbox/control.ts";
import { Secret } from "../platform/secret.ts";
import { useTestSandbox } from "./test-sandbox.ts";

/** What the receiver of notifications got, and what it answers. */
type Told = { readonly reference: string; readonly id: string; readonly text: string };
const told: Told[] = [];
let status = 200;
const receiver = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    const text = Buffer.concat(chunks).toString();
    told.push(...parse(text));
    response.writeHead(status).end();
  });
});
/** One notification, or several in one request. */
function parse(text: string): Told[] {
  try {
    const body = JSON.parse(text);
    return (body.notifications ?? [body]).map((each: Told) => ({ ...each, text: JSON.stringify(each) }));
  } catch {
    return [{ reference: "", id: "", text }];
  }
}
beforeAll(() => new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve)));
afterAll(() => new Promise((resolve) => receiver.close(resolve)));

const sandbox = useTestSandbox(inject("postgres"), {
  notifyUrl: () => `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`,
});
let channel: Channel;
let control: SandboxControl;
const open = (secret = sandbox.secret): Channel => openChannel({ baseUrl: sandbox.url(), secret, timeoutMs: 10_000 });
const opened: { close: () => Promise<void> }[] = [];
beforeAll(connect);
afterAll(() => Promise.all(opened.map((each) => each.close())));

function connect(): void {
  channel = open();
  control = openSandboxControl({ baseUrl: sandbox.url(), secret: sandbox.secret, timeoutMs: 10_000 });
  opened.push(channel, control);
}

function payin(amount: number, members: object = {}) {
  const reference = newReference();
  const expires_at = new Date(Date.now() + 900_000).toISOString();
  const body = { reference, project_id: `p${reference.slice(1)}`, method: "card-p2p", currency: "RUB", expires_at };
  return { ...body, amount, ...members };
}

function payout(amount: number) {
  const { expires_at: _, ...body } = payin(amount);
  return { ...body, receiver: { pan: "4242424242424242" } };
}

async function post(path: string, body: object): Promise<{ status: number; json: Record<string, unknown> }> {
  const answer = await channel.ask("POST", path, body);
  if (answer.kind === "lost") return { status: 0, json: {} };
  return { status: answer.status, json: JSON.parse(answer.body.toString()) };
}

it("answers nobody who does not sign with the secret", async () => {
  const stranger = open(new Secret("another"));
  opened.push(stranger);
  for (const [method, path] of [
    ["POST", "/payins"],
    ["GET", "/books"],
    ["POST", "/clock"],
    ["GET", "/payins/x"],
  ] as const)
    expect(await stranger.ask(method, path, {})).toMatchObject({ kind: "answered", status: 401 });
  expect((await fetch(`${sandbox.url()}/books`)).status).toBe(401);
  expect((await fetch(`${sandbox.url()}/health`)).status).toBe(200);
});

it("refuses what it does not understand", async () => {
  const bodies = [
    {},
    payin(0),
    payin(1.5),
    payin(10_000_000_000_001),
    payin(100, { extra: 1 }),
    payin(100, { reference: "a b" }),
    payin(100, { amount: "100" }),
    payin(100, { expires_at: "tomorrow" }),
  ];
  for (const body of bodies) expect((await post("/payins", body)).status).toBe(400);
  for (const body of [{ project_id: "p", seconds: 0 }, { project_id: "p", seconds: 1.5 }, { seconds: 5 }])
    expect((await post("/clock", body)).status).toBe(400);
  for (const body of [
    { kind: "slow" },
    { kind: "worse", project_id: "p" },
    { kind: "slow", project_id: "p", reference: "r" },
  ])
    expect((await post("/faults", body)).status).toBe(400);
});

it("answers 409 for the same reference with another request", async () => {
  for (const [path, body] of [
    ["/payins", payin(700)],
    ["/payouts", payout(700)],
  ] as const) {
    const first = await post(path, body);
    expect(first.status).toBe(200);
    expect(await post(path, body)).toEqual(first);
    for (const change of [{ amount: 800 }, { project_id: "other" }, { currency: "KZT" }, { method: "sbp-p2p" }])
      expect((await post(path, { ...body, ...change })).status).toBe(409);
  }
});

it("has no requisites for a method it does not know", async () => {
  expect((await post("/payins", payin(700, { method: "barter" }))).json.status).toBe("no_requisites");
});

it("never lends one requisite to two open requests of the same amount", async () => {
  const client = new pg.Client(sandbox.connection);
  await client.connect();
  const [one, other] = [payin(900), payin(900)];
  await Promise.all([post("/payins", one), post("/payins", other)]);
  const lend = (status: string) =>
    client.query(
      `update sandbox.payins p set status = $3, requisite_value = o.requisite_value
       from sandbox.payins o where p.reference = $1 and o.reference = $2`,
      [one.reference, other.reference, status],
    );
  await expect(lend("active")).rejects.toThrow(/payins_requisite_once/);
  await lend("closed");
  await client.end();
});

it("keeps books of what really arrived and left, by currency and page by page", async () => {
  const project_id = newReference();
  for (const amount of [101, 201]) await post("/payins", payin(amount, { project_id }));
  await post("/payins", payin(301, { project_id, currency: "KZT" }));
  for (const amount of [1_000, 1_001, 1_002, 1_003]) await post("/payouts", { ...payout(amount), project_id });
  await control.moveClock(project_id, 5);
  expect(await control.readBooks(project_id)).toEqual({
    arrived: [
      { currency: "KZT", amount: "301", entries: 1 },
      { currency: "RUB", amount: "302", entries: 2 },
    ],
    left: [{ currency: "RUB", amount: "1000", entries: 1 }],
  });
  const listed: number[] = [];
  let after: number | null = 0;
  while (after !== null) {
    const page: Awaited<ReturnType<SandboxControl["listEntries"]>> = await control.listEntries({
      projectId: project_id,
      after,
      limit: 3,
    });
    if (page === undefined) throw new Error("no page");
    listed.push(...page.entries.map(({ amount }) => amount));
    after = page.next;
  }
  expect(listed.sort((left, right) => left - right)).toEqual([101, 201, 301, 1000]);
});

function toldOf(reference: string): Told[] {
  return told.filter((each) => each.reference === reference);
}

it("tells of every change, and again after an answer that is not 2xx", async () => {
  status = 503;
  const body = payout(500);
  await post("/payouts", body);
  await expect.poll(() => toldOf(body.reference).length).toBe(1);
  status = 200;
  await expect
    .poll(async () => {
      await control.moveClock(body.project_id, 20);
      return toldOf(body.reference).map(({ id }) => id).length;
    })
    .toBe(3);
  expect(new Set(toldOf(body.reference).map(({ id }) => id)).size).toBe(2);
});

it("tells twice, in the wrong order or garbage when it is told to", async () => {
  const twice = payin(500);
  await control.addFault({ reference: twice.reference, kind: "duplicate" });
  await post("/payins", twice);
  await control.sendMoney(twice.reference, 500);
  await expect.poll(() => toldOf(twice.reference).length).toBe(2);
  expect(new Set(toldOf(twice.reference).map(({ id }) => id)).size).toBe(1);

  const swapped = payin(500);
  await control.addFault({ reference: swapped.reference, kind: "out_of_order" });
  await post("/payins", swapped);
  await control.sendMoney(swapped.reference, 500);
  // The first notification takes the fault. If both were there, the courier could give it to the second.
  await expect.poll(() => countHeldBack(swapped.reference)).toBe(1);
  await control.cancelPayin(swapped.reference);
  await expect.poll(() => toldOf(swapped.reference).length).toBe(1);
  await control.moveClock(swapped.project_id, 5);
  await expect.poll(() => toldOf(swapped.reference).length).toBe(2);
  expect(toldOf(swapped.reference).map(({ text }) => JSON.parse(text).event)).toEqual([
    "payin.status",
    "payin.transfer",
  ]);

  const garbled = payin(500);
  await control.addFault({ reference: garbled.reference, kind: "garbage", call: "notification" });
  await post("/payins", garbled);
  await control.sendMoney(garbled.reference, 500);
  await expect.poll(() => told.filter(({ text }) => text.includes("<<<<")).length).toBe(1);
});

async function countHeldBack(reference: string): Promise<number> {
  const client = new pg.Client(sandbox.connection);
  await client.connect();
  const text = "select from sandbox.notifications where reference = $1 and held_back";
  return client
    .query(text, [reference])
    .then(({ rows }) => rows.length)
    .finally(() => client.end());
}

it("makes as many faults as were requested, for a project or a call", async () => {
  const project_id = newReference();
  await control.addFault({ projectId: project_id, kind: "error500_after_success", call: "create", times: 2 });
  const statuses: number[] = [];
  for (let count = 0; count < 3; count += 1) statuses.push((await post("/payins", payin(500, { project_id }))).status);
  expect(statuses).toEqual([500, 500, 200]);
  expect((await post("/payins", payin(500))).status).toBe(200);

  await control.addFault({ projectId: project_id, kind: "reset", times: "always" });
  for (let count = 0; count < 2; count += 1) expect((await post("/payins", payin(500, { project_id }))).status).toBe(0);
  await control.clearFaults(project_id);
  expect((await post("/payins", payin(500, { project_id }))).status).toBe(200);
});

it("goes on after a restart: requests, timers, faults and notifications are all still there", async () => {
  const body = payin(501);
  status = 503;
  await post("/payins", body);
  await control.cancelPayin(body.reference);
  await control.addFault({ reference: body.reference, kind: "error500_before", call: "state" });
  await sandbox.restart();
  connect();
  status = 200;
  expect(await channel.ask("GET", `/payins/${body.reference}`)).toMatchObject({ status: 500 });
  await control.moveClock(body.project_id, 60);
  const answer = await channel.ask("GET", `/payins/${body.reference}`);
  expect(answer.kind === "answered" && JSON.parse(answer.body.toString()).transfers).toHaveLength(1);
  await expect
    .poll(() => new Set(toldOf(body.reference).map(({ text }) => JSON.parse(text).event)))
    .toEqual(new Set(["payin.status", "payin.transfer"]));
});
