import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { signRequest } from "../../sdk/src/index.ts";
import { useDatabaseDoor } from "../../src/testing/database/database-door.ts";
import { useTestDatabase } from "../../src/testing/database/test-database.ts";
import { type RawAnswer, sendRaw } from "../../src/testing/http/raw-http.ts";
import { aClient, type NewClient, payinBody } from "../../src/testing/service/merchant-client.ts";
import { useTestService } from "../../src/testing/service/test-service.ts";

/** What callers see while the database is away: 503, soon, and never that they did something wrong. */
const DEADLINE_MS = 2_000;
const database = useTestDatabase();
const { db } = database;
const door = useDatabaseDoor(database);
const ENV = {
  TILLGATE_REQUEST_DEADLINE_MS: String(DEADLINE_MS),
  TILLGATE_AUTH_FAILURES_BURST: "100",
  TILLGATE_AUTH_FAILURES_PER_SECOND: "2",
};
const service = useTestService(door.database, ENV, "api");
let client: NewClient;

beforeAll(async () => {
  client = await aClient(db, service);
});
afterEach(() => door.open());

const BALANCE = "/api/v1/balance/info";

/** On a connection of its own, so that any number of them are under way at once. */
function balance(): Promise<RawAnswer> {
  const body = JSON.stringify({ general: { project_id: client.projectId } });
  const timestamp = Math.floor(Date.now() / 1000);
  const headers = Object.entries(
    signRequest({ credentials: client.credentials, path: BALANCE, rawBody: body, timestamp }),
  );
  return sendRaw({ url: service.url() + BALANCE, headers, body });
}

async function readiness(): Promise<{ readonly status: number; readonly text: string }> {
  const answer = await fetch(`${service.url()}/readyz`);
  return { status: answer.status, text: await answer.text() };
}

function linesSince(start: number): { readonly level: string; readonly msg: string; readonly ms?: number }[] {
  return service
    .logLines()
    .slice(start)
    .map((line) => JSON.parse(line));
}

/** A process trusts its copy of the directory for four seconds after it was last confirmed. */
const STALE_AFTER_MS = 4_100;

const CALLS = 500;
/** A statement that is not answered is given up after eight seconds; a busy machine takes a few of its own. */
const WITHOUT_DEADLINE_MS = 7_000;

describe.each(["freeze", "shut"] as const)("while the database is away (%s)", (how) => {
  it("500 good calls of one address are answered 503, and the first one after it is 200", async () => {
    const start = service.logLines().length;
    door[how]();
    await sleep(STALE_AFTER_MS);
    const answers = await Promise.all(Array.from({ length: CALLS }, balance));
    expect(new Set(answers.map(({ status, json }) => `${status} ${json.code}`))).toEqual(new Set(["503 unavailable"]));
    for (const { headers } of answers) expect(headers["retry-after"]).toBe("1");
    for (const { ms = 0 } of linesSince(start)) expect(ms).toBeLessThan(WITHOUT_DEADLINE_MS);
    expect((await fetch(`${service.url()}/healthz`)).status).toBe(200);
    expect((await readiness()).status).toBe(503);
    door.open();
    expect(await balance()).toMatchObject({ status: 200 });
    const troubles = linesSince(start).filter(({ level }) => level === "warn" || level === "error");
    expect(troubles.filter(({ level }) => level === "error")).toEqual([]);
    expect(troubles.length).toBeLessThan(60);
    await vi.waitFor(async () => expect(await readiness()).toMatchObject({ status: 200 }), { timeout: 30_000 });
  });
});

it("a create that the database does not answer is 503 by the deadline, and its repeat is the same payment", async () => {
  expect(await balance()).toMatchObject({ status: 200 });
  const body = payinBody(client.projectId);
  door.freeze();
  const startedMs = performance.now();
  const [first, second] = await Promise.all([client.payin(body), client.payin(body)]);
  expect([first.status, second.status]).toEqual([503, 503]);
  expect(performance.now() - startedMs).toBeLessThan(WITHOUT_DEADLINE_MS);
  door.open();
  const again = await client.payin(body);
  expect(again.status).toBe(200);
  expect((await client.payin(body)).json.request_id).toBe(again.json.request_id);
});

/** What a primary is after another server took over: it answers, and takes no writes. */
async function whileReadOnly(work: () => Promise<void>): Promise<void> {
  const [row] = await db.run<{ name: string }>({ text: "select current_database() as name" });
  const change = (how: string) =>
    db.transaction(async (tx) => {
      await tx.run({ text: "set transaction read write" });
      await tx.run({ text: `alter database ${row?.name} ${how}` });
    });
  /** Settings are read by new connections. */
  const endConnections = () =>
    db.run({
      text: `select pg_terminate_backend(pid) from pg_stat_activity
              where datname = current_database() and application_name = 'tillgate service'`,
    });
  await change("set default_transaction_read_only = on");
  await endConnections();
  await work().finally(async () => {
    await change("reset default_transaction_read_only");
    await endConnections();
  });
}

it("a server that became a standby: reads go on, every write is 503 and no bug, and /readyz says why", async () => {
  const page = await client.post("/api/v1/widget/payin", widgetBody());
  const { form_url: url } = page.json.integration as { form_url: string };
  const start = service.logLines().length;
  const post = async (path: string, body: object): Promise<string> => {
    const headers = { "content-type": "application/json", origin: service.url(), "x-tillgate-account": "1" };
    const answer = await fetch(path, { method: "POST", headers, body: JSON.stringify(body) });
    return `${answer.status} ${answer.headers.get("retry-after")}`;
  };
  await whileReadOnly(async () => {
    await vi.waitFor(async () => expect((await readiness()).text).toContain("takes no writes"), { timeout: 30_000 });
    expect((await readiness()).status).toBe(503);
    expect(await balance()).toMatchObject({ status: 200 });
    const created = await client.payin(payinBody(client.projectId));
    expect([created.status, created.json.code, created.headers["retry-after"]]).toEqual([503, "unavailable", "1"]);
    expect(await post(`${url}/choose`, { method: "payin-p2p-card" })).toBe("503 1");
    const person = { email: "a@example.com", password: "some password" };
    expect(await post(`${service.url()}/account/api/sign-in`, person)).toBe("503 1");
    expect((await fetch(url)).status).toBe(200);
  });
  expect(linesSince(start).filter(({ level }) => level === "error")).toEqual([]);
  await vi.waitFor(async () => expect((await readiness()).status).toBe(200), { timeout: 30_000 });
  expect((await client.payin(payinBody(client.projectId))).status).toBe(200);
});

function widgetBody(): object {
  const { payment: _payment, ...rest } = payinBody(client.projectId) as { payment: object };
  return { ...rest, payment: { amount: 250_000, currency: "RUB" } };
}
