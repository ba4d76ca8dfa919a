import { createPublicKey, createSecretKey, generateKeyPairSync } from "node:crypto";
import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeBase64url } from "./base64url.ts";
import {
  ALGORITHMS,
  type Algorithm,
  ambiguousUnderScheme1,
  makeSignature,
  normalise,
  signedMessage,
  verifySignature,
} from "./signing.ts";
import { type JsonObject, type JsonValue, parseStrictJson } from "./strict-json.ts";

type Vector = {
  name: string;
  valid: boolean;
  algorithm: Algorithm;
  method: string;
  path: string;
  timestamp: number;
  body: string;
  normalised?: string;
  message: string;
  signature: string;
};

const file: { rsa: { public_key_pem: string }; hmac: { secret: string }; vectors: Vector[] } = JSON.parse(
  readFileSync(new URL("../../docs/signing-vectors.json", import.meta.url), "utf8"),
);
const keys = {
  rsa: createPublicKey(file.rsa.public_key_pem),
  hmac: createSecretKey(Buffer.from(file.hmac.secret, "utf8")),
};

function partsOf(vector: Vector) {
  const rawBody = Buffer.from(vector.body);
  const body = parseStrictJson(rawBody);
  if (!body.ok) throw new Error(`${vector.name} is not strict JSON`);
  return { method: vector.method, path: vector.path, timestamp: String(vector.timestamp), rawBody, body: body.value };
}

describe("the signing vectors", () => {
  it("are there, for all four algorithms, good and bad", () => {
    for (const algorithm of Object.keys(ALGORITHMS)) {
      const ofIt = file.vectors.filter((vector) => vector.algorithm === algorithm);
      expect(ofIt.filter((vector) => vector.valid).length).toBeGreaterThan(3);
      expect(ofIt.filter((vector) => !vector.valid).length).toBeGreaterThan(3);
    }
  });

  it.each(
    file.vectors.map(
      (vector) => [`${vector.algorithm} ${vector.valid ? "accepts" : "refuses"} ${vector.name}`, vector] as const,
    ),
  )("%s", async (_title, vector) => {
    const { scheme, kind } = ALGORITHMS[vector.algorithm];
    const parts = partsOf(vector);
    if (vector.normalised !== undefined) expect(normalise(parts.body)).toBe(vector.normalised);
    const message = signedMessage(scheme, parts);
    expect(message).toBe(vector.message);
    const signature = decodeBase64url(vector.signature);
    const verified =
      signature !== undefined && (await verifySignature(vector.algorithm, keys[kind], message, signature));
    expect(verified).toBe(vector.valid);
  });
});

describe("signatures made here", () => {
  const rsa = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const hmac = createSecretKey(Buffer.from("a secret"));

  it.each(Object.keys(ALGORITHMS) as Algorithm[])("%s verifies what it signed, and nothing else", async (algorithm) => {
    const { kind } = ALGORITHMS[algorithm];
    const signature = Buffer.from(
      makeSignature(algorithm, kind === "rsa" ? rsa.privateKey : hmac, "message"),
      "base64url",
    );
    const key = kind === "rsa" ? rsa.publicKey : hmac;
    expect(await verifySignature(algorithm, key, "message", signature)).toBe(true);
    expect(await verifySignature(algorithm, key, "message.", signature)).toBe(false);
    expect(await verifySignature(algorithm, key, "message", signature.subarray(1))).toBe(false);
    expect(await verifySignature(algorithm, key, "message", Buffer.alloc(0))).toBe(false);
  });
});

describe("the lines of scheme 1", () => {
  /** As the rule says it: all leaves, and then sorted. */
  function linesOf(value: JsonValue, prefix = ""): string[] {
    if (typeof value !== "object" || value === null) return [`${prefix}${value ?? "None"}`];
    return Object.entries(value).flatMap(([name, member]) => linesOf(member, `${prefix}${name}:`));
  }

  it("are sorted as a whole, also where a name begins like another, holds a colon, or there are many", () => {
    const name = fc.stringMatching(/^[a-c:_ -]{0,3}$/);
    const leaf = fc.oneof(fc.constant(null), fc.integer(), fc.string());
    const { tree } = fc.letrec<{ tree: JsonValue }>((tie) => ({
      tree: fc.oneof(
        { depthSize: "small" },
        leaf,
        fc.array(tie("tree"), { maxLength: 12 }),
        fc.dictionary(name, tie("tree"), { maxKeys: 18 }),
      ) as fc.Arbitrary<JsonValue>,
    }));
    fc.assert(fc.property(tree, (body) => normalise(body) === linesOf(body).sort().join(";")));
  });
});

describe("the ambiguity of scheme 1", () => {
  it("is found wherever a string could be read as another member", () => {
    const body: JsonObject = {
      general: { project_id: "x;payment:amount:1" },
      payment: { description: "a;b;general:" },
    };
    expect(ambiguousUnderScheme1(body, [";general:", ";payment:"], 100)).toEqual([
      "general.project_id",
      "payment.description",
    ]);
  });

  it("is not seen where there is none", () => {
    const body: JsonObject = { general: { project_id: "general:x" }, payment: { description: "red; general, large" } };
    expect(ambiguousUnderScheme1(body, [";general:", ";payment:"], 100)).toEqual([]);
  });
});
