import { beforeAll, describe, expect, it } from "vitest";
import { type Credentials, signRequest } from "../../sdk/src/index.ts";
import { signedDeskCalls } from "../../src/api/sandbox/signed-door.ts";
import { SANDBOX_URL_SETTING } from "../../src/compose-sandbox.ts";
import { saveSetting } from "../../src/store/processes/settings.ts";
import { aMember, openAccountClient, sessionOf } from "../../src/testing/account-client.ts";
import { aProject } from "../../src/testing/builders/projects.ts";
import { useTestDatabase } from "../../src/testing/database/test-database.ts";
import { type RawAnswer, sendRaw } from "../../src/testing/http/raw-http.ts";
import { aClient, type NewClient, openMerchantClient, payinBody } from "../../src/testing/service/merchant-client.ts";
import { useTestService } from "../../src/testing/service/test-service.ts";
import { stateOf, useDesk } from "./sandbox-desk.ts";

/** Who may use the tester's desk, and for which projects: through each of its doors, and of nothing else. */
const database = useTestDatabase();
const service = useTestService(database);
const desk = useDesk(service, database);

const CALLS = signedDeskCalls({} as never).map(({ path }) => path);
/** What each call needs besides `general`. */
const BODIES: Readonly<Record<string, object>> = {
  "/sandbox/api/act": { action: "arrive" },
  "/sandbox/api/clock": { seconds: 60 },
  "/sandbox/api/faults": { kind: "slow", ms: 1 },
  "/sandbox/api/callbacks/answer": { status: 500 },
};
const ABOUT_PAYMENT: ReadonlySet<string> = new Set(["/sandbox/api/payment", "/sandbox/api/act"]);

function bodyFor(path: string, projectId: string, paymentId: string) {
  const general = ABOUT_PAYMENT.has(path)
    ? { project_id: projectId, payment_id: paymentId }
    : { project_id: projectId };
  return { general, ...BODIES[path] };
}

let other: NewClient;
let live: NewClient;
let otherPayment: string;

beforeAll(async () => {
  other = await aClient(database.db, service);
  live = await aClient(database.db, service, { book: "live" });
  const created = await other.payin(payinBody(other.projectId));
  otherPayment = created.json.payment_id;
});

/** All that a stranger could have changed of the other merchant's project. */
async function otherStands() {
  const general = { project_id: other.projectId };
  const read = async (name: string) => (await other.post(`/sandbox/api/${name}`, { general })).json;
  const [payments, faults, callbacks] = [await read("payments"), await read("faults/list"), await read("callbacks")];
  return { payments, faults, callbacks };
}

describe.each(CALLS)("%s", (path) => {
  const mine = () => desk.projectId();

  it("is for test projects only", async () => {
    const { status, json } = await live.post(path, bodyFor(path, live.projectId, "any"));
    expect([status, json.code, json.status_description]).toEqual([
      403,
      "project_forbidden",
      "the sandbox serves test projects only",
    ]);
  });

  it("does nothing to another merchant's project, nor to its payments", async () => {
    await expect.poll(async () => JSON.stringify(await otherStands())).toContain("awaiting_confirm");
    const before = await otherStands();
    const foreignProject = await desk.post(path, bodyFor(path, other.projectId, otherPayment));
    expect(foreignProject).toMatchObject({ status: 403, json: { code: "project_forbidden" } });
    if (ABOUT_PAYMENT.has(path)) {
      const foreignPayment = await desk.post(path, bodyFor(path, mine(), otherPayment));
      expect(foreignPayment).toMatchObject({ status: 404, json: { code: "payment_not_found" } });
    }
    expect(await otherStands()).toEqual(before);
  });

  it("refuses a wrong key, and a call without a signature", async () => {
    const wrong = { ...other.credentials, secret: "not the secret" } as Credentials;
    const { status, json } = await openMerchantClient(service.url, wrong).post(
      path,
      bodyFor(path, other.projectId, otherPayment),
    );
    expect([status, json.code]).toEqual([401, "signature_invalid"]);
    const headers = [["content-type", "application/json"]] as const;
    const body = JSON.stringify(bodyFor(path, other.projectId, otherPayment));
    expect(await sendRaw({ url: service.url() + path, headers, body })).toMatchObject({
      status: 401,
      json: { code: "auth_header_missing" },
    });
  });
});

it("refuses a text that could pass for a member under scheme 1", async () => {
  const path = "/sandbox/api/act";
  const general = { project_id: other.projectId, payment_id: "a;action:arrive" };
  const rawBody = JSON.stringify({ general, action: "refuse" });
  const { credentials } = other;
  const timestamp = Math.floor(Date.now() / 1000);
  const send = async (scheme: 1 | 2) => {
    const headers = Object.entries(signRequest({ credentials, path, rawBody, timestamp, scheme }));
    return (await sendRaw({ url: service.url() + path, headers, body: rawBody })).json;
  };
  expect(await send(1)).toMatchObject({ code: "validation_failed", errors: [{ field: "general.payment_id" }] });
  expect(await send(2)).toMatchObject({ code: "payment_not_found" });
});

describe("the echo endpoint", () => {
  const headers = [["content-type", "application/json"]] as const;
  const pathOf = (url: string) => url.slice(service.url().length);

  it("shows each callback as it arrived, with its verification", async () => {
    const { echo_url } = await desk.callbacks();
    const paymentId = await desk.transfer({ general: { merchant_callback_url: echo_url } });
    await desk.act(paymentId, { action: "arrive" });
    const mine = async () => (await desk.callbacks()).callbacks.filter(({ payment_id }) => payment_id === paymentId);
    await expect.poll(async () => (await mine())[0]?.event, { timeout: 60_000 }).toBe("payin.success");
    const arrived = await mine();
    expect(arrived.map(({ event }) => event).reverse()).toEqual(
      expect.arrayContaining(["payin.processing.awaiting_confirm", "payin.success"]),
    );
    for (const { genuine, answered, checks } of arrived) {
      expect([genuine, answered]).toEqual([true, 204]);
      expect(checks.map(({ step, ok }) => [step, ok])).toEqual(
        ["headers", "timestamp", "body", "project", "message", "signature", "standard_webhooks"].map((step) => [
          step,
          true,
        ]),
      );
    }
    expect(JSON.parse(arrived[0]?.body ?? "")).toMatchObject({ status: { status: "success" } });
    expect(arrived[0]?.headers).toMatchObject({ "x-access-merchant-id": desk.projectId() });
    const [, second] = arrived;
    expect((await desk.callbacks(second?.id)).callbacks.map(({ id }) => id)).toContain(arrived[0]?.id);
    expect((await desk.callbacks(second?.id)).callbacks.map(({ id }) => id)).not.toContain(second?.id);
  });

  it("shows what is not genuine as such, and which step says so", async () => {
    const { echo_url, callbacks } = await desk.callbacks();
    const genuine = callbacks.find((each) => each.genuine);
    const send = (changed: Record<string, string>, body = genuine?.body ?? "") =>
      sendRaw({ url: echo_url, headers: Object.entries({ ...genuine?.headers, ...changed }), body });
    const failed = async () =>
      (await desk.callbacks()).callbacks[0]?.checks.filter(({ ok }) => !ok).map(({ step }) => step);
    expect((await send({}, `${genuine?.body} `)).status).toBe(204);
    // Scheme 1 signs the values, and Standard Webhooks the bytes.
    expect(await failed()).toEqual(["standard_webhooks"]);
    await send({}, (genuine?.body ?? "").replace('"success"', '"decline"'));
    expect(await failed()).toEqual(["signature", "standard_webhooks"]);
    await send({ "x-access-timestamp": "1700000000" });
    expect(await failed()).toEqual(["timestamp", "signature"]);
    await send({ "x-access-merchant-id": other.projectId });
    expect(await failed()).toEqual(["project"]);
    await sendRaw({ url: echo_url, headers, body: "rubbish \u0000" });
    expect(await failed()).toHaveLength(7);
    const [rubbish] = (await desk.callbacks()).callbacks;
    expect(rubbish).toMatchObject({ genuine: false, event: null, payment_id: null, body: "rubbish \u0000" });
    expect((await sendRaw({ url: echo_url, headers, body: "x".repeat(65 * 1024) })).status).toBe(413);
  });

  it("answers as it is told, so that retries can be seen", async () => {
    const general = { project_id: desk.projectId() };
    const { echo_url } = await desk.callbacks();
    expect(await desk.post("/sandbox/api/callbacks/answer", { general, status: 503, times: 2 })).toMatchObject({
      status: 200,
      json: {},
    });
    const statuses = [];
    for (let count = 0; count < 3; count += 1)
      statuses.push((await sendRaw({ url: echo_url, headers, body: "{}" })).status);
    expect(statuses).toEqual([503, 503, 204]);
    await desk.post("/sandbox/api/callbacks/answer", { general, status: 500, times: "always" });
    const paymentId = await desk.transfer({ general: { merchant_callback_url: echo_url } });
    const answers = async () =>
      (await desk.callbacks()).callbacks
        .filter(({ payment_id }) => payment_id === paymentId)
        .map(({ answered }) => answered);
    await expect.poll(answers, { timeout: 60_000 }).toContain(500);
    await desk.post("/sandbox/api/callbacks/answer", { general, status: 204 });
    await expect
      .poll(
        async () => {
          await desk.post("/sandbox/api/clock", { general, seconds: 60 });
          return answers();
        },
        { timeout: 60_000 },
      )
      .toContain(204);
  });

  it("verifies the secret of a project that signs by HMAC", async () => {
    await database.db.run({
      text: "update projects set callback_signing = 'hmac' where id = $1",
      values: [other.projectId],
    });
    await service.settled();
    const general = { project_id: other.projectId };
    type Echoed = { genuine: boolean; checks: { step: string; detail: string }[] };
    const read = async () =>
      (await other.post("/sandbox/api/callbacks", { general })).json as unknown as {
        echo_url: string;
        callbacks: Echoed[];
      };
    const { echo_url } = await read();
    await other.payin(payinBody(other.projectId, { general: { merchant_callback_url: echo_url } }));
    await expect.poll(async () => (await read()).callbacks[0]?.genuine, { timeout: 60_000 }).toBe(true);
    const signature = (await read()).callbacks[0]?.checks.find(({ step }) => step === "signature");
    expect(signature?.detail).toContain("HMAC-SHA512");
  });

  it("keeps the last two hundred", async () => {
    const { echo_url } = (await other.post("/sandbox/api/callbacks", { general: { project_id: other.projectId } }))
      .json as unknown as { echo_url: string };
    for (let count = 0; count < 205; count += 1)
      expect((await sendRaw({ url: echo_url, headers, body: `{"n":${count}}` })).status).toBe(204);
    const { json } = await other.post("/sandbox/api/callbacks", { general: { project_id: other.projectId } });
    const bodies = (json as unknown as { callbacks: { body: string }[] }).callbacks.map(({ body }) => body);
    expect([bodies.length, bodies[0], bodies.at(-1)]).toEqual([200, '{"n":204}', '{"n":5}']);
  });

  it("has a URL that no one can guess, and none for a live project", async () => {
    const { echo_url } = await desk.callbacks();
    const [, mark = ""] = /-([0-9a-f]{32})$/.exec(echo_url) ?? [];
    const base = echo_url.slice(0, echo_url.lastIndexOf("/"));
    for (const token of [
      `${other.projectId}-${mark}`,
      `${desk.projectId()}-${"0".repeat(32)}`,
      `${live.projectId}-${mark}`,
      desk.projectId(),
      "x",
    ])
      expect((await sendRaw({ url: `${base}/${token}`, headers, body: "{}" })).status).toBe(404);
    expect((await sendRaw({ url: echo_url, method: "GET" })).status).toBe(405);
    expect(pathOf(echo_url)).toMatch(/^\/sandbox\/echo\/[0-9a-f]{32}-[0-9a-f]{32}$/);
  });
});

describe("the account", () => {
  it("answers an owner and a developer for their own test projects, and nobody else", async () => {
    const { merchantId, projectId } = await aProject(database.db);
    const { projectId: liveId } = await aProject(database.db, "live", merchantId);
    await service.settled();
    const clientOf = async (role: "owner" | "developer" | "accountant" | "viewer") => {
      const member = await aMember(database.db, merchantId, role);
      return openAccountClient(service.url(), (await sessionOf(database.db, member)).token);
    };
    const [owner, developer, viewer] = [await clientOf("owner"), await clientOf("developer"), await clientOf("viewer")];
    for (const path of CALLS) {
      const name = path.replace("/sandbox/api/", "sandbox/");
      const body = bodyFor(path, projectId, "no-such");
      const about = ABOUT_PAYMENT.has(path);
      for (const client of [owner, developer])
        expect([name, (await client.post(name, body)).status]).toEqual([name, about ? 404 : 200]);
      expect((await viewer.post(name, body)).json).toMatchObject({ error: { code: "forbidden" } });
      const onLive = await owner.post(name, bodyFor(path, liveId, "any"));
      expect(onLive).toMatchObject({
        status: 403,
        json: { error: { message: "the sandbox serves test projects only" } },
      });
      const onOther = await owner.post(name, bodyFor(path, other.projectId, otherPayment));
      expect(onOther).toMatchObject({ status: 404, json: { error: { code: "not_found" } } });
    }
    expect(await owner.post("sandbox/clock", { general: { project_id: projectId } })).toMatchObject({
      status: 400,
      json: { error: { code: "validation_failed", fields: [{ field: "seconds" }] } },
    });
  });
});

describe("development mode", () => {
  const own = () => ({ origin: service.url(), "sec-fetch-site": "same-origin", "content-type": "application/json" });
  const post = (name: string, body: object | string, headers: Record<string, string>): Promise<RawAnswer> =>
    sendRaw({
      url: `${service.url()}/sandbox/desk/api/${name}`,
      headers: Object.entries(headers),
      body: typeof body === "string" ? body : JSON.stringify(body),
    });

  it("answers its own page without a key, for the sandbox's own project", async () => {
    const paymentId = await desk.transfer();
    const listed = await post("payments", {}, own());
    expect([listed.status, listed.text]).toEqual([200, expect.stringContaining(paymentId)]);
    const acted = await post("act", { general: { payment_id: paymentId }, action: "arrive" }, own());
    expect(stateOf(acted.json as never)).toBe("success");
    expect(await post("act", { general: { payment_id: paymentId }, action: "explode" }, own())).toMatchObject({
      status: 400,
      json: { code: "validation_failed" },
    });
    expect(await post("payments", "{", own())).toMatchObject({ status: 400, json: { code: "malformed_json" } });
    expect(await post("payments", "7", own())).toMatchObject({ status: 400, json: { code: "validation_failed" } });
    const foreign = { general: { project_id: other.projectId } };
    expect(await post("payments", foreign, own())).toMatchObject({ status: 403, json: { code: "project_forbidden" } });
  });

  const credentials = (headers: Record<string, string>) =>
    sendRaw({ url: `${service.url()}/sandbox/desk/credentials`, method: "GET", headers: Object.entries(headers) });

  it("gives its page the keys of the sandbox, and no login", async () => {
    const { status, json, headers } = await credentials({ "sec-fetch-site": "same-origin" });
    expect([status, headers["cache-control"]]).toEqual([200, "no-store"]);
    const { account_login: _login, account_password: _password, ...keys } = service.sandbox();
    expect(json).toEqual(keys);
  });

  it.each<[string, Record<string, string>]>([
    ["another site", { "sec-fetch-site": "cross-site" }],
    ["another port", { "sec-fetch-site": "same-site" }],
    ["an address bar", { "sec-fetch-site": "none" }],
    ["a name that was made to lead here", { "sec-fetch-site": "same-origin", host: "evil.example" }],
    ["a program", {}],
  ])("refuses %s", async (_name, headers) => {
    expect(await credentials(headers)).toMatchObject({ status: 403 });
    if (Object.keys(headers).length > 0) {
      const origin = headers.host === undefined ? service.url() : `http://${headers.host}`;
      const { "sec-fetch-site": site = "" } = headers;
      expect(await post("payments", {}, { ...own(), ...headers, origin, "sec-fetch-site": site })).toMatchObject({
        status: 403,
      });
    }
    expect(await post("payments", {}, { "content-type": "application/json" })).toMatchObject({ status: 403 });
    expect(await post("payments", {}, { ...own(), origin: "https://evil.example" })).toMatchObject({ status: 403 });
  });
});

describe("several processes", () => {
  it("says so where an installation runs no sandbox", async () => {
    const { localUrl } = await service.startSibling({ TILLGATE_SANDBOX_DATABASE_URL: "" }, "api");
    const sibling = openMerchantClient(() => localUrl, other.credentials);
    const general = { project_id: other.projectId };
    for (const [name, body] of [
      ["clock", { general, seconds: 5 }],
      ["faults", { general, kind: "slow" }],
      ["faults/list", { general }],
      ["act", { general: { ...general, payment_id: otherPayment }, action: "arrive" }],
    ] as const) {
      const { status, json } = await sibling.post(`/sandbox/api/${name}`, body);
      expect([name, status, json.status_description]).toEqual([
        name,
        503,
        "this installation runs no sandbox: ask its operator",
      ]);
    }
    expect((await sibling.post("/sandbox/api/payments", { general })).status).toBe(200);
  });

  it("answers from a process that takes calls only, and says so when the sandbox is gone", async () => {
    const { url, localUrl } = await service.startSibling({}, "api");
    expect(url).toBe("https://pay.example.com");
    const sibling = openMerchantClient(() => localUrl, other.credentials);
    const general = { project_id: other.projectId };
    const created = await sibling.payin(payinBody(other.projectId));
    const paymentId = created.json.payment_id;
    const about = { general: { ...general, payment_id: paymentId } };
    const isReady = async () => JSON.stringify((await sibling.post("/sandbox/api/payment", about)).json);
    await expect.poll(isReady, { timeout: 60_000 }).toContain('"arrive"');
    const acted = await sibling.post("/sandbox/api/act", { ...about, action: "arrive" });
    expect([acted.status, acted.json.status]).toEqual([200, "success"]);
    // Production has no page without a key.
    for (const path of ["/sandbox/desk/api/payments", "/sandbox/desk/credentials"])
      expect((await fetch(localUrl + path, { method: path.endsWith("payments") ? "POST" : "GET" })).status).toBe(404);

    const known = await database.db.run<{ value: string }>({
      text: "select value from settings where name = $1",
      values: [SANDBOX_URL_SETTING],
    });
    await database.db.transaction((tx) => saveSetting(tx, SANDBOX_URL_SETTING, "http://127.0.0.1:1"));
    const status = async () => (await sibling.post("/sandbox/api/faults/list", { general })).status;
    await expect.poll(status, { timeout: 60_000 }).toBe(503);
    const second = await sibling.payin(payinBody(other.projectId));
    const silent = [
      ["clock", { general, seconds: 5 }],
      ["faults", { general, kind: "slow", ms: 1 }],
      ["faults/clear", { general }],
      ["act", { ...about, action: "take_back" }],
    ] as const;
    for (const [name, body] of silent) {
      const { status: code, json, headers } = await sibling.post(`/sandbox/api/${name}`, body);
      expect([name, code, json.code, headers["retry-after"]]).toEqual([name, 503, "unavailable", "1"]);
    }
    expect(second.status).toBe(200);
    await database.db.transaction((tx) => saveSetting(tx, SANDBOX_URL_SETTING, known[0]?.value ?? ""));
  });
});

describe("the page behind a payment link", () => {
  const form = [["content-type", "application/x-www-form-urlencoded"]] as const;
  const pay = (url: string, fields: Record<string, string>) =>
    sendRaw({ url, headers: form, body: new URLSearchParams(fields).toString() });

  async function aLink(): Promise<{ paymentId: string; url: string }> {
    const paymentId = await desk.transfer({ method: "qr-link-p2p", amount: 250_002, currency: "KGS" });
    const { requisites } = await desk.payment(paymentId);
    return { paymentId, url: requisites?.url ?? "" };
  }

  const settled = (paymentId: string) =>
    expect.poll(async () => stateOf(await desk.payment(paymentId)), { timeout: 60_000 });

  it("is below the service's own URL, and pays once however often its form is sent", async () => {
    const { paymentId, url } = await aLink();
    expect(url).toMatch(new RegExp(`^${service.url()}/sandbox/qr/[0-9a-f]{32}$`));
    const page = await sendRaw({ url, method: "GET" });
    expect([page.status, page.text]).toEqual([200, expect.stringContaining("KGS 2,500.02")]);
    expect(page.headers["content-security-policy"]).toContain("default-src 'none'");
    const paid = await pay(url, { action: "pay", paid_count: "0" });
    expect([paid.status, paid.text]).toEqual([200, expect.stringContaining("<h1>Paid</h1>")]);
    expect((await pay(url, { action: "pay", paid_count: "0" })).text).toContain("out of date");
    await settled(paymentId).toBe("success");
    expect(await desk.payment(paymentId)).toMatchObject({ received_amount: 250_002 });
  });

  it("pays another amount, and nothing for a text that is none", async () => {
    const { paymentId, url } = await aLink();
    for (const amount of ["", "x", "-5", "1.005", "1e9", "99999999999999"])
      expect((await pay(url, { action: "other", paid_count: "0", amount })).text).toContain("Enter an amount");
    expect((await desk.payment(paymentId)).status).toBe("processing");
    await pay(url, { action: "other", paid_count: "0", amount: "2400,5" });
    await settled(paymentId).toBe("dispute:different_amount");
    expect(await desk.payment(paymentId)).toMatchObject({ received_amount: 240_050 });
  });

  it("does not pay when its visitor refuses, and unknown links lead nowhere", async () => {
    const { paymentId, url } = await aLink();
    expect((await pay(url, { action: "refuse", paid_count: "0" })).text).toContain("<h1>Not paid</h1>");
    expect((await desk.payment(paymentId)).status).toBe("processing");
    for (const token of ["0".repeat(32), "x", "%00", "..%2fbooks"]) {
      const { status } = await sendRaw({ url: `${url.slice(0, -32)}${token}`, method: "GET" });
      expect([token, status]).toEqual([token, 404]);
    }
  });
});
