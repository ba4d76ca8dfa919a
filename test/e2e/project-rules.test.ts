import { describe, expect, it, vi } from "vitest";
import { createTillgate, credentialsFromSandboxFile, TillgateApiError } from "../../sdk/src/index.ts";
import { generateHmacKey, type KeyScope, registerRsaKey } from "../../src/app/merchants/api-keys.ts";
import { setBankAvailability } from "../../src/app/merchants/banks.ts";
import { configureProject } from "../../src/app/merchants/merchants.ts";
import type { Currency } from "../../src/core/currency.ts";
import type { Id } from "../../src/core/ids.ts";
import { revokeApiKey } from "../../src/store/merchants/api-keys.ts";
import { aProject, rsaKeyOf, testKeyring } from "../../src/testing/builders/projects.ts";
import { useTestDatabase } from "../../src/testing/database/test-database.ts";
import { settled, startForTest, useTestService } from "../../src/testing/service/test-service.ts";

const database = useTestDatabase();
const { db } = database;
const service = useTestService(database);

async function anOwner() {
  const owner = await aProject(db);
  const key = await rsaKeyOf(db, { ...owner, book: "test" });
  const credentials = { ...owner, kind: "rsa" as const, privateKeyPem: key.privateKeyPem.reveal() };
  await service.settled();
  return { ...owner, key, credentials };
}

function clientOf(
  credentials: Parameters<typeof createTillgate>[0]["credentials"],
  scheme: 1 | 2 = 2,
  baseUrl = service.url(),
) {
  return createTillgate({ baseUrl, credentials, scheme, retriesMax: 0 });
}

async function codeOf(call: Promise<unknown>): Promise<string> {
  try {
    await call;
    return "ok";
  } catch (error) {
    if (error instanceof TillgateApiError) return error.code;
    throw error;
  }
}

describe("a project's rules", () => {
  it("scheme 2 only", async () => {
    const { projectId, credentials } = await anOwner();
    expect(await codeOf(clientOf(credentials, 1).balance.info())).toBe("ok");
    await configureProject(db, projectId, { settings: { scheme2Only: true } });
    await service.settled();
    expect(await codeOf(clientOf(credentials, 1).balance.info())).toBe("scheme_not_allowed");
    expect(await codeOf(clientOf(credentials, 2).balance.info())).toBe("ok");
  });

  it("a list of addresses", async () => {
    const { projectId, credentials } = await anOwner();
    await configureProject(db, projectId, { settings: { allowedIps: ["192.0.2.0/24", "2001:db8::1"] } });
    await service.settled();
    expect(await codeOf(clientOf(credentials).balance.info())).toBe("ip_not_allowed");
    await configureProject(db, projectId, { settings: { allowedIps: ["192.0.2.0/24", "127.0.0.0/8"] } });
    await service.settled();
    expect(await codeOf(clientOf(credentials).balance.info())).toBe("ok");
  });

  it("a rate, with Retry-After, that another project does not feel", async () => {
    const { projectId, credentials } = await anOwner();
    const other = await anOwner();
    await configureProject(db, projectId, { settings: { ratePerSecond: 1, rateBurst: 3 } });
    await service.settled();
    // At once: one after the other, a slow machine would earn a new token before the last.
    const calls = await Promise.allSettled(Array.from({ length: 20 }, () => clientOf(credentials).balance.info()));
    expect(calls.filter(({ status }) => status === "fulfilled").length).toBeGreaterThanOrEqual(3);
    const refused = calls.flatMap((call) => (call.status === "rejected" ? [call.reason] : []));
    expect(refused.length).toBeGreaterThan(0);
    for (const reason of refused)
      expect(reason).toMatchObject({ httpStatus: 429, code: "rate_limited", retryAfterS: 1 });
    expect(await codeOf(clientOf(other.credentials).balance.info())).toBe("ok");
  });

  it("a pause does not hide a balance", async () => {
    const { projectId, credentials } = await anOwner();
    await configureProject(db, projectId, { settings: { status: "paused" } });
    await service.settled();
    expect(await codeOf(clientOf(credentials).balance.info())).toBe("ok");
  });

  it("enabled methods bring their currency into the balance, as zero", async () => {
    const { projectId, credentials } = await anOwner();
    expect((await clientOf(credentials).balance.info()).balance).toEqual([]);
    const offer = { direction: "payin", method: "card-p2p", currency: "KZT" as Currency } as const;
    expect(await configureProject(db, projectId, { offers: [offer], methods: { enabled: true } })).toMatchObject({
      ok: true,
    });
    await service.settled();
    expect((await clientOf(credentials).balance.info()).balance).toEqual([
      { currency: "KZT", amount: 0, locked_amount: 0 },
    ]);
    await configureProject(db, projectId, { offers: [offer], methods: { enabled: false } });
    await service.settled();
    expect((await clientOf(credentials).balance.info()).balance).toEqual([]);
  });

  it("a disabled bank is not listed, until it is enabled again", async () => {
    const client = clientOf(credentialsFromSandboxFile(service.sandbox()));
    await setBankAvailability(db, "vtb", "disabled");
    await service.settled();
    expect((await client.bank.all()).some((bank) => bank.symbol === "vtb")).toBe(false);
    await setBankAvailability(db, "vtb", "enabled");
    await service.settled();
    expect((await client.bank.all()).some((bank) => bank.symbol === "vtb")).toBe(true);
  });
});

describe("keys", () => {
  const scopeOf = (owner: { merchantId: Id; projectId: Id | null }): KeyScope => ({
    ...owner,
    book: "test",
    label: "",
    notBefore: new Date(0),
    notAfter: null,
  });

  it("of a merchant serve all its projects of one book; of a project only that one", async () => {
    const first = await anOwner();
    const sibling = await aProject(db, "test", first.merchantId);
    const live = await aProject(db, "live", first.merchantId);
    const whole = await rsaKeyOf(db, { merchantId: first.merchantId, projectId: null, book: "test" });
    await service.settled();
    const as = (projectId: Id, privateKeyPem: string) =>
      clientOf({ kind: "rsa", merchantId: first.merchantId, projectId, privateKeyPem }).balance.info();
    const merchantPem = whole.privateKeyPem.reveal();
    expect(await codeOf(as(first.projectId, merchantPem))).toBe("ok");
    expect(await codeOf(as(sibling.projectId, merchantPem))).toBe("ok");
    expect(await codeOf(as(live.projectId, merchantPem))).toBe("project_forbidden");
    expect(await codeOf(as(sibling.projectId, first.credentials.privateKeyPem))).toBe("project_forbidden");
  });

  it("overlap while they rotate, and each works only in its time", async () => {
    const owner = await anOwner();
    const inAnHour = new Date(Date.now() + 3_600_000);
    const anHourAgo = new Date(Date.now() - 3_600_000);
    const early = await rsaKeyOf(db, { ...owner, book: "test" });
    await db.run({ text: "update api_keys set not_before = $2 where id = $1", values: [early.id, inAnHour] });
    const late = await rsaKeyOf(db, { ...owner, book: "test" });
    await db.run({ text: "update api_keys set not_after = $2 where id = $1", values: [late.id, anHourAgo] });
    const second = await rsaKeyOf(db, { ...owner, book: "test" });
    await service.settled();
    const as = (key: typeof early) =>
      codeOf(clientOf({ ...owner.credentials, privateKeyPem: key.privateKeyPem.reveal() }).balance.info());
    expect([await as(owner.key), await as(second), await as(early), await as(late)]).toEqual([
      "ok",
      "ok",
      "signature_invalid",
      "signature_invalid",
    ]);
  });

  it("revoked on one process are refused on another", async () => {
    const { key, credentials } = await anOwner();
    const sibling = await service.startSibling();
    expect(await codeOf(clientOf(credentials, 2, sibling.localUrl).balance.info())).toBe("ok");
    await db.transaction((tx) => revokeApiKey(tx, key.id));
    await settled(database, sibling.localUrl);
    expect(await codeOf(clientOf(credentials, 2, sibling.localUrl).balance.info())).toBe("signature_invalid");
    const unrevoke = db.run({ text: "update api_keys set revoked_at = null where id = $1", values: [key.id] });
    await expect(unrevoke).rejects.toMatchObject({ code: "23001" });
  });

  it("revocation arrives even when notifications are lost", async () => {
    const { key, credentials } = await anOwner();
    await db.run({
      text: `select pg_terminate_backend(pid) from pg_stat_activity
              where datname = current_database() and query ilike 'listen %'`,
    });
    await db.transaction((tx) => revokeApiKey(tx, key.id));
    await service.settled();
    expect(await codeOf(clientOf(credentials).balance.info())).toBe("signature_invalid");
  });

  it("whose secret was tampered with fail alone", async () => {
    const owner = await anOwner();
    const hmac = await generateHmacKey(db, testKeyring(), scopeOf(owner));
    if (!hmac.ok) throw new Error(hmac.error);
    await service.settled();
    const tampered = {
      ...owner.credentials,
      kind: "hmac" as const,
      keyId: hmac.value.token,
      secret: hmac.value.secret.reveal(),
    };
    expect(await codeOf(clientOf(tampered).balance.info())).toBe("signature_invalid");
    expect(await codeOf(clientOf(owner.credentials).balance.info())).toBe("ok");
  });

  it.each([
    ["not a key", "nonsense", "key_unreadable"],
    ["a private key", "-----BEGIN PRIVATE KEY-----\nMIIB\n-----END PRIVATE KEY-----", "key_unreadable"],
    [
      "1024 bits",
      `-----BEGIN PUBLIC KEY-----
MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQDdlatRjRjogo3WojgGHFHYLugdUWAY9iR3fy4arWNA1KoS8kVw33cJibXr8bvwUAUparCwlvdbH6dvEOfou0/gCFQsHUfQrSDv+MuSUMAe8jzKE4qW+jK+xQU9a03GUnKHkkle+Q0pX/g6jXZ7r1/xAK5Do2kQ+X5xK9cipRgEKwIDAQAB
-----END PUBLIC KEY-----`,
      "key_size",
    ],
  ])("refuse to be registered as %s", async (_name, pem, code) => {
    expect(await registerRsaKey(db, scopeOf(await aProject(db)), pem)).toEqual({ ok: false, error: code });
  });
});

it("failures from one address are limited, and then even a good call from there waits", async () => {
  const { credentials } = await anOwner();
  const sibling = await service.startSibling({
    TILLGATE_AUTH_FAILURES_BURST: "5",
    TILLGATE_AUTH_FAILURES_PER_SECOND: "1",
  });
  const stranger = { ...credentials, merchantId: "0".repeat(32) };
  for (let count = 0; count < 20; count += 1) await codeOf(clientOf(stranger, 2, sibling.localUrl).balance.info());
  const refused = clientOf(credentials, 2, sibling.localUrl).balance.info();
  await expect(refused).rejects.toMatchObject({ httpStatus: 429, code: "rate_limited", retryAfterS: 1 });
  expect(await codeOf(clientOf(credentials).balance.info())).toBe("ok");
});

it("each of several processes enforces its share of a rate", async () => {
  const { projectId, credentials } = await anOwner();
  await configureProject(db, projectId, { settings: { ratePerSecond: 1, rateBurst: 40 } });
  const sibling = await service.startSibling();
  const live = async (url: string) =>
    Number(/^tillgate_processes (\d+)$/m.exec(await (await fetch(`${url}/metrics`)).text())?.[1]);
  await vi.waitFor(async () => expect(await live(service.url())).toBeGreaterThanOrEqual(2), {
    timeout: 60_000,
    interval: 100,
  });
  const parts = await live(sibling.localUrl);
  await settled(database, sibling.localUrl);
  let accepted = 0;
  for (let count = 0; count < 40; count += 1) {
    if ((await codeOf(clientOf(credentials, 2, sibling.localUrl).balance.info())) === "ok") accepted += 1;
  }
  expect(accepted).toBeGreaterThanOrEqual(Math.floor(40 / parts));
  expect(accepted).toBeLessThan(40);
});

it("a process whose master key does not fit refuses to start", async () => {
  const started = service.startSibling({ TILLGATE_MASTER_KEY: "ab".repeat(32) });
  await expect(started).rejects.toThrow(/TILLGATE_MASTER_KEY or TILLGATE_MASTER_KEY_PREVIOUS must be that key/);
});

it("production answers readiness and hides metrics from strangers", async () => {
  const sibling = await service.startSibling({ TILLGATE_METRICS_ALLOW: "192.0.2.1" });
  expect((await fetch(`${sibling.localUrl}/readyz`)).status).toBe(200);
  expect((await fetch(`${sibling.localUrl}/healthz`)).status).toBe(200);
  expect((await fetch(`${sibling.localUrl}/metrics`)).status).toBe(404);
  expect((await fetch(`${service.url()}/metrics`)).status).toBe(200);
});

it("development mode puts no sandbox into a database that has merchants of its own", async () => {
  await db.run({ text: "update settings set name = 'sandbox_project_of_another' where name = 'sandbox_project'" });
  try {
    const started = startForTest(database.url, { TILLGATE_DATA_DIR: service.stateDir });
    await expect(started).rejects.toThrow(/^This database has merchants of its own/);
  } finally {
    await db.run({ text: "update settings set name = 'sandbox_project' where name = 'sandbox_project_of_another'" });
  }
});
