import { generateKeyPairSync } from "node:crypto";
import { describe, expect, it } from "vitest";
import { type Credentials, credentialsFromSandboxFile, signRequest } from "../../sdk/src/index.ts";
import { aProject, rsaKeyOf } from "../../src/testing/builders/projects.ts";
import { useTestDatabase } from "../../src/testing/database/test-database.ts";
import { type RawAnswer, sendRaw } from "../../src/testing/http/raw-http.ts";
import { useTestService } from "../../src/testing/service/test-service.ts";

const database = useTestDatabase();
const { db } = database;
const service = useTestService(database);

const PATH = "/api/v1/balance/info";
const nowS = () => Math.floor(Date.now() / 1000);

type Headers = Record<string, string>;
type Variation = {
  body?: Buffer | string;
  scheme?: 1 | 2;
  timestamp?: number;
  kind?: "rsa" | "hmac";
  credentials?: Credentials;
  path?: string;
};

function goodBody(): string {
  return JSON.stringify({ general: { project_id: service.sandbox().project_id } });
}

/** Signs a body that may be nonsense: scheme 2 signs bytes, so anything can be signed. */
function headersFor({
  body = goodBody(),
  scheme = 2,
  timestamp = nowS(),
  kind = "rsa",
  credentials,
  path = PATH,
}: Variation = {}): Headers {
  const signer = credentials ?? credentialsFromSandboxFile(service.sandbox(), kind);
  return { ...signRequest({ credentials: signer, path, rawBody: body, timestamp, scheme }) };
}

async function send(
  headers: Headers,
  body: Buffer | string = goodBody(),
  path = PATH,
  method = "POST",
): Promise<RawAnswer> {
  const answer = await sendRaw({ url: service.url() + path, method, headers: Object.entries(headers), body });
  expect(answer.headers["x-request-id"]).toMatch(/^[0-9a-f]{32}$/);
  return answer;
}

function expectFault(answer: RawAnswer, status: number, code: string): void {
  expect([answer.status, answer.json.code]).toEqual([status, code]);
  expect(answer.json).toMatchObject({ status: "error", sub_status: null });
  expect(typeof answer.json.status_description).toBe("string");
  expect(Array.isArray(answer.json.errors)).toBe(true);
}

async function sendSigned(variation: Variation): Promise<RawAnswer> {
  return send(headersFor(variation), variation.body ?? goodBody(), variation.path);
}

it("accepts the request that the others are variations of", async () => {
  for (const scheme of [1, 2] as const) {
    for (const kind of ["rsa", "hmac"] as const) expect((await sendSigned({ scheme, kind })).status).toBe(200);
  }
  const charset = { ...headersFor(), "content-type": "Application/JSON; charset=UTF-8" };
  expect((await send(charset)).status).toBe(200);
  const byProject = { ...credentialsFromSandboxFile(service.sandbox()), merchantId: service.sandbox().project_id };
  expect((await sendSigned({ credentials: byProject })).status).toBe(200);
});

it("takes RSA-SHA256 when the algorithm is not named", async () => {
  const { "x-access-merchant-algorithm": _, ...headers } = headersFor({ scheme: 1 });
  expect((await send(headers)).status).toBe(200);
});

describe("paths and methods", () => {
  it.each(["GET", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS"])("%s is 405 with Allow", async (method) => {
    const answer = await send({}, "", PATH, method);
    expect(answer.status).toBe(405);
    expect(answer.headers.allow).toBe("POST");
    if (method !== "HEAD") expectFault(answer, 405, "method_not_allowed");
  });

  it.each(["/api/v1/balance/info/", "/api/v1/balance", "/API/v1/balance/info", "/", "/../etc/passwd", "/api/v1/%zz"])(
    "%s is 404",
    async (path) => {
      const answer = await send(headersFor(), goodBody(), path);
      expectFault(answer, 404, "not_found");
    },
  );
});

describe("size and type", () => {
  it.each([
    "application/xml",
    "text/plain",
    "application/json; charset=utf-16",
    "application/jsonp",
    "multipart/form-data; boundary=x",
    "json",
  ])("%s is 415", async (type) =>
    expectFault(await send({ ...headersFor(), "content-type": type }, "<a/>"), 415, "content_type_unsupported"),
  );

  it("no type is 415", async () => {
    const { "content-type": _, ...headers } = headersFor();
    expectFault(await send(headers), 415, "content_type_unsupported");
    expectFault(await send(headers, ""), 415, "content_type_unsupported");
  });

  it("64 KiB are read, one byte more is 413, and so are 10 MB", async () => {
    const padded = (bytes: number) => goodBody() + " ".repeat(bytes - goodBody().length);
    expect((await sendSigned({ body: padded(65_536) })).status).toBe(200);
    expectFault(await sendSigned({ body: padded(65_537) }), 413, "body_too_large");
    expectFault(await sendSigned({ body: Buffer.alloc(10_000_000, 0x20) }), 413, "body_too_large");
  });
});

describe("headers", () => {
  const names = ["x-access-timestamp", "x-access-merchant-id", "x-access-token", "x-access-signature"];
  it.each(names)("without %s: 401", async (name) => {
    const { [name]: _, ...headers } = headersFor();
    expectFault(await send(headers), 401, "auth_header_missing");
    expectFault(await send({ ...headersFor(), [name]: "" }), 401, "auth_header_missing");
  });

  it.each([...names, "x-access-merchant-algorithm", "content-type"])("%s twice: 401", async (name) => {
    const headers = headersFor();
    const doubled = [...Object.entries(headers), [name, headers[name] ?? ""] as const];
    expectFault(
      await sendRaw({ url: service.url() + PATH, headers: doubled, body: goodBody() }),
      401,
      "auth_header_missing",
    );
  });

  it.each([
    "1700000000000",
    "-170000000",
    "1e400",
    "17000000.5",
    " ",
    "0x5f5e1000",
    "99999999999999999999",
    "١٧٠٠٠٠٠٠٠٠",
    "170000000",
  ])("timestamp %s: 401", async (timestamp) => {
    const headers = { ...headersFor(), "x-access-timestamp": Buffer.from(timestamp).toString("latin1") };
    const answer = await send(headers);
    expect(answer.status).toBe(401);
    expect(["timestamp_invalid", "auth_header_missing"]).toContain(answer.json.code);
  });

  it("a timestamp outside of the window: 401, inside: 200", async () => {
    for (const offset of [-310, 310, -100_000]) {
      expectFault(await sendSigned({ timestamp: nowS() + offset }), 401, "timestamp_out_of_window");
    }
    for (const offset of [-290, 290]) expect((await sendSigned({ timestamp: nowS() + offset })).status).toBe(200);
  });
});

describe("one indistinguishable 401", () => {
  const SAME = { code: "signature_invalid", status_description: "the merchant, the key or the signature is not valid" };

  async function expectSame(headers: Headers, body?: string): Promise<void> {
    const answer = await send(headers, body);
    expectFault(answer, 401, "signature_invalid");
    expect(answer.json).toMatchObject(SAME);
  }

  it("for an unknown merchant, an unknown key and a wrong signature", async () => {
    await expectSame({ ...headersFor(), "x-access-merchant-id": "0".repeat(32) });
    await expectSame({ ...headersFor({ kind: "hmac" }), "x-access-token": `ak_${"0".repeat(32)}` });
    const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
    const privateKeyPem = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
    const { merchant_id: merchantId, project_id: projectId } = service.sandbox();
    const stranger: Credentials = { kind: "rsa", merchantId, projectId, privateKeyPem };
    await expectSame(headersFor({ credentials: stranger }));
    await expectSame({
      ...headersFor({ credentials: stranger }),
      "x-access-token": service.sandbox().rsa_access_token,
    });
  });

  it("for a signature of another body, path or time", async () => {
    await expectSame(headersFor(), `${goodBody()} `);
    await expectSame(headersFor({ scheme: 1 }), JSON.stringify({ general: { project_id: "other" } }));
    await expectSame(headersFor({ path: "/api/v1/bank/all" }));
    await expectSame({ ...headersFor(), "x-access-timestamp": String(nowS() - 1) });
  });

  it.each(["RSA-SHA512", "none", "HMAC-SHA512", "HMAC-SHA512-V2", "rsa-sha256", "RSA-SHA256", "__proto__"])(
    "for the algorithm %s",
    async (algorithm) => {
      await expectSame({ ...headersFor({ scheme: 2 }), "x-access-merchant-algorithm": algorithm });
    },
  );

  it("for a signature that is padded, cut, not base64url, or absurdly long", async () => {
    const good = headersFor()["x-access-signature"] ?? "";
    for (const signature of [`${good}==`, good.slice(0, -1), `${good}A`, "!!!!", "A", "A".repeat(10_000)]) {
      await expectSame({ ...headersFor(), "x-access-signature": signature });
    }
    const answer = await sendRaw({
      url: service.url() + PATH,
      headers: Object.entries({ ...headersFor(), "x-access-signature": "A".repeat(1_000_000) }),
      body: goodBody(),
    });
    expectFault(answer, 401, "signature_invalid");
  });

  it("for a key of another merchant, with its own valid signature", async () => {
    const other = await aProject(db);
    const key = await rsaKeyOf(db, { ...other, book: "test" });
    await service.settled();
    const credentials: Credentials = {
      kind: "rsa",
      merchantId: service.sandbox().merchant_id,
      projectId: service.sandbox().project_id,
      privateKeyPem: key.privateKeyPem.reveal(),
    };
    await expectSame(headersFor({ credentials }));
  });
});

describe("bodies", () => {
  const project = () => `"project_id":"${service.sandbox().project_id}"`;
  const malformed: [string, () => Buffer | string][] = [
    ["nothing", () => ""],
    ["cut short", () => goodBody().slice(0, -1)],
    ["duplicate keys", () => `{"general":{${project()},${project()}}}`],
    ["__proto__", () => `{"general":{${project()},"__proto__":{}}}`],
    ["nesting 30,000 deep", () => `{"general":${"[".repeat(30_000)}${"]".repeat(30_000)}}`],
    ["lone surrogates", () => `{"general":{"project_id":"\\ud800"}}`],
    ["UTF-16", () => Buffer.from(goodBody(), "utf16le")],
    ["Latin-1", () => Buffer.from(`{"general":{"project_id":"é"}}`, "latin1")],
    ["XML", () => "<general/>"],
  ];
  it.each(malformed)("%s: 400 malformed_json", async (_name, body) => {
    expectFault(await sendSigned({ body: body() }), 400, "malformed_json");
  });

  it("nesting 100,000 deep: 413, since it is too large first", async () => {
    expectFault(await sendSigned({ body: `{"general":${"[".repeat(100_000)}` }), 413, "body_too_large");
  });

  const invalid: [string, () => string, object[]][] = [
    [
      "an unknown member",
      () => `{"general":{${project()},"x":1},"y":2}`,
      [
        { field: "y", code: "unknown_member" },
        { field: "general.x", code: "unknown_member" },
      ],
    ],
    ["no general", () => "{}", [{ field: "general", code: "required" }]],
    ["general that is null", () => `{"general":null}`, [{ field: "general", code: "wrong_type" }]],
    ["no project_id", () => `{"general":{}}`, [{ field: "general.project_id", code: "required" }]],
    [
      "a number for a string",
      () => `{"general":{"project_id":100}}`,
      [{ field: "general.project_id", code: "wrong_type" }],
    ],
    [
      "33 characters",
      () => `{"general":{"project_id":"${"a".repeat(33)}"}}`,
      [{ field: "general.project_id", code: "too_long" }],
    ],
    ["an empty id", () => `{"general":{"project_id":""}}`, [{ field: "general.project_id", code: "too_short" }]],
    ["an array", () => "[]", [{ field: "", code: "wrong_type" }]],
    ["a string", () => '"general"', [{ field: "", code: "wrong_type" }]],
    [
      "a number with a point",
      () => `{"general":{${project()},"x":1.0,"y":1e2}}`,
      [
        { field: "general.x", code: "not_integer" },
        { field: "general.y", code: "not_integer" },
      ],
    ],
    [
      "an unsafe integer",
      () => `{"general":{${project()},"x":9007199254740993}}`,
      [{ field: "general.x", code: "too_big" }],
    ],
    [
      "constructor as a member",
      () => `{"general":{${project()},"constructor":{}}}`,
      [{ field: "general.constructor", code: "unknown_member" }],
    ],
  ];
  it.each(invalid)("%s: 400, every field named", async (_name, body, errors) => {
    for (const scheme of [1, 2] as const) {
      const answer = await sendSigned({ body: body(), scheme });
      expectFault(answer, 400, "validation_failed");
      expect(answer.json.errors).toHaveLength(errors.length);
      expect(answer.json.errors).toEqual(expect.arrayContaining(errors.map((error) => expect.objectContaining(error))));
    }
  });

  it("a string that scheme 1 cannot sign unambiguously: 400 there, and only there", async () => {
    const body = `{"general":{${project()},"note":"x;payment:amount:1"}}`;
    const answer = await sendSigned({ body, scheme: 1 });
    expectFault(answer, 400, "validation_failed");
    expect(answer.json.errors).toEqual(
      expect.arrayContaining([expect.objectContaining({ field: "general.note", code: "not_allowed" })]),
    );
  });
});

describe("projects", () => {
  const forbidden = async (body: string, variation: Variation = {}) =>
    expectFault(await sendSigned({ body, ...variation }), 403, "project_forbidden");

  it("unknown, foreign and of the other book look the same: 403", async () => {
    const stranger = await aProject(db);
    const live = await aProject(db, "live", service.sandbox().merchant_id as never);
    await service.settled();
    const { project_id } = service.sandbox();
    for (const id of ["x", "0".repeat(32), stranger.projectId, live.projectId, project_id.toUpperCase()]) {
      await forbidden(JSON.stringify({ general: { project_id: id } }));
    }
  });

  it("a header that names another project than the body: 403", async () => {
    const sibling = await aProject(db, "test", service.sandbox().merchant_id as never);
    await service.settled();
    const credentials = { ...credentialsFromSandboxFile(service.sandbox()), merchantId: sibling.projectId };
    await forbidden(goodBody(), { credentials });
  });
});

it("logs requests without bodies, headers or secrets", () => {
  const log = service.logLines().join("\n");
  const { hmac_secret, rsa_access_token, hmac_key_id } = service.sandbox();
  expect(log).toContain('"route":"/api/v1/balance/info"');
  expect(log).toContain('"code":"signature_invalid"');
  for (const secret of [hmac_secret, rsa_access_token, hmac_key_id, "x-access-signature", "PRIVATE KEY"]) {
    expect(log).not.toContain(secret);
  }
  expect(log).not.toContain('"level":"error"');
});
