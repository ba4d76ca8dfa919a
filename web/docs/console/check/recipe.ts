import type { JsonValue } from "../../../../sdk/src/normalise.ts";
import { normalise } from "../../../../sdk/src/normalise.ts";
import type { Scheme } from "../signing/algorithms.ts";
import { areEqual, type Bytes, base64urlOf, digest, hexOf, utf8 } from "../signing/bytes.ts";
import { hmacKeyOf, type PublicKey, type RsaAlgorithm } from "../signing/keys.ts";

/** Every choice on the way from a request to the bytes of its signature. A mistake is a recipe with one choice changed. */
export type Recipe = {
  readonly scheme: Scheme;
  readonly method: string;
  readonly path: string;
  readonly timestamp: string;
  readonly rawBody: string;
  /** Scheme 2: the fourth line, and how the lines become one text. */
  readonly bodyLine: (rawBody: string) => Promise<string>;
  readonly join: (lines: readonly string[]) => string;
  /** Scheme 1. */
  readonly normalise: (body: JsonValue) => string;
  readonly encode: (normalised: string) => string;
  readonly stamp: (encoded: string, timestamp: string) => string;
  /** What the algorithm is given, before it hashes that itself. */
  readonly input: (message: string, kind: "rsa" | "hmac", scheme: Scheme) => Promise<Bytes>;
  readonly rsa: RsaAlgorithm & { readonly saltLength?: number };
  readonly macHash: "SHA-512" | "SHA-256" | "SHA-1";
  readonly secret: (text: string) => Bytes | undefined;
};

export type RequestParts = Pick<Recipe, "scheme" | "method" | "path" | "timestamp" | "rawBody">;

/** As the contract has it. */
export function rightRecipe(parts: RequestParts): Recipe {
  return {
    ...parts,
    bodyLine: async (rawBody) => hexOf(await digest(utf8(rawBody))),
    join: (lines) => lines.join("\n"),
    normalise,
    encode: (text) => base64urlOf(utf8(text)),
    stamp: (encoded, timestamp) => encoded + timestamp,
    input: async (message, kind, scheme) => (kind === "rsa" && scheme === 1 ? digest(utf8(message)) : utf8(message)),
    rsa: { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" },
    macHash: "SHA-512",
    secret: utf8,
  };
}

export async function messageOf(recipe: Recipe): Promise<string> {
  const { scheme, method, path, timestamp, rawBody } = recipe;
  if (scheme === 2) return recipe.join([method, path, timestamp, await recipe.bodyLine(rawBody)]);
  return recipe.stamp(recipe.encode(recipe.normalise(JSON.parse(rawBody) as JsonValue)), timestamp);
}

/** What the signature is checked with. */
export type Key =
  | { readonly kind: "rsa"; readonly publicKey: PublicKey }
  | { readonly kind: "hmac"; readonly secret: string };

/** Whether a signature that was made by this recipe would be the one that is given. */
export async function fits(recipe: Recipe, key: Key, signature: Bytes): Promise<boolean> {
  const input = await recipe.input(await messageOf(recipe), key.kind, recipe.scheme);
  if (key.kind === "rsa") {
    const { saltLength = 0, ...algorithm } = recipe.rsa;
    const publicKey = await key.publicKey.withAlgorithm(algorithm);
    return crypto.subtle.verify({ name: algorithm.name, saltLength }, publicKey, signature, input);
  }
  const secret = recipe.secret(key.secret);
  return secret !== undefined && areEqual(signature, await macOf(secret, recipe.macHash, input));
}

export async function macOf(secret: Bytes, hash: Recipe["macHash"], input: Bytes): Promise<Bytes> {
  // WebCrypto refuses an empty key.
  if (secret.length === 0) return new Uint8Array();
  return new Uint8Array(await crypto.subtle.sign("HMAC", await hmacKeyOf(secret, hash), input));
}
