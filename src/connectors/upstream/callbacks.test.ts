import { createHmac, generateKeyPairSync } from "node:crypto";
import { describe, expect, it } from "vitest";
import { callbackBody } from "../../core/callbacks/body.ts";
import type { Notification } from "../../core/connector.ts";
import type { Minor } from "../../core/money.ts";
import { Secret } from "../../platform/secret.ts";
import { type Algorithm, makeSignature, signedBody } from "../../platform/signing.ts";
import type { JsonValue } from "../../platform/strict-json.ts";
import { openCallbackReader } from "./callbacks.ts";
import type { VerifyKey } from "./options.ts";

const PROJECT = "0".repeat(31);
const REFERENCE = "a".repeat(32);
const NOW_MS = 1_800_000_000_000;
const NOT_AUTHENTIC = { ok: false, error: "not_authentic" };
const NOT_UNDERSTOOD = { ok: false, error: "not_understood" };
const NOTHING = { ok: true, value: [] };

const [rsa, otherRsa] = [newPair(), newPair()];
const hmacSecret = Buffer.from("cs_secret");
const hmac: VerifyKey = { kind: "hmac", token: "ck_1", secret: new Secret(hmacSecret) };

function newPair() {
  const { publicKey, privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const token = publicKey.export({ type: "spki", format: "der" }).toString("base64url");
  const pem = publicKey.export({ type: "spki", format: "pem" }).toString();
  return { privateKey, pem, verify: { kind: "rsa", token, secret: undefined } satisfies VerifyKey };
}

type Subject = Parameters<typeof callbackBody>[0];

function body(change: Partial<Subject> = {}): object {
  const subject: Subject = {
    ...{ projectId: PROJECT, requestId: "q", paymentId: REFERENCE, direction: "payin", state: "success" },
    ...{ statusDescription: null, declineCode: null, method: "card-p2p", currency: "RUB" },
    ...{ amount: 5n as Minor, requestedAmount: 5n as Minor, receivedAmount: 5n as Minor, fee: 1n as Minor },
    ...change,
  };
  return callbackBody(subject, { id: "e", sequence: 2, createdAt: new Date(NOW_MS) });
}

type Signing = { readonly atMs?: number; readonly key?: typeof rsa; readonly algorithm?: Algorithm };

function signed(given: object, { atMs = NOW_MS, key = rsa, algorithm = "RSA-SHA256" }: Signing = {}): Notification {
  const timestamp = String(Math.floor(atMs / 1000));
  const message = signedBody(given as JsonValue, timestamp);
  const signature =
    algorithm === "RSA-SHA256"
      ? makeSignature(algorithm, key.privateKey, message)
      : createHmac("sha512", hmacSecret).update(message).digest("base64url");
  const headers = {
    "x-access-timestamp": timestamp,
    // The key of whoever sends it: never looked at.
    "x-access-token": key.verify.token,
    "x-access-merchant-algorithm": algorithm,
    "x-access-signature": signature,
  };
  return { headers, rawBody: Buffer.from(JSON.stringify(given)) };
}

function reader(keys: readonly VerifyKey[] = [rsa.verify], nowMs = () => NOW_MS) {
  return openCallbackReader({ projectId: PROJECT, keys, clock: { nowMs } });
}

function about(direction: string) {
  return { ok: true, value: [{ direction, reference: REFERENCE }] };
}

describe("a callback of the gateway", () => {
  it.each([
    [{}, "payin"],
    [{ method: "card-ecom" }, "charge"],
    [{ direction: "payout" }, "payout"],
    [{ direction: "payout", method: "card-ecom" }, "payout"],
  ] as const)("about %j is a hint about a %s", (change, direction) => {
    expect(reader()(signed(body(change)))).toEqual(about(direction));
  });

  it("is verified by RSA or by HMAC, whichever key we were given, and by every key while one is replaced", () => {
    const byHmac = { algorithm: "HMAC-SHA512" } as const;
    expect(reader([hmac])(signed(body(), byHmac))).toEqual(about("payin"));
    expect(reader([otherRsa.verify, hmac, rsa.verify])(signed(body()))).toEqual(about("payin"));
    expect(reader([rsa.verify])(signed(body(), byHmac))).toEqual(NOT_AUTHENTIC);
    expect(reader([hmac])(signed(body()))).toEqual(NOT_AUTHENTIC);
    expect(reader([])(signed(body()))).toEqual(NOT_AUTHENTIC);
  });

  it("is verified by its second signature while the gateway replaces its key", () => {
    const { headers, rawBody } = signed(body(), { key: otherRsa });
    const next = signed(body()).headers["x-access-signature"];
    const both = { headers: { ...headers, "x-access-signature-next": next }, rawBody };
    expect(reader()({ headers, rawBody })).toEqual(NOT_AUTHENTIC);
    expect(reader()(both)).toEqual(about("payin"));
  });

  it("is not ours when it is signed with a key that it brings along, or is another project's", () => {
    expect(reader()(signed(body(), { key: otherRsa }))).toEqual(NOT_AUTHENTIC);
    expect(reader()(signed(body({ projectId: "another" })))).toEqual(NOT_AUTHENTIC);
  });

  it("is fresh for five minutes either way", () => {
    for (const atMs of [NOW_MS - 300_000, NOW_MS + 300_000]) {
      expect(reader()(signed(body(), { atMs }))).toEqual(about("payin"));
    }
    for (const atMs of [NOW_MS - 301_000, NOW_MS + 301_000]) {
      expect(reader()(signed(body(), { atMs }))).toEqual(NOT_AUTHENTIC);
    }
  });

  it("tells nothing when it is played again, and is a hint again when the gateway delivers it again", () => {
    const clock = { nowMs: NOW_MS };
    const read = reader([rsa.verify], () => clock.nowMs);
    const first = signed(body());
    expect(read(first)).toEqual(about("payin"));
    for (const laterMs of [0, 299_000]) {
      clock.nowMs = NOW_MS + laterMs;
      expect(read(first)).toEqual(NOTHING);
    }
    expect(read(signed(body(), { atMs: clock.nowMs }))).toEqual(about("payin"));
    clock.nowMs = NOW_MS + 301_000;
    expect(read(first)).toEqual(NOT_AUTHENTIC);
  });

  it("says nothing that we understand when it is about something else, or is cut short", () => {
    const { payment_info: _left, ...cut } = body() as { payment_info: object };
    expect(reader()(signed(cut))).toEqual(NOT_UNDERSTOOD);
    expect(reader()(signed({ ...cut, payment_info: { type: "refund" } }))).toEqual(NOT_UNDERSTOOD);
  });

  it("is not verified by a public key that its sender took for a secret", () => {
    for (const text of [rsa.verify.token, rsa.pem]) {
      const forged = signed(body(), { algorithm: "HMAC-SHA512" });
      const message = signedBody(body() as JsonValue, forged.headers["x-access-timestamp"] ?? "");
      const signature = createHmac("sha512", text).update(message).digest("base64url");
      for (const name of ["HMAC-SHA512", "RSA-SHA256", "none", "RSA-SHA256-V2", "__proto__"]) {
        const headers = { ...forged.headers, "x-access-merchant-algorithm": name, "x-access-signature": signature };
        expect(reader()({ ...forged, headers })).toEqual(NOT_AUTHENTIC);
      }
    }
  });

  it("with a member twice is refused, whichever of the two was signed", () => {
    const told = signed(body());
    const text = told.rawBody.toString();
    const doubled = text.replace('"general":', `"general":{"payment_id":"${"b".repeat(32)}"},"general":`);
    expect(doubled).not.toBe(text);
    expect(reader()({ ...told, rawBody: Buffer.from(doubled) })).toEqual(NOT_AUTHENTIC);
  });

  it.each(["a\u0000b", "\u001b[2J", "a b", "x".repeat(129), "\u043f"])(
    "is not about %j, which is no reference",
    (paymentId) => {
      expect(reader()(signed(body({ paymentId })))).toEqual(NOT_UNDERSTOOD);
    },
  );

  it("cannot be rewritten into another one that scheme 1 signs alike", () => {
    const whole = { event: { id: "1" }, general: { payment_id: "a" }, payment_info: { type: "payin" } };
    const told = signed({ ...whole, project_id: PROJECT });
    expect(reader()(told)).toMatchObject({ ok: true });
    const folded = { event: { id: "1;general:payment_id:a" }, payment_info: { type: "payin" }, project_id: PROJECT };
    const message = (value: object) => signedBody(value as JsonValue, "0");
    expect(message(folded)).toBe(message({ ...whole, project_id: PROJECT }));
    expect(reader()({ ...told, rawBody: Buffer.from(JSON.stringify(folded)) })).toEqual(NOT_AUTHENTIC);
  });
});
