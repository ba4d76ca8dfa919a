import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Webhook, WebhookVerificationError } from "standardwebhooks";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { TillgateSignatureError, verifyCallback, verifyStandardWebhook } from "../../sdk/src/index.ts";
import {
  ensureCallbackKey,
  inSigningOrder,
  promoteSuccessor,
  publicKeyPem,
  revealCallbackSecret,
  rotateCallbackKey,
} from "../../src/app/callbacks/callback-keys.ts";
import { openCallbackSigner } from "../../src/app/callbacks/callback-signer.ts";
import type { DirectoryProject } from "../../src/app/merchants/directory.ts";
import { configureProject } from "../../src/app/merchants/merchants.ts";
import { type DirectoryWatch, watchDirectory } from "../../src/app/merchants/watch-directory.ts";
import { callbackBody } from "../../src/core/callbacks/body.ts";
import type { Id } from "../../src/core/ids.ts";
import { openLog } from "../../src/platform/log.ts";
import { newId } from "../../src/platform/new-id.ts";
import type { CallbackKeyKind } from "../../src/store/callbacks/callback-keys.ts";
import { aProject, minor, testKeyring } from "../../src/testing/builders/projects.ts";
import { useTestDatabase } from "../../src/testing/database/test-database.ts";

/** What the service signs is verified by our SDK, by a library that is not ours, and by openssl alone. */
const { db } = useTestDatabase();
const keyring = testKeyring();
const log = openLog({ level: "silent", destination: { write: () => undefined } });
const deps = { db, keyring };
const OVERLAP_S = 3_600;
let directory: DirectoryWatch;
beforeAll(async () => {
  directory = await watchDirectory({ ...deps, log });
});
afterAll(() => directory.close());

type Signed = { readonly headers: Record<string, string>; readonly text: string; readonly nowMs: number };

async function aSigner(signing: "rsa" | "hmac") {
  const { projectId } = await aProject(db);
  await configureProject(db, projectId, { settings: { callbackSigning: signing } });
  const project = await vi.waitFor(
    async () => {
      const found = (await directory.current()).projects.get(projectId);
      expect(found?.callbackSigning).toBe(signing);
      return found as DirectoryProject;
    },
    { timeout: 60_000, interval: 5 },
  );
  const sign = async (laterS = 0): Promise<Signed> => {
    const nowMs = Date.now() + laterS * 1000;
    const body = bodyFor(projectId);
    const text = JSON.stringify(body);
    const signer = openCallbackSigner({ ...deps, nowMs: () => nowMs, currentDirectory: directory.current });
    const callback = { eventId: (body as { event: { id: string } }).event.id, text, body };
    return { headers: await signer(project, callback), text, nowMs };
  };
  return { projectId, sign };
}

function bodyFor(projectId: Id): object {
  const event = { id: newId(), sequence: 3, createdAt: new Date(0) };
  return callbackBody(
    {
      projectId,
      requestId: newId(),
      paymentId: "ord-771 é",
      direction: "payin",
      state: "processing:awaiting_confirm",
      statusDescription: null,
      declineCode: null,
      method: "card-p2p",
      amount: minor(250000),
      requestedAmount: minor(250000),
      receivedAmount: minor(0),
      currency: "RUB",
      fee: minor(6250),
    },
    event,
  );
}

async function pemOf(kind: "rsa"): Promise<string> {
  return publicKeyPem((await ensureCallbackKey(deps, kind, null)).publicKey ?? "");
}

async function secretOf(kind: "hmac" | "webhook", projectId: Id): Promise<string> {
  return revealCallbackSecret(keyring, await ensureCallbackKey(deps, kind, projectId));
}

/** Everybody's word on one callback: true where it was taken. */
async function verdicts(signed: Signed, projectId: Id, signing: "rsa" | "hmac") {
  const webhookSecret = await secretOf("webhook", projectId);
  const schemeKey =
    signing === "rsa"
      ? { publicKeyPem: await pemOf("rsa"), projectId }
      : { secret: await secretOf("hmac", projectId), projectId };
  return judge(signed, schemeKey, webhookSecret);
}

type SchemeKey = { publicKeyPem: string; projectId: string } | { secret: string; projectId: string };

function judge({ headers, text, nowMs }: Signed, schemeKey: SchemeKey, secret: string) {
  const common = { headers, rawBody: text, now: () => nowMs };
  return {
    scheme: isTaken(() => verifyCallback({ ...common, ...schemeKey })),
    webhook: isTaken(() => verifyStandardWebhook({ ...common, secret })),
    library: isTaken(() => new Webhook(secret).verify(text, headers)),
  };
}

function isTaken(verify: () => unknown): boolean {
  try {
    verify();
    return true;
  } catch (error) {
    // A body that is no JSON any more is refused after its signature was.
    if (error instanceof TillgateSignatureError || error instanceof WebhookVerificationError) return false;
    throw error;
  }
}

const ALL_TAKE = { scheme: true, webhook: true, library: true };
const ALL_REFUSE = { scheme: false, webhook: false, library: false };

describe.each(["rsa", "hmac"] as const)("a callback signed with %s", (signing) => {
  it("is taken by the SDK's two verifiers and by the standardwebhooks package", async () => {
    const { projectId, sign } = await aSigner(signing);
    const signed = await sign();
    expect(await verdicts(signed, projectId, signing)).toEqual(ALL_TAKE);
    expect(signed.headers).toMatchObject({
      "content-type": "application/json",
      "x-access-merchant-id": projectId,
      "x-access-merchant-algorithm": signing === "rsa" ? "RSA-SHA256" : "HMAC-SHA512",
      "webhook-id": JSON.parse(signed.text).event.id,
      "x-access-timestamp": signed.headers["webhook-timestamp"],
    });
    expect(signed.headers).not.toHaveProperty("x-access-signature-next");
  });

  it("is refused by all after a change of any one byte", async () => {
    const { projectId, sign } = await aSigner(signing);
    const signed = await sign();
    const webhookSecret = await secretOf("webhook", projectId);
    const key =
      signing === "rsa"
        ? { publicKeyPem: await pemOf("rsa"), projectId }
        : { secret: await secretOf("hmac", projectId), projectId };
    for (let index = 0; index < signed.text.length; index += 1) {
      const other = signed.text[index] === "7" ? "8" : "7";
      const text = signed.text.slice(0, index) + other + signed.text.slice(index + 1);
      expect(judge({ ...signed, text }, key, webhookSecret), text).toEqual(ALL_REFUSE);
    }
  });

  it("is refused when its time, its id or its signature is another's", async () => {
    const { projectId, sign } = await aSigner(signing);
    const signed = await sign();
    const other = await sign();
    const swapped = (...names: string[]) => ({
      ...signed,
      headers: { ...signed.headers, ...Object.fromEntries(names.map((name) => [name, other.headers[name] ?? ""])) },
    });
    const later = String(Number(signed.headers["x-access-timestamp"]) + 1);
    const postponed = { ...signed.headers, "x-access-timestamp": later, "webhook-timestamp": later };
    expect(await verdicts({ ...signed, headers: postponed }, projectId, signing)).toEqual(ALL_REFUSE);
    expect(await verdicts(swapped("webhook-id"), projectId, signing)).toEqual({ ...ALL_REFUSE, scheme: true });
    expect(await verdicts(swapped("x-access-signature"), projectId, signing)).toEqual({ ...ALL_TAKE, scheme: false });
    expect(await verdicts(swapped("webhook-signature"), projectId, signing)).toEqual({ ...ALL_REFUSE, scheme: true });
  });
});

describe("while a key is replaced", () => {
  /** Rotates, and waits until the signer's directory has both. */
  async function rotate(kind: CallbackKeyKind, projectId: Id | null) {
    const { id } = await rotateCallbackKey(deps, kind, projectId, OVERLAP_S);
    const name = `${kind} ${projectId ?? ""}`;
    await vi.waitFor(
      async () => expect((await directory.current()).callbackKeys.get(name)?.map((key) => key.id)).toContain(id),
      { timeout: 60_000, interval: 5 },
    );
  }

  /** Ends every overlap of that purpose now. */
  async function aloneInForce(kind: CallbackKeyKind, projectId: Id | null) {
    await db.run({
      text: `update callback_keys set retires_at = now()
              where kind = $1 and project_id is not distinct from $2 and retires_at > now()`,
      values: [kind, projectId],
    });
    const name = `${kind} ${projectId ?? ""}`;
    await vi.waitFor(
      async () => {
        const keys = (await directory.current()).callbackKeys.get(name) ?? [];
        expect(keys.filter(({ retiresAtMs }) => retiresAtMs > Date.now()).length).toBeLessThan(2);
      },
      { timeout: 60_000, interval: 5 },
    );
  }

  /** As programs see it that were written before the second header was. */
  function firstHeaderOnly({ headers, ...rest }: Signed): Signed {
    const { "x-access-signature-next": _next, ...known } = headers;
    return { ...rest, headers: known };
  }

  /** As a receiver sees it that has changed over to the next key already. */
  function asNext({ headers, ...rest }: Signed): Signed {
    const next = headers["x-access-signature-next"] ?? "";
    return { ...rest, headers: { ...headers, "x-access-signature": next } };
  }

  it.each(["rsa", "hmac"] as const)(
    "%s: the old and the new one verify, and after the overlap only the new",
    async (signing) => {
      const { projectId, sign } = await aSigner(signing);
      const webhookSecret = await secretOf("webhook", projectId);
      const keyNow = async (): Promise<SchemeKey> =>
        signing === "rsa"
          ? { publicKeyPem: await pemOf("rsa"), projectId }
          : { secret: await secretOf("hmac", projectId), projectId };
      const oldKey = await keyNow();
      await rotate(signing, signing === "rsa" ? null : projectId);
      const newKey = await keyNow();
      const during = await sign();
      expect(judge(during, oldKey, webhookSecret).scheme).toBe(true);
      // Our own verifier looks at the successor's header too.
      expect(judge(during, newKey, webhookSecret).scheme).toBe(true);
      expect(judge(asNext(during), newKey, webhookSecret).scheme).toBe(true);
      expect(judge(asNext(during), oldKey, webhookSecret).scheme).toBe(false);
      expect(during.headers["x-access-token-next"]).not.toBe(during.headers["x-access-token"]);
      const after = await sign(OVERLAP_S + 60);
      expect(judge(after, newKey, webhookSecret).scheme).toBe(true);
      expect(judge(after, oldKey, webhookSecret).scheme).toBe(false);
      expect(after.headers).not.toHaveProperty("x-access-signature-next");
      expect(after.headers["x-access-token"]).toBe(during.headers["x-access-token-next"]);
    },
  );

  it.each(["rsa", "hmac"] as const)(
    "%s: receivers that look at x-access-signature alone change over when the operator promotes the new key",
    async (signing) => {
      const { projectId, sign } = await aSigner(signing);
      const webhookSecret = await secretOf("webhook", projectId);
      const owner = signing === "rsa" ? null : projectId;
      const keyNow = async (): Promise<SchemeKey> =>
        signing === "rsa"
          ? { publicKeyPem: await pemOf("rsa"), projectId }
          : { secret: await secretOf("hmac", projectId), projectId };
      await aloneInForce(signing, owner);
      const oldKey = await keyNow();
      await rotate(signing, owner);
      const newKey = await keyNow();
      const taken = (signed: Signed, key: SchemeKey) => judge(firstHeaderOnly(signed), key, webhookSecret).scheme;
      const before = await sign();
      expect([taken(before, oldKey), taken(before, newKey)]).toEqual([true, false]);

      expect(await promoteSuccessor(db, signing, owner)).toMatchObject({ ok: true });
      await vi.waitFor(
        async () => {
          const keys = (await directory.current()).callbackKeys.get(`${signing} ${owner ?? ""}`);
          expect(keys?.at(-1)?.promotedAt).toBeInstanceOf(Date);
        },
        { timeout: 60_000, interval: 5 },
      );
      const promoted = await sign();
      expect([taken(promoted, oldKey), taken(promoted, newKey)]).toEqual([false, true]);
      // Both headers stay until the overlap ends, with their keys' names.
      expect(judge(asNext(promoted), oldKey, webhookSecret).scheme).toBe(true);
      expect(promoted.headers["x-access-token"]).toBe(before.headers["x-access-token-next"]);
      expect(promoted.headers["x-access-token-next"]).toBe(before.headers["x-access-token"]);
      for (const key of [oldKey, newKey]) expect(judge(promoted, key, webhookSecret).scheme).toBe(true);

      const after = await sign(OVERLAP_S + 60);
      expect([taken(after, oldKey), taken(after, newKey)]).toEqual([false, true]);
      expect(after.headers).not.toHaveProperty("x-access-signature-next");
      expect(await promoteSuccessor(db, signing, owner)).toEqual({ ok: false, error: { code: "promoted_already" } });
    },
  );

  it("a promoted key that is replaced in turn goes on making x-access-signature until its successor is promoted", async () => {
    const { projectId, sign } = await aSigner("hmac");
    await sign();
    await rotate("hmac", projectId);
    expect(await promoteSuccessor(db, "hmac", projectId)).toMatchObject({ ok: true });
    await aloneInForce("hmac", projectId);
    expect(await promoteSuccessor(db, "hmac", projectId)).toEqual({ ok: false, error: { code: "not_replaced" } });
    const alone = await sign();
    await rotate("hmac", projectId);
    const during = await sign();
    expect(during.headers["x-access-token"]).toBe(alone.headers["x-access-token"]);
    expect(during.headers["x-access-token-next"]).not.toBe(alone.headers["x-access-token"]);
  });

  it("a webhook secret: both sign within one header, and after the overlap only the new", async () => {
    const { projectId, sign } = await aSigner("hmac");
    const oldSecret = await secretOf("webhook", projectId);
    await rotate("webhook", projectId);
    const newSecret = await secretOf("webhook", projectId);
    const key = { secret: await secretOf("hmac", projectId), projectId };
    const during = await sign();
    expect(during.headers["webhook-signature"]?.split(" ")).toHaveLength(2);
    expect(judge(during, key, oldSecret)).toEqual(ALL_TAKE);
    expect(judge(during, key, newSecret)).toEqual(ALL_TAKE);
    const after = await sign(OVERLAP_S + 60);
    expect(after.headers["webhook-signature"]?.split(" ")).toHaveLength(1);
    expect(judge(after, key, newSecret)).toMatchObject({ scheme: true, webhook: true });
    expect(judge(after, key, oldSecret)).toMatchObject({ scheme: true, webhook: false });
  });
});

function hasOpenssl(): boolean {
  try {
    execFileSync("openssl", ["version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

if (!hasOpenssl()) {
  process.stderr.write("\nSKIPPED: callbacks are not verified by openssl, which this machine lacks.\n\n");
}

describe.skipIf(!hasOpenssl())("openssl alone", () => {
  /** The lines of scheme 1, written by hand so that nothing is shared with the service. */
  function linesOf(value: unknown, path: readonly string[] = []): string[] {
    if (value === null) return [[...path, "None"].join(":")];
    if (typeof value !== "object") return [[...path, String(value)].join(":")];
    return Object.entries(value).flatMap(([name, member]) => linesOf(member, [...path, name]));
  }

  function shell(script: string, env: Record<string, string>, cwd: string): string {
    try {
      return execFileSync("sh", ["-c", script], {
        env: { PATH: process.env.PATH, ...env },
        cwd,
        encoding: "utf8",
        stdio: "pipe",
      });
    } catch (error) {
      return String((error as { stdout?: unknown }).stdout);
    }
  }

  it("verifies the RSA signature, and not that of a changed body", async () => {
    const { sign } = await aSigner("rsa");
    const { headers, text } = await sign();
    const cwd = mkdtempSync(join(tmpdir(), "tillgate-callback-"));
    // The one that makes the first header: another test may have replaced or promoted it.
    const [key] = inSigningOrder((await directory.current()).callbackKeys.get("rsa ") ?? []);
    writeFileSync(join(cwd, "key.pem"), publicKeyPem(key?.token ?? ""));
    writeFileSync(join(cwd, "signature"), Buffer.from(headers["x-access-signature"] ?? "", "base64url"));
    const messageOf = (body: string) => {
      const normalised = linesOf(JSON.parse(body)).sort().join(";");
      return Buffer.from(normalised).toString("base64url") + headers["x-access-timestamp"];
    };
    const script =
      'printf %s "$MESSAGE" | openssl dgst -sha256 -binary | openssl dgst -sha256 -verify key.pem -signature signature';
    expect(shell(script, { MESSAGE: messageOf(text) }, cwd)).toBe("Verified OK\n");
    const forged = text.replace("250000", "250001");
    expect(shell(script, { MESSAGE: messageOf(forged) }, cwd)).not.toContain("OK");
    rmSync(cwd, { recursive: true });
  });

  it("makes the same Standard Webhooks signature", async () => {
    const { projectId, sign } = await aSigner("hmac");
    const { headers, text } = await sign();
    const secret = Buffer.from((await secretOf("webhook", projectId)).slice("whsec_".length), "base64");
    const script =
      'printf %s "$CONTENT" | openssl dgst -sha256 -mac HMAC -macopt "hexkey:$KEY" -binary | openssl base64 -A';
    const CONTENT = `${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${text}`;
    const made = shell(script, { CONTENT, KEY: secret.toString("hex") }, tmpdir());
    expect(headers["webhook-signature"]).toBe(`v1,${made}`);
    const forged = shell(script, { CONTENT: `${CONTENT} `, KEY: secret.toString("hex") }, tmpdir());
    expect(headers["webhook-signature"]).not.toBe(`v1,${forged}`);
  });
});

it("processes that need a project's first secret at once agree on one", async () => {
  const { projectId } = await aProject(db);
  const keys = await Promise.all(Array.from({ length: 8 }, () => ensureCallbackKey(deps, "webhook", projectId)));
  expect(new Set(keys.map(({ id }) => id)).size).toBe(1);
});
