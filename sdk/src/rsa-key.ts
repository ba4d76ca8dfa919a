import { createPublicKey, type KeyObject } from "node:crypto";
import { TillgateError } from "./errors.ts";

/** The parser's own message is dropped on purpose: nothing of a key may reach a log. */
export function readRsaKey(parse: () => KeyObject, name: string): KeyObject {
  let key: KeyObject;
  try {
    key = parse();
  } catch {
    throw new TillgateError(`${name} cannot be read as an RSA key`);
  }
  if (key.asymmetricKeyType !== "rsa") throw new TillgateError(`${name} is not an RSA key`);
  return key;
}

/** Parsing a PEM takes about 0.5 ms, several times as long as a verification, so each is parsed once. None is a secret. */
const parsed = new Map<string, KeyObject>();
const PARSED_MAX = 64;

export function readPublicKey(pem: string, name: string): KeyObject {
  const known = parsed.get(pem);
  if (known !== undefined) return known;
  const key = readRsaKey(() => createPublicKey(pem), name);
  // A private key would be taken too, for its public half: nothing of it may stay in memory on our account.
  if (pem.includes("PRIVATE KEY")) return key;
  if (parsed.size >= PARSED_MAX) parsed.clear();
  parsed.set(pem, key);
  return key;
}

/** The `x-access-token` of an RSA key: its public half, SPKI DER in base64url. Takes either half. */
export function rsaAccessToken(publicOrPrivateKeyPem: string): string {
  return accessTokenOf(readRsaKey(() => createPublicKey(publicOrPrivateKeyPem), "the PEM"));
}

export function accessTokenOf(publicKey: KeyObject): string {
  return publicKey.export({ type: "spki", format: "der" }).toString("base64url");
}
