import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  TillgateError,
  TillgateSignatureError,
  type VerifyStandardWebhook,
  verifyStandardWebhook,
} from "../src/index.ts";
import { callbackBody, webhookHeaders } from "./reference.ts";

const secretOf = (fill: string) => `whsec_${Buffer.alloc(32, fill).toString("base64")}`;
const secret = secretOf("made-up ");
const newSecret = secretOf("newer ");
const timestamp = 1769853600;
const now = () => timestamp * 1_000;
const genuine = JSON.stringify(callbackBody());
const good = webhookHeaders(genuine, timestamp, secret);
const signature = good["webhook-signature"] ?? "";

function reasonOf(changes: Partial<VerifyStandardWebhook>): string {
  try {
    verifyStandardWebhook({ headers: good, rawBody: genuine, secret, now, ...changes });
  } catch (error) {
    if (error instanceof TillgateSignatureError) return error.reason;
    throw error;
  }
  return "accepted";
}

describe("verifyStandardWebhook", () => {
  it("agrees with the example of the specification's own libraries", () => {
    // The message is not a callback of ours, so a signature that fits ends at the body's shape.
    const headers = {
      "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
      "webhook-timestamp": "1614265330",
      "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
    };
    const known = { headers, secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", now: () => 1614265330_000 };
    expect(reasonOf({ ...known, rawBody: '{"test": 2432232314}' })).toBe("body_malformed");
    expect(() => verifyStandardWebhook({ ...known, rawBody: '{"test": 2432232314}' })).toThrow("not a callback");
    expect(reasonOf({ ...known, rawBody: '{"test": 2432232315}' })).toBe("signature_mismatch");
  });

  it("returns the callback, from bytes or text and from any kind of headers", () => {
    expect(verifyStandardWebhook({ headers: good, rawBody: genuine, secret, now })).toEqual(callbackBody());
    expect(reasonOf({ headers: new Headers(good), rawBody: Buffer.from(genuine) })).toBe("accepted");
  });

  it("takes one good signature among several, and any of several secrets", () => {
    const newer = webhookHeaders(genuine, timestamp, newSecret)["webhook-signature"] ?? "";
    const several = { ...good, "webhook-signature": `v1a,xyz ${newer} ${signature}` };
    expect(reasonOf({ headers: several })).toBe("accepted");
    expect(reasonOf({ headers: several, secret: newSecret })).toBe("accepted");
    expect(reasonOf({ secret: [newSecret, secret] })).toBe("accepted");
    expect(reasonOf({ secret: newSecret })).toBe("signature_mismatch");
  });

  it("takes what scheme 1 must refuse as ambiguous", () => {
    const rawBody = JSON.stringify(
      callbackBody({ general: { request_id: "r", payment_id: "x;status:status:success" } }),
    );
    expect(reasonOf({ headers: webhookHeaders(rawBody, timestamp, secret), rawBody })).toBe("accepted");
  });

  it.each([
    ["another id", { "webhook-id": "evt-2" }, "signature_mismatch"],
    ["another timestamp", { "webhook-timestamp": String(timestamp + 1) }, "signature_mismatch"],
    ["a timestamp that is none", { "webhook-timestamp": "soon" }, "timestamp_malformed"],
    ["no id", { "webhook-id": undefined }, "header_missing"],
    ["no signature", { "webhook-signature": undefined }, "header_missing"],
    ["a signature without its version", { "webhook-signature": signature.slice(3) }, "signature_malformed"],
    ["a signature of another version", { "webhook-signature": signature.replace("v1,", "v2,") }, "signature_malformed"],
    ["a signature without its padding", { "webhook-signature": signature.replace("=", "") }, "signature_malformed"],
    ["an empty signature", { "webhook-signature": "v1," }, "signature_malformed"],
    ["a short signature", { "webhook-signature": "v1,AAAA" }, "signature_malformed"],
  ])("refuses %s", (_, changes, reason) => {
    expect(reasonOf({ headers: { ...good, ...changes } })).toBe(reason);
  });

  it("holds the time to the tolerance, either way", () => {
    expect(reasonOf({ now: () => (timestamp + 301) * 1_000 })).toBe("timestamp_out_of_tolerance");
    expect(reasonOf({ now: () => (timestamp - 301) * 1_000 })).toBe("timestamp_out_of_tolerance");
    expect(reasonOf({ now: () => (timestamp + 301) * 1_000, toleranceS: 301 })).toBe("accepted");
  });

  it.each([
    ["of another kind", "made-up"],
    ["without its bytes", "whsec_"],
    ["too short", `whsec_${Buffer.alloc(23).toString("base64")}`],
    ["not base64", "whsec_!!!!"],
    ["missing", []],
  ])("is not to be called with a secret that is %s", (_, given) => {
    expect(() => reasonOf({ secret: given })).toThrow(TillgateError);
  });

  it("refuses any one bit changed in the body", () => {
    fc.assert(
      fc.property(fc.nat({ max: Buffer.byteLength(genuine) * 8 - 1 }), (bit) => {
        const rawBody = Buffer.from(genuine);
        rawBody.writeUInt8(rawBody.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
        expect(reasonOf({ rawBody })).not.toBe("accepted");
      }),
      { numRuns: 1_000 },
    );
  });
});
