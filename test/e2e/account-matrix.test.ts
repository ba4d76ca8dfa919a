import { beforeAll, describe, expect, it } from "vitest";
import type { AccountRoute } from "../../src/api/account/route.ts";
import { ACCOUNT_ROUTES } from "../../src/api/account/routes.ts";
import { invite } from "../../src/app/people/invite.ts";
import type { Id } from "../../src/core/ids.ts";
import { hasRight, ROLES, type Role } from "../../src/core/people/rights.ts";
import { SESSION_AGE_MAX_S, SESSION_IDLE_S } from "../../src/core/people/session-rules.ts";
import { newId } from "../../src/platform/new-id.ts";
import { insertPasskey } from "../../src/store/people/passkeys.ts";
import {
  type AccountClient,
  type AccountReply,
  aMember,
  openAccountClient,
  sessionOf,
  type TestMember,
} from "../../src/testing/account-client.ts";
import { aCallback } from "../../src/testing/builders/callbacks.ts";
import { aChunk, anAnsweredCall } from "../../src/testing/builders/logged-calls.ts";
import { aPayin } from "../../src/testing/builders/payments.ts";
import { aProject, rsaKeyOf } from "../../src/testing/builders/projects.ts";
import { useTestDatabase } from "../../src/testing/database/test-database.ts";
import { cardFile, openBatchRig } from "../../src/testing/rigs/batch-rig.ts";
import { useTestService } from "../../src/testing/service/test-service.ts";

/** Every route of the account, with each role and without each thing that it needs. */
const database = useTestDatabase();
const service = useTestService(database);

let merchantId: Id;
let otherMerchantId: Id;
let members: Record<Role, TestMember>;

beforeAll(async () => {
  ({ merchantId } = await aProject(database.db));
  ({ merchantId: otherMerchantId } = await aProject(database.db));
  const entries = await Promise.all(
    ROLES.map(async (role) => [role, await aMember(database.db, merchantId, role)] as const),
  );
  members = Object.fromEntries(entries) as Record<Role, TestMember>;
});

const REFUSALS = ["not_signed_in", "forbidden", "step_up_required", "second_factor_required", "cross_site"];
const named = ACCOUNT_ROUTES.map((route) => [`${route.method} ${route.path}`, route] as const);

async function clientOf(role: Role, options: Parameters<typeof sessionOf>[2] = {}): Promise<AccountClient> {
  return openAccountClient(service.url(), (await sessionOf(database.db, members[role], options)).token);
}

/** Without a body: what gets as far as the body is let in. */
function ask(client: AccountClient, route: AccountRoute, path = unknownIds(route.path)): Promise<AccountReply> {
  return route.method === "GET" ? client.get(path) : client.post(path, {});
}

function unknownIds(path: string): string {
  return path.replaceAll(/:[a-z_]+/g, () => newId());
}

function isRefused({ json }: AccountReply): string | undefined {
  return REFUSALS.find((code) => code === json?.error?.code);
}

it("names each route once", () => {
  expect(ACCOUNT_ROUTES.length).toBeGreaterThan(2);
  expect(new Set(named.map(([name]) => name)).size).toBe(ACCOUNT_ROUTES.length);
});

describe.each(named)("%s", (_name, route) => {
  it.each(ROLES)("as %s", async (role) => {
    const allowed = route.right === "anyone" || route.right === "signed-in" || hasRight(role, route.right);
    const reply = await ask(await clientOf(role, { steppedUp: true }), route);
    expect(reply.status).toBeLessThan(500);
    expect(isRefused(reply)).toBe(allowed ? undefined : "forbidden");
    const plain = await ask(await clientOf(role), route);
    expect(isRefused(plain)).toBe(!allowed ? "forbidden" : route.stepUp ? "step_up_required" : undefined);
  });

  it("without a session, or with one that is over", async () => {
    const wanted = route.right === "anyone" ? undefined : "not_signed_in";
    const nowMs = Date.now();
    const idle = await clientOf("owner", { steppedUp: true, now: new Date(nowMs - SESSION_IDLE_S * 1000) });
    const aged = await clientOf("owner", { steppedUp: true, now: new Date(nowMs - SESSION_AGE_MAX_S * 1000) });
    for (const client of [
      openAccountClient(service.url()),
      openAccountClient(service.url(), "x".repeat(43)),
      idle,
      aged,
    ]) {
      const reply = await ask(client, route);
      expect(isRefused(reply)).toBe(wanted);
      if (wanted !== undefined) expect(reply.status).toBe(401);
    }
  });

  it("from another site", async () => {
    const client = await clientOf("owner", { steppedUp: true });
    const path = unknownIds(route.path);
    const foreign: Record<string, string | undefined>[] =
      route.method === "GET"
        ? [{ "sec-fetch-site": "cross-site" }, { "sec-fetch-site": "same-site" }]
        : [
            { "sec-fetch-site": "cross-site" },
            { "sec-fetch-site": "none" },
            { origin: "https://evil.example" },
            { origin: "null" },
            { origin: undefined },
            { "x-tillgate-account": undefined },
          ];
    for (const headers of foreign) {
      const reply =
        route.method === "GET"
          ? await client.get(path, headers as Record<string, string>)
          : await client.post(path, {}, headers);
      expect([headers, reply.status, isRefused(reply)]).toEqual([headers, 403, "cross_site"]);
    }
  });
});

/** What another merchant's ids lead to: the same as ids that do not exist. A path with an id needs its row. */
type Foreign = { readonly id: string; readonly body?: unknown };
const FOREIGN: Readonly<Record<string, () => Promise<Foreign>>> = {
  "sessions/:id/revoke": async () => ({ id: (await sessionOf(database.db, await stranger())).sessionId }),
  "team/invitations/:id/revoke": async () => {
    const actor = { kind: "operator", name: "test" } as const;
    const wish = {
      merchantId: otherMerchantId,
      email: "b@shop.example",
      role: "viewer",
      actor,
      now: new Date(),
    } as const;
    const invited = await invite(database.db, wish);
    return { id: invited.ok ? invited.value.id : "" };
  },
  "payments/:request_id": async () => {
    const { projectId } = await aProject(database.db, "test", otherMerchantId);
    return { id: (await aPayin(database.db, [], { projectId })).requestId };
  },
  "second-factor/passkeys/:id/remove": async () => {
    const id = newId();
    const { personId } = await stranger();
    const key = {
      id,
      credentialId: Buffer.from(id),
      publicKey: Buffer.from("x"),
      signCount: 0n,
      transports: [],
      name: "x",
    };
    await database.db.transaction((tx) => insertPasskey(tx, personId, key));
    return { id };
  },
  "callbacks/projects/:project_id": async () => foreignProject(),
  "callbacks/projects/:project_id/url": async () => foreignProject({ name: "callback_url", url: "https://a.example/" }),
  "callbacks/projects/:project_id/signing": async () => foreignProject({ callback_signing: "hmac" }),
  "callbacks/projects/:project_id/keys/new": async () => foreignProject({ kind: "webhook" }),
  "callbacks/projects/:project_id/keys/promote": async () => foreignProject(),
  "callbacks/projects/:project_id/keys/end": async () => foreignProject({ kind: "webhook" }),
  "callbacks/projects/:project_id/enable": async () => foreignProject({ url: "https://a.example/" }),
  "callbacks/projects/:project_id/test": async () => foreignProject({ event: "payin_success" }),
  "callbacks/:id/replay": async () => foreignCallback(),
  "callbacks/:id/dismiss": async () => foreignCallback(),
  "team/:person_id/role": async () => ({ id: (await stranger()).personId, body: { role: "viewer" } }),
  "team/:person_id/remove": async () => ({ id: (await stranger()).personId }),
  "settings/:project_id": foreignProject,
  "settings/:project_id/look": () => foreignProject({ name: "x" }),
  "settings/:project_id/logo": () => foreignProject({ picture: null }),
  "settings/:project_id/attempts": () => foreignProject({ payer_attempts: 1 }),
  "settings/:project_id/origin": () => foreignProject({ origin: "https://evil.example", allowed: true }),
  "settings/:project_id/support": () => foreignProject({ phone: "112" }),
  "payments/:request_id/reveal": async () => {
    const { id: projectId } = await foreignProject();
    return { id: (await aPayin(database.db, [], { projectId })).requestId };
  },
  "keys/:id/replace": async () => ({
    id: await foreignKey(),
    body: { label: "", kind: "hmac", valid_days: null, overlap_s: 3600 },
  }),
  "keys/:id/revoke": async () => ({ id: await foreignKey(), body: { last_too: true } }),
  "projects/:id/rules": () => foreignProject({ ...NO_RULES, seen: NO_RULES }),
  "payout-batches/:id": async () => ({ id: await foreignBatch() }),
  "payout-batches/:id/results.csv": async () => ({ id: await foreignBatch() }),
  "payout-batches/:id/confirm": async () => ({ id: await foreignBatch() }),
  "payout-batches/:id/approve": async () => ({ id: await foreignBatch() }),
  "payout-batches/:id/refuse": async () => ({ id: await foreignBatch(), body: { reason: "no" } }),
  "payout-batches/:id/withdraw": async () => ({ id: await foreignBatch() }),
  "payout-batches/:id/retry": async () => ({ id: await foreignBatch() }),
  "log/:id": async () => {
    const { projectId } = await aProject(database.db, "test", otherMerchantId);
    const call = anAnsweredCall();
    await aChunk(database.db, projectId, "calls", [call]);
    return { id: call.id };
  },
};

const NO_RULES = { scheme2_only: false, allowed_ips: [] };

async function foreignProject(body: object = {}) {
  const { projectId } = await aProject(database.db, "test", otherMerchantId);
  return { id: projectId, body };
}

async function foreignKey(): Promise<Id> {
  return (await rsaKeyOf(database.db, { merchantId: otherMerchantId, projectId: null, book: "test" })).id;
}

/** Payouts that another merchant's people prepared: the same for all rows. */
let prepared: Promise<Id> | undefined;
function foreignBatch(): Promise<Id> {
  prepared ??= (async () => {
    const rig = openBatchRig(database.db);
    const checked = await rig.check(await rig.aShop(), cardFile([1_000]));
    return checked.kind === "checked" ? checked.id : newId();
  })();
  return prepared;
}

async function foreignCallback(): Promise<Foreign> {
  const { projectId } = await aProject(database.db, "test", otherMerchantId);
  return { id: (await aCallback(database.db, projectId, { state: "dead" })).id };
}

function stranger(): Promise<TestMember> {
  return aMember(database.db, otherMerchantId, "owner");
}

describe("foreign ids", () => {
  const withIds = named.filter(([, route]) => route.path.includes(":"));

  it("has a row for each path with an id", () => {
    expect(Object.keys(FOREIGN).sort()).toEqual(withIds.map(([, route]) => route.path).sort());
  });

  it.each(withIds)("%s", async (_name, route) => {
    const { id = "", body = {} } = (await FOREIGN[route.path]?.()) ?? {};
    expect(id).toMatch(/^[0-9a-f]{32}$/);
    const answers: unknown[] = [];
    for (const tried of [id, newId(), "no-id", "%27"]) {
      const client = await clientOf("owner", { steppedUp: true });
      const path = route.path.replace(/:[a-z_]+/, tried);
      const { status, json } = route.method === "GET" ? await client.get(path) : await client.post(path, body);
      answers.push([status, json]);
    }
    expect(answers).toEqual(answers.map(() => [404, { error: { code: "not_found", message: expect.any(String) } }]));
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
  });
});
