import { createHash, createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { messageFor, newRsaPair, rsaVerifies } from "../../sdk/test/reference.ts";
// @ts-expect-error: a tool without types
import { COLLECTION, postmanCollection } from "../../tools/postman.mjs";

type Item = { readonly request: { readonly url: string; readonly body: { readonly raw: string } } };
const written = readFileSync(COLLECTION, "utf8");
const collection = JSON.parse(written) as {
  readonly item: readonly { readonly item: readonly Item[] }[];
  readonly event: readonly { readonly script: { readonly exec: readonly string[] } }[];
  readonly variable: readonly { readonly key: string; readonly value: string }[];
};
const items = collection.item.flatMap(({ item }) => item);

describe("docs/postman-collection.json", () => {
  it("is made from the contract; after a change: npm run contract-types", () =>
    expect(written).toBe(postmanCollection()));

  it("has every signed call", () => {
    const { paths, security } = parse(readFileSync(new URL("../../docs/openapi.yaml", import.meta.url), "utf8"));
    type Operation = { readonly post?: { readonly security?: readonly unknown[] } };
    const signed = Object.entries(paths as Record<string, Operation>)
      .filter(([, { post }]) => post !== undefined && (post.security ?? security).length > 0)
      .map(([path]) => `{{base_url}}${path}`);
    expect(new Set(items.map(({ request }) => request.url))).toEqual(new Set(signed));
    expect(signed.length).toBeGreaterThan(15);
  });

  it("holds no credentials, and names each variable that its bodies use", () => {
    const filled = collection.variable.filter(({ value }) => value !== "").map(({ key }) => key);
    expect(filled).toEqual(["base_url", "algorithm", "repeat"]);
    const known = collection.variable.map(({ key }) => key);
    const used = items.flatMap(({ request }) =>
      [...request.body.raw.matchAll(/\{\{([^}]+)\}\}/g)].map(([, key]) => key),
    );
    expect(new Set(used)).toEqual(new Set(known.filter((key) => /^project_id$|_payin_id$|_payout_id$/.test(key))));
  });
});

/** What crypto-js gives to a script of Postman, as far as the script uses it. */
const Base64 = { parse: (text: string) => words(Buffer.from(text, "base64")) };
const words = (bytes: Buffer) => ({
  bytes,
  toString: (form?: unknown) => bytes.toString(form === Base64 ? "base64" : "hex"),
});
type Words = ReturnType<typeof words>;
const bytesOf = (given: string | Words) => (typeof given === "string" ? Buffer.from(given, "utf8") : given.bytes);
const cryptoJs = {
  enc: {
    Base64,
    Hex: { parse: (text: string) => words(Buffer.from(text, "hex")) },
    Utf8: { parse: (text: string) => words(Buffer.from(text, "utf8")) },
  },
  SHA256: (given: string | Words) => words(createHash("sha256").update(bytesOf(given)).digest()),
  HmacSHA512: (given: string, secret: string) => words(createHmac("sha512", secret).update(given).digest()),
};

type Vector = {
  readonly valid: boolean;
  readonly scheme: 1 | 2;
  readonly name: string;
  readonly algorithm: string;
  readonly path: string;
  readonly timestamp: number;
  readonly body: string;
  readonly signature: string;
};
const vectors = JSON.parse(readFileSync(new URL("../../docs/signing-vectors.json", import.meta.url), "utf8")) as {
  readonly hmac: { readonly secret: string };
  readonly vectors: readonly Vector[];
};
const fresh = newRsaPair();

/** The script as it stands in the file, in the place where Postman would run it. */
function sign({ algorithm, path, timestamp, body }: Vector): Record<string, string> {
  const variables = new Map<string, string>([
    ...([
      ["algorithm", algorithm],
      ["merchant_id", "m"],
      ["repeat", "no"],
    ] as const),
    ...([
      ["hmac_key_id", "ak_1"],
      ["hmac_secret", vectors.hmac.secret],
    ] as const),
    ...([
      ["rsa_access_token", "token"],
      ["rsa_private_key_pem", fresh.privateKeyPem],
    ] as const),
  ]);
  const headers: Record<string, string> = {};
  const pm = {
    variables: { get: (name: string) => variables.get(name), replaceIn: (text: string) => text },
    collectionVariables: { set: (name: string, value: string) => variables.set(name, value) },
    request: {
      url: { getPath: () => path },
      body: { raw: body, update: () => {} },
      headers: {
        upsert: ({ key, value }: { key: string; value: string }) => void Object.assign(headers, { [key]: value }),
      },
    },
  };
  const [script] = collection.event;
  runInNewContext(script?.script.exec.join("\n") ?? "", {
    ...{ pm, require: () => cryptoJs, Date: { now: () => timestamp * 1_000 + 999 } },
  });
  return headers;
}

describe("the script of the collection", () => {
  const valid = vectors.vectors.filter((vector) => vector.valid);

  it.each(valid.filter(({ algorithm }) => algorithm.startsWith("HMAC")))(
    "makes the very signature: $algorithm: $name",
    (vector) => {
      expect(sign(vector)).toEqual({
        "x-access-timestamp": String(vector.timestamp),
        "x-access-merchant-id": "m",
        "x-access-token": "ak_1",
        "x-access-merchant-algorithm": vector.algorithm,
        "x-access-signature": vector.signature,
      });
    },
  );

  // One of each scheme: the messages are those of the signatures above.
  it.each(["RSA-SHA256", "RSA-SHA256-V2"])("signs with RSA: %s", (algorithm) => {
    const vector = valid.find((each) => each.algorithm === algorithm);
    if (vector === undefined) throw new Error("there is no such vector");
    const headers = sign(vector);
    const parts = { method: "POST", path: vector.path, timestamp: String(vector.timestamp), rawBody: vector.body };
    const message = messageFor(vector.scheme, parts);
    expect(headers["x-access-token"]).toBe("token");
    expect(rsaVerifies(vector.scheme, fresh.publicKeyPem, message, headers["x-access-signature"] ?? "")).toBe(true);
  });
});
