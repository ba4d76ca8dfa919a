import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { signRequest, verifyStandardWebhook } from "../../sdk/src/index.ts";
import { openCallbackVerifier } from "../../src/app/callbacks/verify-callback.ts";
import { configureProject } from "../../src/app/merchants/merchants.ts";
import type { Id } from "../../src/core/ids.ts";
import { newId } from "../../src/platform/new-id.ts";
import { type AccountClient, aMember, openAccountClient, sessionOf } from "../../src/testing/account-client.ts";
import { aCallback, callbackRow, disableUrl } from "../../src/testing/builders/callbacks.ts";
import { aProject } from "../../src/testing/builders/projects.ts";
import { useTestDatabase } from "../../src/testing/database/test-database.ts";
import { ACCEPT, type CallbackReceiver, openCallbackReceiver } from "../../src/testing/http/callback-receiver.ts";
import { aClient, payinBody } from "../../src/testing/service/merchant-client.ts";
import { useTestService } from "../../src/testing/service/test-service.ts";

/** Callbacks in the personal account, as a browser asks for them. */
const database = useTestDatabase();
const { db } = database;
const service = useTestService(database);

let merchantId: Id;
let projectId: Id;
let developer: AccountClient;
let receiver: CallbackReceiver;

beforeAll(async () => {
  ({ merchantId, projectId } = await aProject(db, "live"));
  receiver = await openCallbackReceiver();
  await configureProject(db, projectId, { settings: { callbackUrl: `${receiver.url}/callbacks` } });
  developer = await clientOf(merchantId);
  await service.settled();
});
afterAll(() => receiver.close());

async function clientOf(merchant: Id): Promise<AccountClient> {
  const member = await aMember(db, merchant, "developer");
  return openAccountClient(service.url(), (await sessionOf(db, member, { steppedUp: true })).token);
}

/** A project of a merchant of its own, so that lists and limits of tests do not meet. */
async function aShop(path?: string) {
  const made = await aProject(db);
  // Without a URL the worker makes no callbacks beside those of the test.
  const callbackUrl = path === undefined ? null : `${receiver.url}${path}`;
  await configureProject(db, made.projectId, { settings: { callbackUrl } });
  const client = await clientOf(made.merchantId);
  await service.settled();
  return { ...made, client, at: `callbacks/projects/${made.projectId}` };
}

type Line = { readonly action: string; readonly actor: string; readonly before: unknown; readonly after: unknown };

function auditOf(merchant: Id): Promise<Line[]> {
  return db.run<Line>({
    text: `select action, actor, before, after from audit_log
            where merchant_id = $1 and action like 'callbacks.%' order by id`,
    values: [merchant],
  });
}

describe("the set-up", () => {
  it("shows and changes the URLs, by the rules of callbacks, and writes down what they were", async () => {
    const { client, at, merchantId: merchant } = await aShop("/shop");
    const before = (await client.get(at)).json;
    expect(before).toMatchObject({
      callback_url: `${receiver.url}/shop`,
      success_callback_url: null,
      disabled_urls: [],
    });
    for (const url of ["ftp://shop.example/", "https://user@shop.example/", "https://shop.example/#a", "shop"]) {
      const { status, json } = await client.post(`${at}/url`, { name: "success_callback_url", url });
      expect([url, status, json.error.fields[0].field]).toEqual([url, 400, "url"]);
    }
    const url = "https://shop.example/paid";
    expect((await client.post(`${at}/url`, { name: "success_callback_url", url })).status).toBe(200);
    expect((await client.post(`${at}/url`, { name: "success_callback_url", url })).status).toBe(200);
    expect((await client.post(`${at}/url`, { name: "callback_url", url: "" })).status).toBe(200);
    expect((await client.get(at)).json).toMatchObject({ callback_url: null, success_callback_url: url });
    expect(await auditOf(merchant)).toEqual([
      expect.objectContaining({
        action: "callbacks.url",
        before: { success_callback_url: null },
        after: { success_callback_url: url },
      }),
      expect.objectContaining({ before: { callback_url: `${receiver.url}/shop` }, after: { callback_url: null } }),
    ]);
  });

  it("makes, promotes and retires secrets, shows each once, and lets both sign meanwhile", async () => {
    const { client, at, merchantId: merchant, projectId: project } = await aShop("/shop");
    const first = (await client.post(`${at}/signing`, { callback_signing: "hmac" })).json.secret as string;
    expect(first).toMatch(/^cs_[0-9a-f]{64}$/);
    expect((await client.post(`${at}/keys/promote`)).json.error.code).toBe("wrong_state");
    expect((await client.post(`${at}/keys/end`, { kind: "hmac" })).json.error.code).toBe("wrong_state");
    const second = (await client.post(`${at}/keys/new`, { kind: "hmac", overlap_days: 3 })).json.secret as string;
    expect((await client.post(`${at}/keys/new`, { kind: "hmac" })).json.error.code).toBe("wrong_state");
    expect((await client.post(`${at}/keys/new`, { kind: "hmac", overlap_days: 91 })).status).toBe(400);
    const webhook = (await client.post(`${at}/keys/new`, { kind: "webhook" })).json.secret as string;
    const signs = async () =>
      (await client.get(at)).json.keys
        .filter(({ kind }: { kind: string }) => kind === "hmac")
        .map((key: { signs: string }) => key.signs);
    expect(await signs()).toEqual(["x-access-signature", "x-access-signature-next"]);
    await service.settled();
    await expectSignedBy(client, at, { project, webhook, hmac: first });
    expect((await client.post(`${at}/keys/promote`)).status).toBe(200);
    expect(await signs()).toEqual(["x-access-signature-next", "x-access-signature"]);
    await service.settled();
    await expectSignedBy(client, at, { project, webhook, hmac: second });
    expect((await client.post(`${at}/keys/end`, { kind: "hmac" })).status).toBe(200);
    expect(await signs()).toEqual(["x-access-signature"]);
    const view = JSON.stringify((await client.get(at)).json);
    const lines = await auditOf(merchant);
    for (const secret of [first, second, webhook]) {
      expect(view).not.toContain(secret);
      expect(JSON.stringify(lines)).not.toContain(secret);
    }
    expect(lines.map(({ action }) => action).filter((action) => action !== "callbacks.test")).toEqual([
      "callbacks.signing",
      "callbacks.key_add",
      "callbacks.key_add",
      "callbacks.key_add",
      "callbacks.key_promote",
      "callbacks.key_end",
    ]);
  });

  async function expectSignedBy(
    client: AccountClient,
    at: string,
    { project, webhook, hmac }: { project: string; webhook: string; hmac: string },
  ): Promise<void> {
    expect((await client.post(`${at}/test`, { event: "payin_success" })).json.verdict).toBe("delivered");
    const got = receiver.received.at(-1);
    if (got === undefined) throw new Error("nothing came");
    const publicKeyPem = (await developer.get(`callbacks/projects/${projectId}`)).json.keys.find(
      ({ kind }: { kind: string }) => kind === "rsa",
    ).public_key_pem;
    const verify = openCallbackVerifier({ projectId: project, publicKeyPem, webhookSecret: webhook, hmacSecret: hmac });
    expect(await verify(got, Date.now())).toMatchObject({ accessFault: undefined, webhookFault: undefined });
    expect(verifyStandardWebhook({ headers: got.headers, rawBody: got.rawBody, secret: webhook }).project_id).toBe(
      project,
    );
  }

  it("switches a URL that said 410 on again, and what waited is sent", async () => {
    const { client, at, projectId: project } = await aShop();
    const url = `${receiver.url}/gone`;
    const held = await aCallback(db, project, { url, dueInS: 3_600 });
    await disableUrl(db, project, url);
    expect((await client.get(at)).json.disabled_urls).toEqual([{ url, disabled_at: expect.any(String), held: 1 }]);
    expect((await client.post(`callbacks/${held.id}/replay`)).json.error.code).toBe("wrong_state");
    expect((await client.post(`${at}/enable`, { url })).status).toBe(200);
    expect((await client.post(`${at}/enable`, { url })).json.error.code).toBe("wrong_state");
    await delivered(held);
  });
});

function delivered(callback: { readonly projectId: Id; readonly id: Id }): Promise<void> {
  return vi.waitFor(async () => expect((await callbackRow(db, callback)).state).toBe("delivered"), {
    timeout: 60_000,
    interval: 20,
  });
}

describe("a test callback", () => {
  it("is a signed event of a payment that cannot exist, and its answer is shown, bounded and masked", async () => {
    const { client, at, projectId: project } = await aShop();
    receiver.answerWith(() => ({
      status: 418,
      headers: { "x-shop": "teapot", "x-long": "y".repeat(2_000), "set-cookie": "session=secret" },
      body: `card 4111111111111111 ${"x".repeat(5_000)}`,
    }));
    const { json } = await client.post(`${at}/test`, { event: "payin_different_amount", url: `${receiver.url}/typed` });
    receiver.answerWith(ACCEPT);
    const got = receiver.received.at(-1);
    const { body } = got as unknown as { body: Record<string, Record<string, unknown>> };
    expect(got?.path).toBe("/typed");
    expect(json.request.body).toBe(got?.rawBody.toString());
    expect(Object.fromEntries(json.request.headers)["webhook-signature"]).toBe(got?.headers["webhook-signature"]);
    expect(body.general).toEqual({
      request_id: "0".repeat(32),
      payment_id: `tillgate-test-callback-${body.event?.id}`,
    });
    expect(body.event?.test).toBe(true);
    expect(body.status).toMatchObject({ status: "dispute", sub_status: "different_amount" });
    expect([json.verdict, json.answer.status, json.answer.truncated]).toEqual(["retried", 418, true]);
    expect(json.answer.headers).toContainEqual(["x-shop", "teapot"]);
    expect(json.answer.headers).toContainEqual(["x-long", "y".repeat(512)]);
    expect(JSON.stringify(json.answer)).not.toMatch(/4111111111111111|session=/);
    expect(json.answer.body.length).toBeLessThanOrEqual(2_048);
    const rows = await db.run({ text: "select id from callbacks where project_id = $1", values: [project] });
    expect(rows).toEqual([]);
  });

  it("of 410 disables nothing, a guarded address is not asked, and a missing URL is said", async () => {
    const { client, at } = await aShop("/shop");
    receiver.answerWith(() => ({ status: 410 }));
    expect((await client.post(`${at}/test`, { event: "payin_decline" })).json.verdict).toBe("disables_url");
    receiver.answerWith(ACCEPT);
    expect((await client.get(at)).json.disabled_urls).toEqual([]);
    const guarded = (await client.post(`${at}/test`, { event: "payin_decline", url: "http://10.0.0.1/" })).json;
    expect([guarded.verdict, guarded.failure, guarded.answer]).toEqual(["retried", "address_not_allowed", null]);
    expect((await client.post(`${at}/test`, { event: "payin_decline", url: "file:///etc/passwd" })).status).toBe(400);
    expect((await client.post(`${at}/test`, { event: "nothing" })).status).toBe(400);
    await client.post(`${at}/url`, { name: "callback_url", url: "" });
    await service.settled();
    expect((await client.post(`${at}/test`, { event: "payout_success" })).json.error.code).toBe("wrong_state");
  });

  it("is sent ten times a minute for a project, however many ask at once", async () => {
    const { client, at, merchantId: merchant } = await aShop("/shop");
    const asked = Array.from({ length: 14 }, () => client.post(`${at}/test`, { event: "payin_success" }));
    const statuses = (await Promise.all(asked)).map(({ status }) => status).sort();
    expect(statuses).toEqual([...Array(10).fill(200), ...Array(4).fill(429)]);
    expect((await auditOf(merchant)).length).toBe(10);
  });
});

describe("deliveries", () => {
  it("are listed by state, URL and date, with counts that are the endpoint's", async () => {
    const { client, projectId: project } = await aShop();
    const far = { dueInS: 3_600 };
    const other = "https://other.example/a";
    await aCallback(db, project, { state: "delivered", attempts: [500, 200] });
    await aCallback(db, project, { state: "dead", attempts: ["timeout"], createdAt: new Date("2026-01-31T10:00:00Z") });
    await aCallback(db, project, { state: "dead", url: other, attempts: [503] });
    await aCallback(db, project, { ...far, attempts: [404] });
    await aCallback(db, project, far);
    await aCallback(db, project, { ...far, url: `${other}/gone` });
    await disableUrl(db, project, `${other}/gone`);
    const count = async (query: string) => (await client.get(`callbacks?${query}`)).json.count;
    const states = ["dead", "failing", "waiting", "held", "delivered", "dismissed"];
    const counts = await Promise.all(states.map((state) => count(`state=${state}`)));
    expect(counts).toEqual([2, 1, 1, 1, 1, 0]);
    expect(await count("state=dead&to=2026-02-01")).toBe(1);
    expect(await count("state=dead&url=https://other.example")).toBe(1);
    expect(await count("state=dead&url=https://other.example/a")).toBe(1);
    expect(await count("state=dead&url=https://other.example/b")).toBe(0);
    const [row] = (await client.get("callbacks?url=https://other.example")).json.rows;
    expect(row).toMatchObject({ state: "dead", last_status: 503, last_failure: null, attempts: 1, book: "test" });
    const { endpoints } = (await client.get("callbacks/health")).json;
    expect(endpoints).toEqual([
      expect.objectContaining({
        ...{ origin: "https://shop.example", written: 3, delivered: 1, attempts: 3, failed_attempts: 2 },
        ...{ average_ms: 12, p95_ms: 12, dead: 1, failing: 1, waiting: 1, held: 0 },
      }),
      expect.objectContaining({ origin: "https://other.example", last_error: "503", dead: 1, held: 1, failing: 0 }),
    ]);
    for (const wrong of ["state=x", "cursor=x", "url=", "days=3", "from=2026-02-30"])
      expect([wrong, (await client.get(`callbacks?${wrong}`)).status]).toEqual([wrong, 400]);
    expect((await client.get("callbacks/health?days=2")).status).toBe(400);
    for (const path of ["callbacks", "callbacks/health"]) {
      const foreign = await client.get(`${path}?project=${projectId}`);
      expect([foreign.status, foreign.json]).toEqual([404, (await client.get(`${path}?project=${newId()}`)).json]);
    }
  });

  it("go on page by page, each callback once", async () => {
    const { client, projectId: project } = await aShop();
    const made: string[] = [];
    for (let n = 0; n < 53; n += 1) made.push((await aCallback(db, project, { state: "dead" })).id);
    const first = (await client.get("callbacks")).json;
    const second = (await client.get(`callbacks?cursor=${first.next}`)).json;
    const ids = [...first.rows, ...second.rows].map(({ id }: { id: string }) => id);
    expect([first.rows.length, first.count, second.next]).toEqual([50, 53, null]);
    expect(ids).toEqual(made.reverse());
  });

  it("are sent again one by one, several, or all that match; each the same event, with who did it", async () => {
    const { client, projectId: project, merchantId: merchant } = await aShop();
    const url = `${receiver.url}/again`;
    const dead = { url, state: "dead", attempts: [500] } as const;
    const [one, two, three, accepted] = [
      await aCallback(db, project, dead),
      await aCallback(db, project, dead),
      await aCallback(db, project, dead),
      await aCallback(db, project, { url, state: "delivered", attempts: [200] }),
    ];
    const foreign = await aCallback(db, projectId, dead);
    expect((await client.post(`callbacks/${one.id}/replay`)).json).toMatchObject({ replayed: 1, last_due_in_s: 0 });
    await delivered(one);
    expect(receiver.received.filter(({ body }) => body.event.id === one.id)).toHaveLength(1);
    expect((await callbackRow(db, one)).replayedBy).toMatch(/@shop\.example$/);
    const some = await client.post("callbacks/replay", { ids: [two.id, accepted.id, foreign.id, newId()] });
    expect(some.json.replayed).toBe(2);
    await Promise.all([delivered(two), delivered(accepted)]);
    expect((await client.post("callbacks/replay", { filter: { state: "dead", url } })).json.replayed).toBe(1);
    await delivered(three);
    expect((await callbackRow(db, foreign)).state).toBe("dead");
    expect((await client.post("callbacks/replay", { filter: { state: "dead", url } })).json.error.code).toBe(
      "wrong_state",
    );
    for (const body of [{}, { ids: [] }, { ids: [one.id], filter: {} }, { filter: { state: "x" } }, { ids: ["x"] }])
      expect([body, (await client.post("callbacks/replay", body)).status]).toEqual([body, 400]);
    const lines = await auditOf(merchant);
    expect(lines.map(({ action, before, after }) => [action, before, after])).toEqual([
      ["callbacks.replay", { state: "dead" }, { state: "pending", callbacks: 1 }],
      ...[
        ["callbacks.replay", { state: "dead" }, { state: "pending", callbacks: 1 }],
        ["callbacks.replay", { state: "delivered" }, { state: "pending", callbacks: 1 }],
      ],
      ["callbacks.replay", { state: "dead" }, { state: "pending", callbacks: 1 }],
    ]);
  });

  it("that were given up are dismissed: the overview does not count them, and they can still be sent", async () => {
    const { client, projectId: project, merchantId: merchant } = await aShop();
    const url = `${receiver.url}/dismissed`;
    const dead = await aCallback(db, project, { url, state: "dead" });
    const waiting = await aCallback(db, project, { dueInS: 3_600 });
    const attention = async () =>
      (await client.get("overview?days=1")).json.attention.filter(
        ({ kind }: { kind: string }) => kind === "dead_callbacks",
      );
    expect(await attention()).toMatchObject([{ count: 1 }]);
    expect((await client.post(`callbacks/${waiting.id}/dismiss`)).json.error.code).toBe("wrong_state");
    expect((await client.post("callbacks/dismiss", { ids: [dead.id, waiting.id] })).json).toEqual({ dismissed: 1 });
    expect((await client.post(`callbacks/${dead.id}/dismiss`)).json.error.code).toBe("wrong_state");
    expect(await attention()).toEqual([]);
    expect((await client.get("callbacks?state=dismissed")).json.count).toBe(1);
    expect((await client.post(`callbacks/${dead.id}/replay`)).json.replayed).toBe(1);
    await delivered(dead);
    expect((await auditOf(merchant)).map(({ action }) => action)).toEqual(["callbacks.dismiss", "callbacks.replay"]);
  });
});

describe("copy as curl", () => {
  it("is a command that works, once its variables are there", async () => {
    const { credentials, projectId: project, payin } = await aClient(db, service);
    const paymentId = `it's "$HOME"`;
    const created = await payin(payinBody(project, { general: { payment_id: paymentId } }));
    const requestId = created.json.request_id;
    const client = await clientOf(credentials.merchantId as Id);
    const { curl } = (await client.get(`payments/${requestId}`)).json;
    const rawBody = JSON.stringify({ general: { project_id: project, payment_id: paymentId } });
    const timestamp = Math.floor(Date.now() / 1000);
    const signed = signRequest({ credentials, path: "/api/v1/payment/p2p/payin/info", rawBody, timestamp });
    const env = {
      PATH: process.env.PATH,
      TIMESTAMP: signed["x-access-timestamp"],
      MERCHANT_ID: signed["x-access-merchant-id"],
      ACCESS_TOKEN: signed["x-access-token"],
      ALGORITHM: signed["x-access-merchant-algorithm"],
      SIGNATURE: signed["x-access-signature"],
    };
    const { stdout } = await promisify(execFile)("sh", ["-c", curl], { env });
    expect(JSON.parse(stdout)).toMatchObject({ request_id: requestId, payment_id: paymentId });
  });
});
