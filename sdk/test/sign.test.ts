import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type Credentials,
  type JsonValue,
  normalise,
  rsaAccessToken,
  signRequest,
  TillgateError,
} from "../src/index.ts";
import { byCodeUnit, hmacOf, messageFor, newRsaPair, rsaVerifies, scheme1Lines } from "./reference.ts";

const pair = newRsaPair();
const rsa = { merchantId: "m", projectId: "p", kind: "rsa", privateKeyPem: pair.privateKeyPem } as const;
const hmac = { merchantId: "m", projectId: "p", kind: "hmac", keyId: "ak_1", secret: "a made-up secret" } as const;

const path = "/api/v1/balance/info";
const timestamp = 1706182847;
const anyBody = fc
  .dictionary(
    fc.string({ unit: "grapheme" }),
    fc.jsonValue({ maxDepth: 3, stringUnit: "grapheme" }) as fc.Arbitrary<JsonValue>,
  )
  .map((body) => JSON.parse(JSON.stringify(body)));
const anyScheme = fc.constantFrom(1 as const, 2 as const);

function verifies(credentials: Credentials, scheme: 1 | 2, rawBody: string, signature: string): boolean {
  const message = messageFor(scheme, { method: "POST", path, timestamp: String(timestamp), rawBody });
  if (credentials.kind === "hmac") return hmacOf(credentials.secret, message) === signature;
  return rsaVerifies(scheme, pair.publicKeyPem, message, signature);
}

/** The text with one bit of one byte turned over; not always UTF-8 any more, so bytes. */
function flipBit(text: string, bit: number): Buffer {
  const bytes = Buffer.from(text);
  const at = bit % (bytes.length * 8);
  bytes.writeUInt8(bytes.readUInt8(at >> 3) ^ (1 << (at & 7)), at >> 3);
  return bytes;
}

describe("signRequest", () => {
  it.each([rsa, hmac])("signs any body so that the rules verify it: $kind", (credentials) => {
    fc.assert(
      fc.property(anyBody, anyScheme, (body, scheme) => {
        const headers = signRequest({ credentials, path, body, timestamp, scheme });
        expect(verifies(credentials, scheme, JSON.stringify(body), headers["x-access-signature"])).toBe(true);
      }),
      { numRuns: 100 },
    );
  });

  it.each([rsa, hmac])("makes a signature that no change of one bit survives: $kind", (credentials) => {
    fc.assert(
      fc.property(anyBody, anyScheme, fc.nat(), (body, scheme, bit) => {
        const rawBody = JSON.stringify(body);
        const signature = signRequest({ credentials, path, rawBody, timestamp, scheme })["x-access-signature"];
        const bytes = Buffer.from(signature, "base64url");
        bytes.writeUInt8(bytes.readUInt8(bit % bytes.length) ^ (1 << (bit % 8)), bit % bytes.length);
        expect(verifies(credentials, scheme, rawBody, bytes.toString("base64url"))).toBe(false);
      }),
      { numRuns: 100 },
    );
  });

  it("signs other bytes differently under scheme 2, whatever bit differs", () => {
    fc.assert(
      fc.property(anyBody, fc.nat(), (body, bit) => {
        const rawBody = JSON.stringify(body);
        const one = signRequest({ credentials: hmac, path, rawBody, timestamp });
        const other = signRequest({ credentials: hmac, path, rawBody: flipBit(rawBody, bit), timestamp });
        expect(other["x-access-signature"]).not.toBe(one["x-access-signature"]);
      }),
    );
  });

  it("signs other values differently under scheme 1, unless they normalise alike", () => {
    fc.assert(
      fc.property(anyBody, anyBody, (one, other) => {
        const alike = normalise(one) === normalise(other);
        const [first, second] = [one, other].map((body) =>
          signRequest({ credentials: hmac, path, body, timestamp, scheme: 1 }),
        );
        expect(first?.["x-access-signature"] === second?.["x-access-signature"]).toBe(alike);
      }),
    );
  });

  it("covers path and timestamp under scheme 2", () => {
    const sign = (changes: object) => signRequest({ credentials: hmac, path, body: {}, timestamp, ...changes });
    const signatures = [sign({}), sign({ path: `${path}/` }), sign({ timestamp: timestamp + 1 })];
    expect(new Set(signatures.map((headers) => headers["x-access-signature"])).size).toBe(3);
  });

  it("signs a body as JSON writes it: toJSON is asked, undefined is left out", () => {
    const at = new Date(0);
    const loose = signRequest({ credentials: hmac, path, body: { at, gone: undefined }, timestamp, scheme: 1 });
    const plain = signRequest({ credentials: hmac, path, body: { at: at.toISOString() }, timestamp, scheme: 1 });
    expect(loose).toEqual(plain);
  });

  it.each([
    ["a timestamp in milliseconds", { timestamp: 1706182847000 }],
    ["a timestamp with a fraction", { timestamp: 1706182847.5 }],
    ["a path with a query", { path: "/api?x=1" }],
    ["a path with a line end", { path: "/api\n1" }],
    ["a whole URL for a path", { path: "https://pay.example/api" }],
    ["a body that is not JSON under scheme 1", { scheme: 1, body: undefined, rawBody: "{" }],
    [
      "a body that is not UTF-8 under scheme 1",
      { scheme: 1, body: undefined, rawBody: Buffer.from([0x22, 0xff, 0x22]) },
    ],
    ["half of a surrogate pair under scheme 1", { scheme: 1, body: { a: "\ud83d" } }],
    ["a private key that is none", { credentials: { ...rsa, privateKeyPem: "not a key" } }],
    ["a token of another key", { credentials: { ...rsa, accessToken: rsaAccessToken(newRsaPair().publicKeyPem) } }],
    ["a token that is no key", { credentials: { ...rsa, accessToken: "AAAA" } }],
    ["no merchant", { credentials: { ...hmac, merchantId: undefined } }],
    ["a project with a line end", { credentials: { ...hmac, projectId: "p\n" } }],
    ["an empty secret", { credentials: { ...hmac, secret: "" } }],
  ])("refuses %s", (_, changes) => {
    expect(() => signRequest({ credentials: hmac, path, body: {}, timestamp, ...changes } as never)).toThrow(
      TillgateError,
    );
  });

  it("says nothing of a key that it cannot read", () => {
    const privateKeyPem = pair.privateKeyPem.replaceAll("A", "B");
    const fail = () => signRequest({ credentials: { ...rsa, privateKeyPem }, path, body: {}, timestamp });
    expect(fail).toThrow("privateKeyPem cannot be read as an RSA key");
  });
});

describe("normalise", () => {
  it("gives the lines of the rules for any value", () => {
    fc.assert(
      fc.property(anyBody, (body) => {
        expect(normalise(body)).toBe(scheme1Lines(body).sort(byCodeUnit).join(";"));
      }),
    );
  });

  it("refuses what is nested without end instead of running out of stack", () => {
    const deep = JSON.parse(`${"[".repeat(50_000)}${"]".repeat(50_000)}`);
    expect(() => normalise(deep)).toThrow("nested deeper");
  });

  it("refuses a small body that would make a text without bound", () => {
    const body = { ["a".repeat(32_000)]: Array.from({ length: 16_000 }, () => 1) };
    expect(() => normalise(body)).toThrow("normalises to more than 262144 characters");
  });
});
