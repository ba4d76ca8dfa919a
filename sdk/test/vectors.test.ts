import { createPublicKey, verify } from "node:crypto";
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { decodeBase64url } from "../src/base64.ts";
import { normalise, rsaAccessToken, type Scheme, scheme1Message, scheme2Message, signRequest } from "../src/index.ts";
import { rsaInput } from "../src/message.ts";
import { hmacOf, newRsaPair, rsaVerifies } from "./reference.ts";

type Vector = {
  name: string;
  valid: boolean;
  scheme: Scheme;
  algorithm: string;
  method: string;
  path: string;
  timestamp: number;
  body: string;
  normalised?: string;
  message: string;
  sha256_of_message?: string;
  signature: string;
};
type VectorFile = {
  rsa: { public_key_pem: string; access_token: string };
  hmac: { key_id: string; secret: string };
  vectors: Vector[];
};

const file: VectorFile = JSON.parse(readFileSync(new URL("../../docs/signing-vectors.json", import.meta.url), "utf8"));
const fresh = newRsaPair();
const identity = { merchantId: "m", projectId: "p" };

function messageOf({ scheme, method, path, timestamp, body }: Vector): string {
  return scheme === 1
    ? scheme1Message(JSON.parse(body), timestamp)
    : scheme2Message({ method, path, timestamp, rawBody: body });
}

describe("every vector", () => {
  it.each(file.vectors)("$algorithm: $name", (vector) => {
    if (vector.scheme === 1) {
      expect(normalise(JSON.parse(vector.body))).toBe(vector.normalised);
      expect(rsaInput(1, vector.message).toString("hex")).toBe(vector.sha256_of_message);
    }
    expect(messageOf(vector)).toBe(vector.message);
    expect(verifies(vector)).toBe(vector.valid);
  });

  function verifies({ scheme, algorithm, message, signature }: Vector): boolean {
    const bytes = decodeBase64url(signature);
    if (bytes === undefined) return false;
    if (algorithm.startsWith("HMAC")) return hmacOf(file.hmac.secret, message) === bytes.toString("base64url");
    return verify("sha256", rsaInput(scheme, message), createPublicKey(file.rsa.public_key_pem), bytes);
  }
});

describe("signRequest on the bodies of the valid vectors", () => {
  const valid = file.vectors.filter((vector) => vector.valid);

  it.each(valid.filter(({ algorithm }) => algorithm.startsWith("HMAC")))(
    "makes the very signature: $algorithm: $name",
    (vector) => {
      const credentials = { ...identity, kind: "hmac", keyId: file.hmac.key_id, secret: file.hmac.secret } as const;
      const { scheme, path, timestamp, body: rawBody } = vector;
      const headers = signRequest({ credentials, scheme, path, timestamp, rawBody });
      expect(headers).toEqual({
        "content-type": "application/json",
        "x-access-timestamp": String(timestamp),
        "x-access-merchant-id": "m",
        "x-access-token": file.hmac.key_id,
        "x-access-merchant-algorithm": vector.algorithm,
        "x-access-signature": vector.signature,
      });
      expect(signRequest({ credentials, scheme, path, timestamp, rawBody: Buffer.from(rawBody) })).toEqual(headers);
    },
  );

  it.each(valid.filter(({ algorithm }) => algorithm.startsWith("RSA")))(
    "verifies under a fresh key: $algorithm: $name",
    (vector) => {
      const credentials = { ...identity, kind: "rsa", privateKeyPem: fresh.privateKeyPem } as const;
      const { scheme, path, timestamp, body: rawBody } = vector;
      const headers = signRequest({ credentials, scheme, path, timestamp, rawBody });
      expect(headers["x-access-merchant-algorithm"]).toBe(vector.algorithm);
      expect(headers["x-access-token"]).toBe(rsaAccessToken(fresh.publicKeyPem));
      expect(rsaVerifies(scheme, fresh.publicKeyPem, vector.message, headers["x-access-signature"])).toBe(true);
    },
  );
});

it("derives the access token from the public key", () => {
  expect(rsaAccessToken(file.rsa.public_key_pem)).toBe(file.rsa.access_token);
  expect(rsaAccessToken(fresh.privateKeyPem)).toBe(rsaAccessToken(fresh.publicKeyPem));
});
