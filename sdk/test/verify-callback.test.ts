import { inspect } from "node:util";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type TillgateCallback,
  TillgateError,
  TillgateSignatureError,
  type VerifyCallback,
  verifyCallback,
} from "../src/index.ts";
import { readPublicKey } from "../src/rsa-key.ts";
import { type CallbackKey, callbackBody, callbackHeaders, newRsaPair } from "./reference.ts";

const service = newRsaPair();
const other = newRsaPair();
const timestamp = 1769853600;
const now = () => timestamp * 1_000;
const rsaKey: CallbackKey = { kind: "rsa", privateKeyPem: service.privateKeyPem };
const hmacKey: CallbackKey = { kind: "hmac", secret: "callback secret" };
const byRsa = { publicKeyPem: service.publicKeyPem, projectId: "project-1", now };
const byHmac = { secret: "callback secret", now };
const genuine = JSON.stringify(callbackBody());

function reasonOf(options: VerifyCallback): string {
  try {
    verifyCallback(options);
  } catch (error) {
    if (error instanceof TillgateSignatureError) return error.reason;
    throw error;
  }
  return "accepted";
}

/** The answer to a body that someone without the key put in the place of a genuine one. */
function reasonOfSwap(signed: object, sent: object): string {
  const headers = callbackHeaders(JSON.stringify(signed), timestamp, hmacKey);
  return reasonOf({ ...byHmac, headers, rawBody: JSON.stringify(sent) });
}

describe("verifyCallback", () => {
  it("returns the callback that the service signed, by RSA or by HMAC", () => {
    const rsa = verifyCallback({ ...byRsa, headers: callbackHeaders(genuine, timestamp, rsaKey), rawBody: genuine });
    const hmac = verifyCallback({ ...byHmac, headers: callbackHeaders(genuine, timestamp, hmacKey), rawBody: genuine });
    expect(rsa).toEqual(callbackBody());
    expect(hmac).toEqual(callbackBody());
    expect(rsa.general.payment_id).toBe("ord-771");
  });

  it("takes headers of any case, in lists of one, or in a Headers object, and the body as bytes", () => {
    const headers = callbackHeaders(genuine, timestamp, rsaKey);
    const upper = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), [value]]));
    for (const given of [upper, new Headers(headers)]) {
      expect(reasonOf({ ...byRsa, headers: given, rawBody: Buffer.from(genuine) })).toBe("accepted");
    }
  });

  it("takes RSA when the algorithm is not named, and several keys while they change", () => {
    const headers = { ...callbackHeaders(genuine, timestamp, rsaKey), "x-access-merchant-algorithm": undefined };
    expect(reasonOf({ ...byRsa, headers, rawBody: genuine })).toBe("accepted");
    const publicKeyPem = [other.publicKeyPem, service.publicKeyPem];
    expect(reasonOf({ ...byRsa, publicKeyPem, headers, rawBody: genuine })).toBe("accepted");
    expect(reasonOf({ ...byRsa, publicKeyPem: other.publicKeyPem, headers, rawBody: genuine })).toBe(
      "signature_mismatch",
    );
  });

  const next = newRsaPair();
  const nextKey: CallbackKey = { kind: "rsa", privateKeyPem: next.privateKeyPem };
  /** While the service changes its key, it signs with both. */
  function whileKeysChange(rawBody: string): Record<string, string> {
    const byNext = callbackHeaders(rawBody, timestamp, nextKey)["x-access-signature"] ?? "";
    return { ...callbackHeaders(rawBody, timestamp, rsaKey), "x-access-signature-next": byNext };
  }

  it.each([
    ["the old key", service.publicKeyPem, "accepted"],
    ["the next key", next.publicKeyPem, "accepted"],
    ["both", [service.publicKeyPem, next.publicKeyPem], "accepted"],
    ["neither", other.publicKeyPem, "signature_mismatch"],
  ])("takes a callback signed with two keys, given %s", (_, publicKeyPem, reason) => {
    expect(reasonOf({ ...byRsa, publicKeyPem, headers: whileKeysChange(genuine), rawBody: genuine })).toBe(reason);
  });

  it("takes two HMAC signatures as well", () => {
    const byNext = callbackHeaders(genuine, timestamp, { kind: "hmac", secret: "next secret" })["x-access-signature"];
    const headers = { ...callbackHeaders(genuine, timestamp, hmacKey), "x-access-signature-next": byNext };
    for (const secret of ["callback secret", "next secret"]) {
      expect(reasonOf({ secret, now, headers, rawBody: genuine })).toBe("accepted");
    }
    expect(reasonOf({ secret: "another secret", now, headers, rawBody: genuine })).toBe("signature_mismatch");
  });

  it.each([
    ["another body", (text: string) => text.replace("250000", "950000"), {}, "signature_mismatch"],
    [
      "a second signature that is none",
      (text: string) => text,
      { "x-access-signature-next": "no==" },
      "signature_malformed",
    ],
    [
      "two second signatures",
      (text: string) => text,
      { "x-access-signature-next": ["AAAA", "AAAA"] },
      "header_doubled",
    ],
    ["no first signature", (text: string) => text, { "x-access-signature": undefined }, "header_missing"],
  ])("is not talked into more by the second signature: %s", (_, change, headers, reason) => {
    const publicKeyPem = [service.publicKeyPem, next.publicKeyPem];
    const sent = { ...whileKeysChange(genuine), ...headers };
    expect(reasonOf({ ...byRsa, publicKeyPem, headers: sent, rawBody: change(genuine) })).toBe(reason);
  });

  it("parses a public key once, and keeps nothing of a private one", () => {
    expect(readPublicKey(service.publicKeyPem, "key")).toBe(readPublicKey(service.publicKeyPem, "key"));
    expect(readPublicKey(service.privateKeyPem, "key")).not.toBe(readPublicKey(service.privateKeyPem, "key"));
  });

  it("lets through members that this version does not know", () => {
    const body = callbackBody({ later: { list: ["a", "b"], rate: 0.5 } });
    expect(reasonOfSwap(body, body)).toBe("accepted");
  });

  it("never trusts the key in the header", () => {
    const forged = callbackHeaders(genuine, timestamp, { kind: "rsa", privateKeyPem: other.privateKeyPem });
    const token = other.publicKeyPem.replace(/-----.*-----|\n/g, "");
    const headers = { ...forged, "x-access-token": token };
    expect(reasonOf({ ...byRsa, headers, rawBody: genuine })).toBe("signature_mismatch");
  });

  it("is not talked into HMAC with the public key for its secret", () => {
    const headers = callbackHeaders(genuine, timestamp, { kind: "hmac", secret: service.publicKeyPem });
    expect(reasonOf({ ...byRsa, headers, rawBody: genuine })).toBe("algorithm_unexpected");
  });

  it("refuses a genuine callback of another project, which the service signs with the same key", () => {
    const body = JSON.stringify(callbackBody({ project_id: "project-2" }));
    const headers = callbackHeaders(body, timestamp, rsaKey);
    expect(reasonOf({ ...byRsa, headers, rawBody: body })).toBe("project_foreign");
    expect(reasonOf({ ...byRsa, projectId: ["project-1", "project-2"], headers, rawBody: body })).toBe("accepted");
  });

  it.each([
    ["older than the tolerance", { now: () => (timestamp + 301) * 1_000 }, "timestamp_out_of_tolerance"],
    ["newer than the tolerance", { now: () => (timestamp - 301) * 1_000 }, "timestamp_out_of_tolerance"],
    ["at the edge of the tolerance", { now: () => (timestamp + 300) * 1_000 }, "accepted"],
    [
      "at the edge of a tolerance of its own",
      { toleranceS: 5, now: () => (timestamp + 6) * 1_000 },
      "timestamp_out_of_tolerance",
    ],
  ])("holds the time to the tolerance: %s", (_, changes, reason) => {
    const headers = callbackHeaders(genuine, timestamp, hmacKey);
    expect(reasonOf({ ...byHmac, headers, rawBody: genuine, ...changes })).toBe(reason);
  });

  const good = callbackHeaders(genuine, timestamp, hmacKey);
  const signature = good["x-access-signature"] ?? "";
  it.each([
    ["no timestamp", { "x-access-timestamp": undefined }, "header_missing"],
    ["no signature", { "x-access-signature": undefined }, "header_missing"],
    ["two signatures", { "x-access-signature": [signature, signature] }, "header_doubled"],
    ["two signatures in two cases", { "X-Access-Signature": signature }, "header_doubled"],
    ["two signatures joined", { "x-access-signature": `${signature}, ${signature}` }, "signature_malformed"],
    ["a timestamp in milliseconds", { "x-access-timestamp": `${timestamp}000` }, "timestamp_malformed"],
    ["a timestamp with a sign", { "x-access-timestamp": `+${timestamp}` }, "timestamp_malformed"],
    ["another timestamp", { "x-access-timestamp": String(timestamp + 1) }, "signature_mismatch"],
    ["padding", { "x-access-signature": `${signature}==` }, "signature_malformed"],
    ["an empty signature", { "x-access-signature": "" }, "signature_malformed"],
    ["a short signature", { "x-access-signature": signature.slice(0, 80) }, "signature_mismatch"],
    ["an algorithm of scheme 2", { "x-access-merchant-algorithm": "HMAC-SHA512-V2" }, "algorithm_unexpected"],
    ["an unknown algorithm", { "x-access-merchant-algorithm": "none" }, "algorithm_unexpected"],
  ])("refuses %s", (_, changes, reason) => {
    expect(reasonOf({ ...byHmac, headers: { ...good, ...changes }, rawBody: genuine })).toBe(reason);
  });

  it("refuses the other spellings of the same signature bytes", () => {
    const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    for (const last of alphabet.replace(signature.slice(-1), "")) {
      const headers = { ...good, "x-access-signature": signature.slice(0, -1) + last };
      expect(reasonOf({ ...byHmac, headers, rawBody: genuine })).not.toBe("accepted");
    }
  });

  it.each([
    ["not JSON", "{"],
    ["not UTF-8", Buffer.from([0x7b, 0xff, 0x7d])],
    ["JSON behind a byte order mark", `\ufeff${genuine}`],
    ["JSON behind the bytes of a byte order mark", Buffer.from(`\ufeff${genuine}`)],
    ["nested without end", "[".repeat(20_000) + "]".repeat(20_000)],
    ["half of a surrogate pair", '{"a":"\\ud83d"}'],
  ])("refuses a body that is %s", (_, rawBody) => {
    expect(reasonOf({ ...byHmac, headers: good, rawBody })).toBe("body_malformed");
  });

  it.each([
    ["neither key", { now }],
    ["both keys", { ...byRsa, secret: "s" }],
    ["an empty secret", { secret: "", now }],
    ["no secret in the list", { secret: [], now }],
    ["an empty secret beside a good one", { secret: ["callback secret", ""], now }],
    ["a public key without the project", { publicKeyPem: service.publicKeyPem, now }],
    ["a public key that is none", { ...byRsa, publicKeyPem: "none" }],
    ["a tolerance that is no number", { ...byHmac, toleranceS: Number.NaN }],
    ["a body that was parsed already", { ...byHmac, rawBody: callbackBody() }],
  ])("is not to be called with %s", (_, options) => {
    const call = () => verifyCallback({ headers: good, rawBody: genuine, ...options } as never);
    expect(call).toThrow(TillgateError);
    expect(call).not.toThrow(TillgateSignatureError);
  });

  it("shows no secret in its errors", () => {
    try {
      verifyCallback({ ...byHmac, headers: good, rawBody: "{}" });
      expect.unreachable();
    } catch (error) {
      expect(inspect(error, { depth: 9, showHidden: true })).not.toContain("callback secret");
    }
  });
});

describe("the second readings of scheme 1", () => {
  const general = { request_id: "r", payment_id: "ord-771" };
  const status = { status: "success", sub_status: null, status_description: null, decline_code: null };
  const info = { type: "payin", amount: 5, requested_amount: 5, currency: "RUB" };
  const signed = callbackBody({ general, status, payment_info: info });

  it.each([
    ["a number as text", { payment_info: { ...info, amount: "5" } }, "body_malformed"],
    ["null as text", { status: { ...status, decline_code: "None" } }, "body_ambiguous"],
    [
      "an object as a name with a colon",
      { general: undefined, "general:request_id": "r", "general:payment_id": "ord-771" },
      "body_ambiguous",
    ],
    ["an optional amount out of sight", { payment_info: undefined, ...flat("payment_info", info) }, "body_ambiguous"],
    ["two members in one string", { general: { payment_id: "ord-771;general:request_id:r" } }, "body_ambiguous"],
  ])("are refused: %s", (_name, changes, reason) => {
    expect(reasonOfSwap(signed, { ...signed, ...changes })).toBe(reason);
  });

  it("are refused when they make a whole block disappear", () => {
    const before = { ...signed, requisites: { type: "link", url: "https://pay.example" } };
    const project_id = "project-1;requisites:type:link;requisites:url:https://pay.example";
    expect(reasonOfSwap(before, { ...before, project_id, requisites: undefined })).toBe("body_ambiguous");
  });

  it("are refused for members that only this body has", () => {
    const before = { ...signed, zone: { a: "1", b: "2" } };
    expect(reasonOfSwap(before, { ...signed, zone: { a: "1;zone:b:2" } })).toBe("body_ambiguous");
  });

  it("leave ordinary semicolons and colons alone", () => {
    const body = callbackBody({
      general: { request_id: "r", payment_id: "a;b:c; status: d;status=1:" },
      integration: { redirect_url: "https://acs.example:8443/a;jsessionid=1?x=1;y:2" },
    });
    expect(reasonOfSwap(body, body)).toBe("accepted");
  });

  it("cost a payment_id that reads like a member, even a genuine one", () => {
    const body = callbackBody({ general: { request_id: "r", payment_id: "x;status:status:success" } });
    expect(reasonOfSwap(body, body)).toBe("body_ambiguous");
  });

  function flat(block: string, members: Record<string, unknown>): Record<string, unknown> {
    return Object.fromEntries(Object.entries(members).map(([name, value]) => [`${block}:${name}`, value]));
  }
});

describe("properties", () => {
  const word = fc.string({ unit: "grapheme" }).filter((text) => text !== "None" && !text.includes(";"));
  const anyCallback: fc.Arbitrary<TillgateCallback> = fc.record({
    project_id: fc.constant("project-1"),
    general: fc.record({ request_id: word, payment_id: word }),
    status: fc.record({
      status: fc.constantFrom("processing", "dispute", "decline", "success"),
      sub_status: fc.option(word),
      status_description: fc.option(word),
      decline_code: fc.option(word),
    }),
    payment_info: fc.record({
      type: fc.constantFrom("payin", "payout"),
      amount: fc.maxSafeNat(),
      requested_amount: fc.maxSafeNat(),
      currency: word,
    }),
    event: fc.record({ id: word, sequence: fc.maxSafeNat(), created_at: word }),
  });

  it.each([
    ["RSA", rsaKey, byRsa],
    ["HMAC", hmacKey, byHmac],
  ])("every callback comes back as it was signed: %s", (_, key, how) => {
    fc.assert(
      fc.property(anyCallback, (callback) => {
        const rawBody = JSON.stringify(callback);
        const headers = callbackHeaders(rawBody, timestamp, key);
        expect(verifyCallback({ ...how, headers, rawBody })).toEqual(JSON.parse(rawBody));
      }),
      { numRuns: 50 },
    );
  });

  it("one bit changed in the body is refused, or does not change what is returned", () => {
    fc.assert(
      fc.property(anyCallback, fc.nat(), (callback, bit) => {
        const rawBody = JSON.stringify(callback);
        const headers = callbackHeaders(rawBody, timestamp, hmacKey);
        const bytes = Buffer.from(rawBody);
        const at = bit % (bytes.length * 8);
        bytes.writeUInt8(bytes.readUInt8(at >> 3) ^ (1 << (at & 7)), at >> 3);
        try {
          // An escape such as \u001f may also be written \u001F: other bytes, the same callback.
          expect(verifyCallback({ ...byHmac, headers, rawBody: bytes })).toEqual(JSON.parse(rawBody));
        } catch (error) {
          expect(error).toBeInstanceOf(TillgateSignatureError);
        }
      }),
      { numRuns: 1_000 },
    );
  });

  it.each([
    ["RSA", rsaKey, byRsa],
    ["HMAC", hmacKey, byHmac],
  ])("one bit changed in the signature or the timestamp is refused: %s", (_, key, how) => {
    const good = callbackHeaders(genuine, timestamp, key);
    fc.assert(
      fc.property(fc.constantFrom("x-access-signature", "x-access-timestamp"), fc.nat(), (name, bit) => {
        const bytes = Buffer.from(good[name] ?? "", "latin1");
        const at = bit % (bytes.length * 8);
        bytes.writeUInt8(bytes.readUInt8(at >> 3) ^ (1 << (at & 7)), at >> 3);
        const headers = { ...good, [name]: bytes.toString("latin1") };
        expect(reasonOf({ ...how, headers, rawBody: genuine })).not.toBe("accepted");
      }),
    );
  });
});
