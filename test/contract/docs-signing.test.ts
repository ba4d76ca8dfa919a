import { generateKeyPairSync } from "node:crypto";
import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import { rsaAccessToken, signRequest } from "../../sdk/src/index.ts";
import { fits, rightRecipe } from "../../web/docs/console/check/recipe.ts";
import { ALGORITHM_NAMES, ALGORITHMS, type Algorithm } from "../../web/docs/console/signing/algorithms.ts";
import { findBase64url } from "../../web/docs/console/signing/bytes.ts";
import {
  type Read,
  readHmacKey,
  readRsaPrivateKey,
  readRsaPublicKey,
  type SigningKey,
} from "../../web/docs/console/signing/keys.ts";
import { makeMessage } from "../../web/docs/console/signing/message.ts";
import { signCall } from "../../web/docs/console/signing/sign.ts";

/** The page at /docs signs by WebCrypto, which Node has as well: the same modules, without a browser. */
type Vector = {
  readonly name: string;
  readonly valid: boolean;
  readonly algorithm: Algorithm;
  readonly method: string;
  readonly path: string;
  readonly timestamp: number;
  readonly body: string;
  readonly normalised?: string;
  readonly message: string;
  readonly sha256_of_message?: string;
  readonly signature: string;
};

const file: {
  readonly rsa: { readonly public_key_pem: string };
  readonly hmac: { readonly key_id: string; readonly secret: string };
  readonly vectors: readonly Vector[];
} = JSON.parse(readFileSync(new URL("../../docs/signing-vectors.json", import.meta.url), "utf8"));

function taken<Value>(read: Read<Value>): Value {
  if ("fault" in read) throw new Error(read.fault);
  return read.value;
}

function partsOf({ method, path, timestamp, body }: Vector) {
  return { method, path, timestamp: String(timestamp), rawBody: body };
}

describe("the vectors", () => {
  it.each(file.vectors.map((vector) => [`${vector.algorithm}: ${vector.name}`, vector] as const))(
    "%s",
    async (_title, vector) => {
      const { scheme, kind } = ALGORITHMS[vector.algorithm];
      const parts = partsOf(vector);
      const made = await makeMessage(scheme, parts);
      expect(made.message).toBe(vector.message);
      expect(made.normalised).toBe(vector.normalised);
      expect(made.messageHash).toBe(vector.sha256_of_message);
      const key =
        kind === "rsa"
          ? ({ kind, publicKey: taken(await readRsaPublicKey(file.rsa.public_key_pem)) } as const)
          : ({ kind, secret: file.hmac.secret } as const);
      const bytes = findBase64url(vector.signature);
      expect(bytes !== undefined && (await fits(rightRecipe({ ...parts, scheme }), key, bytes))).toBe(vector.valid);
      if (kind !== "hmac" || !vector.valid) return;
      const signing = taken(await readHmacKey(file.hmac.key_id, file.hmac.secret));
      const signed = await signCall(signing, { ...parts, algorithm: vector.algorithm, merchantId: "m" });
      expect(signed.signature).toBe(vector.signature);
    },
  );
});

describe("the page signs as the SDK does", () => {
  const pair = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const privateKeyPem = pair.privateKey.export({ type: "pkcs8", format: "pem" }).toString();
  const identity = { merchantId: "merchant-1", projectId: "project-1" };
  let rsa: SigningKey;
  let hmac: SigningKey;

  beforeAll(async () => {
    rsa = taken(await readRsaPrivateKey(privateKeyPem));
    hmac = taken(await readHmacKey("ak_1", "sk_secret"));
  });

  it.each(ALGORITHM_NAMES)("%s", async (algorithm) => {
    const { scheme, kind } = ALGORITHMS[algorithm];
    const rawBody = '{"general":{"project_id":"п;1"},"payment":{"amount":100}}';
    const path = "/api/v1/payment/p2p/payin";
    const credentials =
      kind === "rsa"
        ? ({ ...identity, kind, privateKeyPem } as const)
        : ({ ...identity, kind, keyId: "ak_1", secret: "sk_secret" } as const);
    const expected = signRequest({ credentials, path, timestamp: 1_706_182_847, scheme, rawBody });
    const signed = await signCall(kind === "rsa" ? rsa : hmac, {
      algorithm,
      merchantId: identity.merchantId,
      method: "POST",
      path,
      timestamp: "1706182847",
      rawBody,
    });
    expect(signed.headers).toEqual(expected);
  });

  it("reads RSA keys in PKCS#1 and PKCS#8, and from JSON, where line ends are written out", async () => {
    const pkcs1 = pair.privateKey.export({ type: "pkcs1", format: "pem" }).toString();
    const token = rsaAccessToken(privateKeyPem);
    for (const text of [privateKeyPem, pkcs1, JSON.stringify(privateKeyPem)]) {
      expect(taken(await readRsaPrivateKey(text)).token).toBe(token);
      expect(taken(await readRsaPublicKey(text)).token).toBe(token);
    }
    const publicPems = (["spki", "pkcs1"] as const).map((type) => pair.publicKey.export({ type, format: "pem" }));
    for (const text of [...publicPems.map(String), token]) {
      expect(taken(await readRsaPublicKey(text)).token).toBe(token);
    }
  });

  it("keeps no key that a script could read", async () => {
    expect([rsa.key.extractable, hmac.key.extractable]).toEqual([false, false]);
  });

  it("says what is wrong with a key, and never quotes it", async () => {
    const encrypted = pair.privateKey
      .export({ type: "pkcs8", format: "pem", cipher: "aes-128-cbc", passphrase: "x" })
      .toString();
    const ec = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({ type: "pkcs8", format: "pem" });
    const faults = {
      "this is nothing like a key, and is long enough to be quoted": /not a PEM/,
      [String(pair.publicKey.export({ type: "spki", format: "pem" }))]: /public half/,
      [encrypted]: /passphrase/,
      [String(ec)]: /cannot be read as an RSA private key/,
    };
    for (const [text, expected] of Object.entries(faults)) {
      const read = await readRsaPrivateKey(text);
      expect("fault" in read && read.fault).toMatch(expected);
      expect("fault" in read && read.fault).not.toContain(text.slice(30, 50));
    }
  });
});
