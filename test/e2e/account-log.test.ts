import { beforeAll, describe, expect, it } from "vitest";
import { signRequest } from "../../sdk/src/index.ts";
import type { Id } from "../../src/core/ids.ts";
import { newId } from "../../src/platform/new-id.ts";
import { type AccountClient, aMember, openAccountClient, sessionOf } from "../../src/testing/account-client.ts";
import { aProject } from "../../src/testing/builders/projects.ts";
import { useTestDatabase } from "../../src/testing/database/test-database.ts";
import { sendRaw } from "../../src/testing/http/raw-http.ts";
import { aClient, type NewClient, payinBody, payoutBody, TEST_PAN } from "../../src/testing/service/merchant-client.ts";
import { startForTest, useTestService } from "../../src/testing/service/test-service.ts";

const database = useTestDatabase();
const { db } = database;
const service = useTestService(database);

let shop: NewClient;
let developer: AccountClient;
const SOON = { timeout: 30_000, interval: 100 };
const PAYIN = "/api/v1/payment/p2p/payin";

beforeAll(async () => {
  shop = await aClient(db, service);
  developer = await developerOf(shop.credentials.merchantId as Id);
});

async function developerOf(merchantId: Id): Promise<AccountClient> {
  const member = await aMember(db, merchantId, "developer");
  return openAccountClient(service.url(), (await sessionOf(db, member)).token);
}

type Row = Readonly<Record<string, unknown>> & {
  readonly id: string;
  readonly payment_id: string;
  readonly code: string;
};

async function rowsOf(query = "", client = developer): Promise<Row[]> {
  const { status, json } = await client.get(`log${query}`);
  expect(status).toBe(200);
  return json.rows;
}

/** Calls are written a second after they were answered. */
async function until(query: string, count: number, client = developer): Promise<Row[]> {
  await expect.poll(async () => (await rowsOf(query, client)).length, SOON).toBe(count);
  return rowsOf(query, client);
}

/** As any program may send it; by itself with a good signature. */
function send(body: string, change: Record<string, string | undefined> = {}) {
  const timestamp = Math.floor(Date.now() / 1000);
  const signed = signRequest({ credentials: shop.credentials, path: PAYIN, rawBody: body, timestamp, scheme: 2 });
  const headers = Object.entries({ ...signed, ...change }).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  );
  return sendRaw({ url: service.url() + PAYIN, headers, body });
}

describe("the request log", () => {
  it("has a call with its bodies, its key, its time and the payment, and nothing of the receiver", async () => {
    const paymentId = newId();
    const answer = await shop.payout(payoutBody(shop.projectId, { general: { payment_id: paymentId } }));
    expect(answer.json.code).toBe("insufficient_balance");
    const made = await shop.payin(payinBody(shop.projectId, { general: { payment_id: `in-${paymentId}` } }));
    const [payin, payout] = await until(`?q=${paymentId}`, 2);
    expect(payin).toMatchObject({
      ...{ method: "POST", path: PAYIN, status: 200, code: null, address: "127.0.0.1", is_signed: true },
      ...{ payment_id: `in-${paymentId}`, request_id: made.json.request_id, key: { label: "test" }, book: "test" },
      ...{ id: made.headers["x-request-id"], latency_ms: expect.any(Number), project_id: shop.projectId },
    });
    expect(payout).toMatchObject({ status: 422, code: "insufficient_balance", message: expect.any(String) });
    const { json } = await developer.get(`log/${payout?.id}`);
    expect(JSON.parse(json.request).receiver).toEqual({ pan: `************${TEST_PAN.slice(-4)}` });
    expect(JSON.parse(json.answer)).toEqual(answer.json);
    expect(json.curl).toContain("$SIGNATURE");
    expect(JSON.stringify(json)).not.toContain(TEST_PAN);
    expect(JSON.stringify(json)).not.toContain(shop.credentials.kind === "hmac" ? shop.credentials.secret : "?");
  });

  it("has a call again as a replay, one that is refused for its body, and one of an unusual form", async () => {
    const body = payinBody(shop.projectId, { general: { payment_id: "log-again" } });
    await shop.payin(body);
    await shop.payin(body);
    await shop.payin({ ...body, unknown: { pan: TEST_PAN } });
    // One that waits to be told to go on is taken by the framework; and one with a type that is refused there.
    expect((await send(JSON.stringify(body), { expect: "something" })).status).toBe(200);
    expect((await send(JSON.stringify(body), { "content-type": "text/plain" })).status).toBe(415);
    const rows = await until("?q=log-again", 5);
    expect(rows.map(({ code, is_replay, is_signed }) => [code, is_replay, is_signed])).toEqual([
      ["content_type_unsupported", false, false],
      [null, true, true],
      ["validation_failed", false, true],
      [null, true, true],
      [null, false, true],
    ]);
  });

  it("has what integrating developers get wrong, under the project that they name", async () => {
    const name = `stranger-${newId()}`;
    const body = JSON.stringify(payinBody(shop.projectId, { general: { payment_id: name } }));
    expect((await send(body, { "x-access-signature": "AAAA" })).json.code).toBe("signature_invalid");
    expect((await send(body, { "x-access-timestamp": "1000000000" })).json.code).toBe("timestamp_out_of_window");
    expect((await send(body, { "x-access-token": "a token of nobody" })).json.code).toBe("signature_invalid");
    expect((await send(body, { "x-access-signature": undefined })).json.code).toBe("auth_header_missing");
    const rows = await until(`?q=${name}`, 4);
    expect(rows.map(({ code, is_signed, key }) => [code, is_signed, key !== null])).toEqual([
      ["auth_header_missing", false, true],
      ["signature_invalid", false, false],
      ["timestamp_out_of_window", false, true],
      ["signature_invalid", false, true],
    ]);
    expect(await rowsOf(`?q=${name}&status=ok`)).toEqual([]);
    expect(await rowsOf(`?q=${name}&status=4xx`)).toHaveLength(4);
    expect(await rowsOf(`?q=${name}&status=5xx`)).toEqual([]);
  });

  it("keeps few of a stranger's calls, counts the rest, and loses none of the project's own", async () => {
    const other = await aClient(db, service);
    const reader = await developerOf(other.credentials.merchantId as Id);
    const body = JSON.stringify({ general: { project_id: other.projectId } });
    for (let number = 0; number < 90; number += 1) await sendRaw({ url: service.url() + PAYIN, body });
    await other.available();
    await until("?status=ok", 1, reader);
    await expect.poll(async () => (await reader.get("log")).json.missed, SOON).toBeGreaterThan(0);
    const { json } = await reader.get("log?status=error");
    const next = json.next === null ? [] : await rowsOf(`?status=error&cursor=${json.next}`, reader);
    expect(json.rows.length + next.length + json.missed).toBe(90);
    expect(json.rows.length + next.length).toBeLessThan(75);
    // What a stranger sent is no other merchant's.
    expect(await rowsOf(`?project=${shop.projectId}&q=auth_header_missing`)).toHaveLength(1);
  });

  it("shows nothing of another merchant, and refuses a filter that it does not know", async () => {
    const [row] = await rowsOf();
    const foreign = await developerOf((await aProject(db)).merchantId);
    await service.settled();
    expect(await rowsOf("", foreign)).toEqual([]);
    expect((await foreign.get(`log?project=${shop.projectId}`)).status).toBe(404);
    expect((await foreign.get(`log/${row?.id}`)).status).toBe(404);
    expect((await developer.get(`log/${row?.id}`)).status).toBe(200);
    for (const query of ["?status=200", "?cursor=1", "?x=1", "?from=today"])
      expect((await developer.get(`log${query}`)).status).toBe(400);
  });

  it("is written whole when the process stops, and not at all where it is off", async () => {
    const client = await aClient(db, service);
    const count = async () => {
      const [row] = await db.run<{ calls: number }>({
        text: "select coalesce(sum(call_count), 0)::int as calls from request_log where project_id = $1",
        values: [client.projectId],
      });
      return row?.calls;
    };
    const env = { TILLGATE_DATA_DIR: service.stateDir, TILLGATE_SANDBOX_DATABASE_URL: database.sandboxUrl };
    for (const [log, calls] of [
      ["off", 0],
      ["on", 20],
    ] as const) {
      const sibling = await startForTest(database.url, { ...env, TILLGATE_REQUEST_LOG: log }, { role: "api" });
      const body = JSON.stringify({ general: { project_id: client.projectId } });
      const path = "/api/v1/balance/info";
      const timestamp = Math.floor(Date.now() / 1000);
      const headers = Object.entries(
        signRequest({ credentials: client.credentials, path, rawBody: body, timestamp, scheme: 2 }),
      );
      for (let number = 0; number < 20; number += 1) {
        expect((await sendRaw({ url: sibling.localUrl + path, headers, body })).status).toBe(200);
      }
      await sibling.stop();
      expect(await count()).toBe(calls);
    }
  });
});
