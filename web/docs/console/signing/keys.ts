import { type Bytes, base64urlOf, findAnyBase64, joined } from "./bytes.ts";

const RSA = { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" } as const;

/** A `CryptoKey`: the types of Node do not have that name, and tests run there. */
export type KeyHandle = Awaited<ReturnType<typeof crypto.subtle.importKey>>;

/** Browsers have it on pages that came over HTTPS, and on those of the reader's own machine. */
export function canSign(): boolean {
  return globalThis.crypto?.subtle !== undefined;
}

/** A key to sign with. Neither can be read back: WebCrypto holds it, and gives it to no script. */
export type SigningKey = { readonly kind: "rsa" | "hmac"; readonly token: string; readonly key: KeyHandle };

export type Read<Value> = { readonly value: Value } | { readonly fault: string };

/** The parser's own words are dropped: nothing of a private key may reach a page or a log. */
export async function readRsaPrivateKey(pem: string): Promise<Read<SigningKey>> {
  const block = findPem(pem);
  if (block === undefined) return { fault: "This is not a PEM: it begins with -----BEGIN PRIVATE KEY-----." };
  if (block.label.includes("ENCRYPTED") || /Proc-Type:.*ENCRYPTED/.test(pem)) {
    return { fault: "This key is protected by a passphrase. Decrypt it first: openssl pkcs8 -in KEY -out PLAIN.pem" };
  }
  if (block.label.includes("PUBLIC")) return { fault: "This is the public half. The private half signs." };
  const der = block.label === "RSA PRIVATE KEY" ? pkcs8Of(block.der) : block.der;
  try {
    // Read as extractable for a moment, because the token is made of its public numbers.
    const readable = await crypto.subtle.importKey("pkcs8", der, RSA, true, ["sign"]);
    const { n, e } = await crypto.subtle.exportKey("jwk", readable);
    if (n === undefined || e === undefined) return { fault: "This is not an RSA key." };
    const publicKey = await crypto.subtle.importKey("jwk", { kty: "RSA", n, e }, RSA, true, ["verify"]);
    const key = await crypto.subtle.importKey("pkcs8", der, RSA, false, ["sign"]);
    return { value: { kind: "rsa", key, token: await tokenOf(publicKey) } };
  } catch {
    return { fault: "This cannot be read as an RSA private key in PKCS#8." };
  }
}

export async function readHmacKey(keyId: string, secret: string): Promise<Read<SigningKey>> {
  if (!/^[!-~]+$/.test(keyId)) return { fault: "The key's id is missing: ak_ and 32 hex characters." };
  if (secret === "") return { fault: "The secret is missing." };
  return { value: { kind: "hmac", token: keyId, key: await hmacKeyOf(new TextEncoder().encode(secret)) } };
}

export function hmacKeyOf(secret: Bytes, hash: "SHA-512" | "SHA-256" | "SHA-1" = "SHA-512"): Promise<KeyHandle> {
  return crypto.subtle.importKey("raw", secret, { name: "HMAC", hash }, false, ["sign"]);
}

export type PublicKey = {
  readonly token: string;
  /** How many bytes a signature has. */
  readonly signatureBytes: number;
  readonly withAlgorithm: (algorithm: RsaAlgorithm) => Promise<KeyHandle>;
};

export type RsaAlgorithm = {
  readonly name: "RSASSA-PKCS1-v1_5" | "RSA-PSS";
  readonly hash: "SHA-256" | "SHA-512" | "SHA-1";
};

/** Takes a PEM of either half, or what `x-access-token` holds. */
export async function readRsaPublicKey(text: string): Promise<Read<PublicKey>> {
  const block = findPem(text);
  const spki = block === undefined ? findAnyBase64(text.trim()) : await spkiOf(block);
  if (spki === undefined) return { fault: "This cannot be read as an RSA public key." };
  const withAlgorithm = (algorithm: RsaAlgorithm) => crypto.subtle.importKey("spki", spki, algorithm, true, ["verify"]);
  try {
    const key = await withAlgorithm(RSA);
    const { modulusLength } = key.algorithm as unknown as { readonly modulusLength: number };
    return { value: { token: await tokenOf(key), signatureBytes: Math.ceil(modulusLength / 8), withAlgorithm } };
  } catch {
    return { fault: "This cannot be read as an RSA public key." };
  }
}

async function spkiOf({ label, der }: Pem): Promise<Bytes | undefined> {
  if (label === "PUBLIC KEY") return der;
  if (label === "RSA PUBLIC KEY") return sequence(RSA_ALGORITHM, tagged(BIT_STRING, joined(new Uint8Array([0]), der)));
  try {
    const pkcs8 = label === "RSA PRIVATE KEY" ? pkcs8Of(der) : der;
    const readable = await crypto.subtle.importKey("pkcs8", pkcs8, RSA, true, ["sign"]);
    const { n = "", e = "" } = await crypto.subtle.exportKey("jwk", readable);
    const publicKey = await crypto.subtle.importKey("jwk", { kty: "RSA", n, e }, RSA, true, ["verify"]);
    return new Uint8Array(await crypto.subtle.exportKey("spki", publicKey));
  } catch {
    return undefined;
  }
}

/** The `x-access-token` of an RSA key: its public half, SPKI DER in base64url. */
async function tokenOf(publicKey: KeyHandle): Promise<string> {
  return base64urlOf(new Uint8Array(await crypto.subtle.exportKey("spki", publicKey)));
}

type Pem = { readonly label: string; readonly der: Bytes };

function findPem(text: string): Pem | undefined {
  // A PEM inside JSON or a shell variable has its line ends written out.
  const lines = text.replaceAll("\\n", "\n");
  const found = /-----BEGIN ([A-Z ]+)-----([\s\S]*?)-----END \1-----/.exec(lines);
  if (found === null) return undefined;
  const [, label = "", inside = ""] = found;
  const der = findAnyBase64(inside.replace(/^[\w-]+:.*$/gm, "").replace(/\s/g, ""));
  return der === undefined ? undefined : { label, der };
}

// PKCS#1, which older tools write, is wrapped into PKCS#8 and SPKI: WebCrypto takes no other forms.
const SEQUENCE = 0x30;
const BIT_STRING = 0x03;
const OCTET_STRING = 0x04;
/** The object id of rsaEncryption, and NULL. */
const RSA_ALGORITHM = new Uint8Array([0x30, 0x0d, 6, 9, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 1, 1, 5, 0]);
const VERSION_0 = new Uint8Array([2, 1, 0]);

function pkcs8Of(pkcs1: Bytes): Bytes {
  return sequence(VERSION_0, RSA_ALGORITHM, tagged(OCTET_STRING, pkcs1));
}

function sequence(...parts: readonly Bytes[]): Bytes {
  return tagged(SEQUENCE, joined(...parts));
}

function tagged(tag: number, content: Bytes): Bytes {
  const { length } = content;
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, (length >> 8) & 0xff, length & 0xff];
  return joined(new Uint8Array([tag, ...size]), content);
}
