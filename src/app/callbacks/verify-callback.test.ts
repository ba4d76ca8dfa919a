import { createHmac } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { verifyCallback, verifyStandardWebhook } from "../../../sdk/src/index.ts";
import type { Id } from "../../core/ids.ts";
import { newId } from "../../platform/new-id.ts";
import type { CallbackKeyKind } from "../../store/callbacks/callback-keys.ts";
import { findProject } from "../../store/merchants/projects.ts";
import { aProject, testKeyring } from "../../testing/builders/projects.ts";
import { useTestDatabase } from "../../testing/database/test-database.ts";
import { directoryProject, loadDirectory } from "../merchants/directory.ts";
import { ensureCallbackKey, publicKeyPem, revealCallbackSecret, rotateCallbackKey } from "./callback-keys.ts";
import { openCallbackSigner } from "./callback-signer.ts";
import { type CallbackVerifierKeys, openCallbackVerifier } from "./verify-callback.ts";

/** What the service really signs, verified by our own code and by the SDK, which shares none of it. */
const { db } = useTestDatabase();
const keyring = testKeyring();
const NOW_MS = Date.now();
const OVERLAP_S = 3600;
const log = { error: () => undefined } as never;

let projectId: Id;
beforeAll(async () => {
  projectId = (await aProject(db)).projectId;
});

type Signed = { readonly headers: Record<string, string>; readonly rawBody: Buffer };

async function sign(signing: "rsa" | "hmac", changes: object = {}): Promise<Signed> {
  const stored = await findProject(db, projectId);
  if (stored === undefined) throw new Error("no project");
  const project = directoryProject({ ...stored, callbackSigning: signing });
  const directory = await loadDirectory(db, keyring, log, undefined);
  const signer = openCallbackSigner({ db, keyring, nowMs: () => NOW_MS, currentDirectory: () => directory });
  const eventId = newId();
  const body = {
    project_id: projectId,
    general: { request_id: newId(), payment_id: "заказ-1" },
    status: { status: "processing", sub_status: "awaiting_confirm", status_description: null, decline_code: null },
    payment_info: { type: "payin", method: "card-p2p", amount: 250000, requested_amount: 250000, currency: "RUB" },
    event: { id: eventId, sequence: 3, created_at: "2026-01-31T10:00:00.000Z" },
    ...changes,
  };
  const text = JSON.stringify(body);
  return { headers: await signer(project, { eventId, text, body }), rawBody: Buffer.from(text) };
}

async function current(kind: CallbackKeyKind): Promise<string> {
  const row = await ensureCallbackKey({ db, keyring }, kind, kind === "rsa" ? null : projectId);
  return row.publicKey === null ? revealCallbackSecret(keyring, row) : publicKeyPem(row.publicKey);
}

async function currentKeys(): Promise<CallbackVerifierKeys> {
  const [publicKey, hmacSecret, webhookSecret] = [
    await current("rsa"),
    await current("hmac"),
    await current("webhook"),
  ];
  return { projectId, publicKeyPem: publicKey, hmacSecret, webhookSecret };
}

async function verdictOn(signed: Signed, keys: CallbackVerifierKeys, nowMs = NOW_MS) {
  const { accessFault, webhookFault } = await openCallbackVerifier(keys)(signed, nowMs);
  return [accessFault, webhookFault];
}

const now = () => NOW_MS;

describe.each(["rsa", "hmac"] as const)("a callback of a project that chose %s", (signing) => {
  it("is genuine to us and to the SDK", async () => {
    const signed = await sign(signing);
    const keys = await currentKeys();
    expect(await verdictOn(signed, keys)).toEqual([undefined, undefined]);
    const key =
      signing === "rsa" ? { publicKeyPem: keys.publicKeyPem, projectId } : { secret: keys.hmacSecret ?? "", projectId };
    expect(verifyCallback({ ...signed, ...key, now }).general.payment_id).toBe("заказ-1");
    expect(verifyStandardWebhook({ ...signed, secret: keys.webhookSecret, now }).event.sequence).toBe(3);
  });

  it("fits the old key and the new one while they overlap, and then the new one only", async () => {
    const before = await currentKeys();
    const rotate = async (overlapS: number) => {
      await rotateCallbackKey({ db, keyring }, signing, signing === "rsa" ? null : projectId, overlapS);
      await rotateCallbackKey({ db, keyring }, "webhook", projectId, overlapS);
    };
    const bySdk = (signed: Signed, keys: CallbackVerifierKeys) => {
      const key =
        signing === "rsa"
          ? { publicKeyPem: keys.publicKeyPem, projectId }
          : { secret: keys.hmacSecret ?? "", projectId };
      return () => [
        verifyCallback({ ...signed, ...key, now }).event.sequence,
        verifyStandardWebhook({ ...signed, secret: keys.webhookSecret, now }).event.sequence,
      ];
    };
    await rotate(OVERLAP_S);
    const after = await currentKeys();
    const during = await sign(signing);
    expect(during.headers["x-access-signature-next"]).toBeDefined();
    expect(during.headers["webhook-signature"]?.split(" ")).toHaveLength(2);
    for (const keys of [before, after]) {
      expect(await verdictOn(during, keys)).toEqual([undefined, undefined]);
      expect(bySdk(during, keys)()).toEqual([3, 3]);
    }
    await rotate(0);
    const last = await currentKeys();
    const alone = await sign(signing);
    expect(alone.headers["x-access-signature-next"]).toBeUndefined();
    expect(await verdictOn(alone, last)).toEqual([undefined, undefined]);
    expect(bySdk(alone, last)()).toEqual([3, 3]);
    for (const keys of [before, after]) {
      expect(await verdictOn(alone, keys)).toEqual([
        "x-access-signature does not fit",
        "webhook-signature does not fit",
      ]);
      expect(bySdk(alone, keys)).toThrow("the signature does not fit");
    }
  });

  it("is refused once a byte of it changed", async () => {
    const signed = await sign(signing);
    const forged = Buffer.from(signed.rawBody.toString().replace('"amount":250000', '"amount":950000'));
    expect(await verdictOn({ ...signed, rawBody: forged }, await currentKeys())).toEqual([
      "x-access-signature does not fit",
      "webhook-signature does not fit",
    ]);
  });
});

describe("what is not to be believed", () => {
  it.each([
    ["no headers", {}, "x-access-timestamp is missing or no Unix time", "webhook-timestamp is missing or no Unix time"],
    [
      "times in milliseconds",
      { "x-access-timestamp": `${NOW_MS}`, "webhook-timestamp": `${NOW_MS}` },
      "x-access-timestamp is missing or no Unix time",
      "webhook-timestamp is missing or no Unix time",
    ],
  ])("%s", async (_name, headers, accessFault, webhookFault) => {
    const { rawBody } = await sign("rsa");
    expect(await verdictOn({ headers, rawBody }, await currentKeys())).toEqual([accessFault, webhookFault]);
  });

  it.each([
    [
      "a signature of another time",
      { "x-access-timestamp": String(Math.floor(NOW_MS / 1000) - 1) },
      "x-access-signature does not fit",
      undefined,
    ],
    ["no signature", { "x-access-signature": "" }, "x-access-signature does not fit", undefined],
    ["no webhook signature", { "webhook-signature": "" }, undefined, "webhook-signature does not fit"],
    ["a signature of another version", { "webhook-signature": "v2,AAAA" }, undefined, "webhook-signature does not fit"],
    [
      "an unknown algorithm",
      { "x-access-merchant-algorithm": "none" },
      "x-access-merchant-algorithm is unknown",
      undefined,
    ],
    [
      "an algorithm of scheme 2",
      { "x-access-merchant-algorithm": "RSA-SHA256-V2" },
      "x-access-merchant-algorithm is unknown",
      undefined,
    ],
    [
      "another algorithm than that of the key",
      { "x-access-merchant-algorithm": "HMAC-SHA512" },
      "x-access-signature does not fit",
      undefined,
    ],
    ["another id", { "webhook-id": "evt-1" }, undefined, "webhook-signature does not fit"],
  ])("%s", async (_name, changes, accessFault, webhookFault) => {
    const { headers, rawBody } = await sign("rsa");
    const verdict = await verdictOn({ headers: { ...headers, ...changes }, rawBody }, await currentKeys());
    expect(verdict).toEqual([accessFault, webhookFault]);
  });

  it("an old one, played again", async () => {
    const signed = await sign("rsa");
    const keys = await currentKeys();
    expect(await verdictOn(signed, keys, NOW_MS + 299_000)).toEqual([undefined, undefined]);
    expect(await verdictOn(signed, keys, NOW_MS + 400_000)).toEqual([
      expect.stringMatching(/^x-access-timestamp is 40[01] s away from now$/),
      expect.stringMatching(/^webhook-timestamp is 40[01] s away from now$/),
    ]);
  });

  it("a genuine one of another project, which the same key signs", async () => {
    const signed = await sign("rsa", { project_id: newId() });
    expect(await verdictOn(signed, await currentKeys())).toEqual(["it is a callback of another project", undefined]);
  });

  it("one by HMAC where there is no secret to check it with", async () => {
    const keys = { ...(await currentKeys()), hmacSecret: undefined };
    expect(await verdictOn(await sign("hmac"), keys)).toEqual([
      "there is no key here to verify HMAC-SHA512 with",
      undefined,
    ]);
  });

  it("one whose webhook-id is not the event's, though signed by the secret", async () => {
    const keys = await currentKeys();
    const { headers, rawBody } = await sign("rsa");
    const key = Buffer.from(keys.webhookSecret.slice("whsec_".length), "base64");
    const mac = createHmac("sha256", key)
      .update(`other.${headers["webhook-timestamp"]}.`)
      .update(rawBody)
      .digest("base64");
    const changed = { ...headers, "webhook-id": "other", "webhook-signature": `v1,${mac}` };
    expect(await verdictOn({ headers: changed, rawBody }, keys)).toEqual([
      undefined,
      "webhook-id is not the event's id",
    ]);
  });

  it.each(["", "{", "[1.5]", "\ufeff{}", `${"[".repeat(99)}`])("a body that is %j", async (text) => {
    const { headers } = await sign("rsa");
    const verdict = await openCallbackVerifier(await currentKeys())({ headers, rawBody: Buffer.from(text) }, NOW_MS);
    expect(verdict).toEqual({
      accessFault: "the body is not the JSON of a callback",
      webhookFault: "the body is not the JSON of a callback",
      body: undefined,
    });
  });
});
