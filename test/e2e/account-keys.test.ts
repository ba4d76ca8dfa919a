import { generateKeyPairSync } from "node:crypto";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { createTillgate, TillgateApiError } from "../../sdk/src/index.ts";
import { generateHmacKey } from "../../src/app/merchants/api-keys.ts";
import type { Id } from "../../src/core/ids.ts";
import { newId } from "../../src/platform/new-id.ts";
import { type AccountClient, aMember, openAccountClient, sessionOf } from "../../src/testing/account-client.ts";
import { aProject, testKeyring } from "../../src/testing/builders/projects.ts";
import { useTestDatabase } from "../../src/testing/database/test-database.ts";
import { openSmtpServer } from "../../src/testing/http/smtp-server.ts";
import { useTestService } from "../../src/testing/service/test-service.ts";

/** API keys and the rules of projects, as the account changes them; and that a running service heeds it at once. */
const database = useTestDatabase();
const { db } = database;
const DAY_MS = 86_400_000;
const service = useTestService(database);

let merchantId: Id;
let projectId: Id;
let developer: AccountClient;

beforeEach(async () => {
  ({ merchantId, projectId } = await aProject(db));
  developer = await as(merchantId);
});

async function as(merchant: Id): Promise<AccountClient> {
  const member = await aMember(db, merchant, "developer");
  return openAccountClient(service.url(), (await sessionOf(db, member, { steppedUp: true })).token);
}

type Body = Record<string, unknown>;
const hmac = (): Body => ({ label: "Server", kind: "hmac", valid_days: null });
const newPair = () => generateKeyPairSync("rsa", { modulusLength: 2048 });
const pem = (pair = newPair()) => pair.publicKey.export({ type: "spki", format: "pem" }).toString();

async function made(body: Body, path = "keys"): Promise<{ id: Id; token: string; secret: string }> {
  const { status, json } = await developer.post(path, body);
  expect([status, json.error]).toEqual([200, undefined]);
  return json;
}

/** How the API answers a call that is signed with an HMAC key. */
async function callWith(
  key: { readonly token: string; readonly secret: string },
  project = projectId,
  scheme: 1 | 2 = 2,
): Promise<string> {
  const credentials = { merchantId, projectId: project, kind: "hmac" as const, keyId: key.token, secret: key.secret };
  await service.settled();
  const client = createTillgate({ baseUrl: service.url(), credentials, scheme, retriesMax: 0 });
  return client.balance.info().then(
    () => "ok",
    (error) => (error instanceof TillgateApiError ? error.code : Promise.reject(error)),
  );
}

type AuditLine = { action: string; subject: string; before: Body; after: Body; actor: Body };

/** Those of keys and rules, the latest first. */
async function auditLines(): Promise<AuditLine[]> {
  const owner = await aMember(db, merchantId, "owner");
  const client = openAccountClient(service.url(), (await sessionOf(db, owner)).token);
  const { lines } = (await client.get("audit")).json as { lines: AuditLine[] };
  return lines.filter(({ action }) => /^(keys|project)\./.test(action));
}

describe("a key", () => {
  it("of a project signs calls of that project; its secret is answered once and is in no log", async () => {
    const key = await made({ ...hmac(), project_id: projectId, valid_days: 90 });
    const other = await aProject(db, "test", merchantId);
    expect(await callWith(key)).toBe("ok");
    expect(await callWith(key, other.projectId)).not.toBe("ok");
    const { json } = await developer.get("keys");
    expect(json).toMatchObject({ merchant_id: merchantId, base_url: service.url(), docs_url: `${service.url()}/docs` });
    expect(json.keys).toEqual([
      {
        ...{ id: key.id, label: "Server", kind: "hmac", token: key.token, project_id: projectId, book: "test" },
        ...{ state: "active", created_at: expect.any(String), not_before: expect.any(String) },
        ...{ not_after: expect.any(String), revoked_at: null, needed_by: [projectId] },
      },
    ]);
    expect(Date.parse(json.keys[0].not_after) - Date.parse(json.keys[0].not_before)).toBe(90 * DAY_MS);
    expect(JSON.stringify([json, await auditLines()])).not.toContain(key.secret);
    expect(service.logLines().join("\n")).not.toContain(key.secret);
    const [line] = await auditLines();
    expect(line).toMatchObject({
      ...{ action: "keys.add", subject: `Server ${key.id}`, before: null, actor: { kind: "person" } },
      after: { label: "Server", kind: "hmac", book: "test", project_id: projectId },
    });
  });

  it("of a book signs calls of each of its projects", async () => {
    const other = await aProject(db, "test", merchantId);
    const live = await aProject(db, "live", merchantId);
    const key = await made({ ...hmac(), project_id: null, book: "test" });
    expect(await callWith(key)).toBe("ok");
    expect(await callWith(key, other.projectId)).toBe("ok");
    expect(await callWith(key, live.projectId)).not.toBe("ok");
    const { json } = await developer.get("keys");
    expect(json.projects.map((each: Body) => [each.id, each.book, each.key_count]).sort()).toEqual(
      [
        [projectId, "test", 1],
        [other.projectId, "test", 1],
        [live.projectId, "live", 0],
      ].sort(),
    );
    expect([...json.keys[0].needed_by].sort()).toEqual([projectId, other.projectId].sort());
  });

  it("is an RSA key whose public half is sent; what is not one is refused in words of its own", async () => {
    const pair = newPair();
    const body = { label: "", kind: "rsa", project_id: projectId, valid_days: null };
    const key = await made({ ...body, public_key: pem(pair) });
    const token = pair.publicKey.export({ type: "spki", format: "der" }).toString("base64url");
    expect(key).toEqual({ id: expect.any(String), kind: "rsa", token });
    const small = generateKeyPairSync("rsa", { modulusLength: 1024 });
    const curve = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const exponent = generateKeyPairSync("rsa", { modulusLength: 2048, publicExponent: 3 });
    const spki = { type: "spki", format: "pem" } as const;
    const refused: [string, unknown][] = [
      ["key_known", pem(pair)],
      ["key_unreadable", "hello"],
      ["key_unreadable", pair.privateKey.export({ type: "pkcs8", format: "pem" }).toString()],
      ["key_size", small.publicKey.export(spki).toString()],
      ["key_not_rsa", curve.publicKey.export(spki).toString()],
      ["key_exponent", exponent.publicKey.export(spki).toString()],
      ["validation_failed", undefined],
      ["validation_failed", "x".repeat(5_000)],
    ];
    for (const [code, public_key] of refused) {
      const { status, json } = await developer.post("keys", { ...body, public_key });
      expect([json.error.code, status < 500]).toEqual([code, true]);
    }
    expect((await developer.get("keys")).json.keys.length).toBe(1);
  });

  it("is refused with a body that makes no sense, or of another merchant's project, and nothing is made", async () => {
    const foreign = (await aProject(db)).projectId;
    const wrong: [number, Body][] = [
      [404, { ...hmac(), project_id: foreign }],
      [404, { ...hmac(), project_id: newId() }],
      [404, { ...hmac(), project_id: "no-id" }],
      [400, { ...hmac(), project_id: null }],
      [400, { ...hmac(), project_id: projectId, public_key: pem() }],
      [400, { ...hmac(), project_id: projectId, valid_days: 0 }],
      [400, { ...hmac(), project_id: projectId, valid_days: 1e9 }],
      [400, { ...hmac(), project_id: projectId, label: "x".repeat(129) }],
      [400, { ...hmac(), project_id: projectId, label: "a\u0000b" }],
      [400, { ...hmac(), project_id: projectId, kind: "dsa" }],
      [400, { ...hmac(), project_id: projectId, extra: 1 }],
    ];
    for (const [status, body] of wrong)
      expect([body, (await developer.post("keys", body)).status]).toEqual([body, status]);
    expect((await developer.get("keys")).json.keys).toEqual([]);
    expect(await auditLines()).toEqual([]);
  });

  it("is one of at most twenty of a project", async () => {
    for (let count = 0; count < 20; count += 1) await made({ ...hmac(), project_id: projectId });
    const { status, json } = await developer.post("keys", { ...hmac(), project_id: projectId });
    expect([status, json.error.code]).toEqual([409, "too_many_keys"]);
  });
});

describe("a replacement", () => {
  it("works at once, and the old key works on until its time", async () => {
    const old = await made({ ...hmac(), project_id: projectId });
    const began = Date.now();
    const next = await made({ ...hmac(), label: "Next", overlap_s: 3600 }, `keys/${old.id}/replace`);
    expect([await callWith(old), await callWith(next)]).toEqual(["ok", "ok"]);
    const { json } = await developer.get("keys");
    const keyOf = (id: Id) => json.keys.find((key: Body) => key.id === id);
    expect(keyOf(next.id)).toMatchObject({ label: "Next", project_id: projectId, not_after: null, needed_by: [] });
    const lastsMs = Date.parse(keyOf(old.id).not_after) - began;
    expect(Math.abs(lastsMs - 3_600_000)).toBeLessThan(60_000);
    const line = (await auditLines()).find(({ action }) => action === "keys.replace");
    expect([line?.before, line?.after]).toEqual([
      { not_after: null },
      { not_after: keyOf(old.id).not_after, replaced_by: next.id },
    ]);
    // The end of a key only ever comes nearer.
    await made({ ...hmac(), overlap_s: 604_800 }, `keys/${old.id}/replace`);
    const again = (await developer.get("keys")).json.keys.find((key: Body) => key.id === old.id);
    expect(again.not_after).toBe(keyOf(old.id).not_after);
    await db.run({ text: "update api_keys set not_after = now() where id = $1", values: [old.id] });
    expect(await callWith(old)).not.toBe("ok");
    expect(await callWith(next)).toBe("ok");
    const late = await developer.post(`keys/${old.id}/replace`, { ...hmac(), overlap_s: 3600 });
    expect([late.status, late.json.error.code]).toEqual([409, "wrong_state"]);
  });

  it("that cannot be made leaves the old key as it was", async () => {
    const old = await made({ ...hmac(), project_id: projectId });
    const known = newPair();
    await made({ label: "", kind: "rsa", project_id: projectId, valid_days: null, public_key: pem(known) });
    const body = { label: "", kind: "rsa", valid_days: null, public_key: pem(known), overlap_s: 3600 };
    expect((await developer.post(`keys/${old.id}/replace`, body)).json.error.code).toBe("key_known");
    const odd = await developer.post(`keys/${old.id}/replace`, { ...hmac(), overlap_s: 5 });
    expect(odd.status).toBe(400);
    const kept = (await developer.get("keys")).json.keys.find((key: Body) => key.id === old.id);
    expect(kept.not_after).toBe(null);
  });
});

describe("a revoked key", () => {
  it("is refused at once; the last one of a project only where that was said", async () => {
    const first = await made({ ...hmac(), project_id: projectId });
    const second = await made({ ...hmac(), project_id: projectId });
    expect((await developer.post(`keys/${first.id}/revoke`, { last_too: false })).status).toBe(200);
    expect([await callWith(first), await callWith(second)]).toEqual(["signature_invalid", "ok"]);
    const refused = await developer.post(`keys/${second.id}/revoke`, { last_too: false });
    expect([refused.status, refused.json.error.code]).toEqual([409, "last_key"]);
    expect(await callWith(second)).toBe("ok");
    expect((await developer.post(`keys/${second.id}/revoke`, { last_too: true })).status).toBe(200);
    expect(await callWith(second)).toBe("signature_invalid");
    // Twice is the same as once, and one line.
    expect((await developer.post(`keys/${second.id}/revoke`, { last_too: true })).status).toBe(200);
    expect((await auditLines()).filter(({ action }) => action === "keys.revoke").length).toBe(2);
    const ended = (await developer.get("keys/ended")).json;
    expect(ended.keys.map((key: Body) => [key.id, key.state])).toEqual([
      [second.id, "revoked"],
      [first.id, "revoked"],
    ]);
    expect((await developer.get("keys")).json.keys).toEqual([]);
  });

  it("is last for one of two who revoke the last two at the same moment", async () => {
    const keys = [await made({ ...hmac(), project_id: projectId }), await made({ ...hmac(), project_id: projectId })];
    const answers = await Promise.all(keys.map(({ id }) => developer.post(`keys/${id}/revoke`, { last_too: false })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  it("is listed page by page", async () => {
    const keyring = testKeyring();
    const scope = { merchantId, projectId, book: "test" as const, label: "", notBefore: new Date(0), notAfter: null };
    for (let count = 0; count < 51; count += 1) await generateHmacKey(db, keyring, scope);
    await db.run({ text: "update api_keys set revoked_at = now() where merchant_id = $1", values: [merchantId] });
    const first = (await developer.get("keys/ended")).json;
    const rest = (await developer.get(`keys/ended?cursor=${first.next}`)).json;
    expect([first.keys.length, rest.keys.length, rest.next]).toEqual([50, 1, null]);
    expect((await developer.get("keys/ended?cursor=x")).status).toBe(400);
  });
});

describe("a project's rules", () => {
  it("are heeded at once, and written down with what they were", async () => {
    const key = await made({ ...hmac(), project_id: projectId });
    const path = `projects/${projectId}/rules`;
    const rules = { scheme2_only: true, allowed_ips: ["127.0.0.0/8", "192.0.2.7", "192.0.2.7"] };
    const first = { ...rules, seen: { scheme2_only: false, allowed_ips: [] } };
    expect((await developer.post(path, first)).status).toBe(200);
    // The same again was made of what is not true any more.
    const late = await developer.post(path, first);
    expect([late.status, late.json.error.code]).toEqual([409, "wrong_state"]);
    expect([await callWith(key), await callWith(key, projectId, 1)]).toEqual(["ok", "scheme_not_allowed"]);
    const seen = { scheme2_only: true, allowed_ips: ["127.0.0.0/8", "192.0.2.7"] };
    const second = { scheme2_only: true, allowed_ips: ["192.0.2.0/24"] };
    expect((await developer.post(path, { ...second, seen })).status).toBe(200);
    expect(await callWith(key)).toBe("ip_not_allowed");
    const [last, before] = (await auditLines()).filter(({ action }) => action === "project.rules");
    expect([before?.before, before?.after]).toEqual([
      { scheme2_only: false, allowed_ips: [] },
      { scheme2_only: true, allowed_ips: ["127.0.0.0/8", "192.0.2.7"] },
    ]);
    expect([last?.before, last?.after]).toEqual([
      { allowed_ips: ["127.0.0.0/8", "192.0.2.7"] },
      { allowed_ips: ["192.0.2.0/24"] },
    ]);
    const lines = (await auditLines()).length;
    expect((await developer.post(path, { ...second, seen: second })).status).toBe(200);
    expect((await auditLines()).length).toBe(lines);
  });

  it.each([["10/8"], ["010.0.0.1"], ["shop.example"], ["192.0.2.0/33"], ["::1%eth0"], [""], ["192.0.2.1 "]])(
    "take no address %j",
    async (address) => {
      const seen = { scheme2_only: false, allowed_ips: [] };
      const body = { scheme2_only: true, allowed_ips: ["192.0.2.1", address], seen };
      const { status, json } = await developer.post(`projects/${projectId}/rules`, body);
      expect([status, json.error.code, json.error.fields[0].field]).toEqual([422, "address_invalid", "allowed_ips.1"]);
      expect((await developer.get("keys")).json.projects[0]).toMatchObject({ scheme2_only: false, allowed_ips: [] });
    },
  );
});

it("a key that ends soon is told of by e-mail when a worker looks, at its start", { timeout: 60_000 }, async () => {
  const smtp = await openSmtpServer();
  onTestFinished(smtp.close);
  const key = await made({ ...hmac(), project_id: projectId, valid_days: 10 });
  await db.run({
    text: "update api_keys set created_at = created_at - interval '1 year' where id = $1",
    values: [key.id],
  });
  const { email } = await aMember(db, merchantId, "developer");
  const mails = () => smtp.mails.filter((mail) => mail.to.includes(email));
  const env = { TILLGATE_SMTP_URL: smtp.url, TILLGATE_MAIL_FROM: "pay@shop.example" };
  await service.startSibling(env, "worker");
  await expect.poll(() => mails().length, { timeout: 30_000 }).toBe(1);
  expect(mails()[0]?.data.replaceAll("=\n", "")).toContain("https://pay.example.com/account/keys");
  const rows = await db.run({ text: "select days_before from key_notices where key_id = $1", values: [key.id] });
  expect(rows).toEqual([{ days_before: 14 }]);
});
