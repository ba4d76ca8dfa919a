/** A pair that the browser made. Only the public half may be sent. */
export type RsaPair = {
  readonly bits: number;
  readonly publicPem: string;
  readonly privatePem: string;
  /** What requests name the key by: the public half itself. */
  readonly token: string;
};

export const PAIR_BITS = [2048, 3072] as const;

/** Browsers have it on pages that came over HTTPS, and on those of the reader's own machine. */
export const canMakePairs = globalThis.crypto?.subtle !== undefined;

const ALGORITHM = { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256", publicExponent: new Uint8Array([1, 0, 1]) };

export async function makeRsaPair(bits: number): Promise<RsaPair> {
  const { subtle } = crypto;
  const pair = await subtle.generateKey({ ...ALGORITHM, modulusLength: bits }, true, ["sign", "verify"]);
  const spki = base64Of(await subtle.exportKey("spki", pair.publicKey));
  const pkcs8 = base64Of(await subtle.exportKey("pkcs8", pair.privateKey));
  return {
    bits,
    publicPem: pemOf("PUBLIC KEY", spki),
    privatePem: pemOf("PRIVATE KEY", pkcs8),
    token: spki.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, ""),
  };
}

function base64Of(bytes: ArrayBuffer): string {
  return btoa(String.fromCharCode(...new Uint8Array(bytes)));
}

function pemOf(name: string, base64: string): string {
  const lines = base64.match(/.{1,64}/g) ?? [];
  return `-----BEGIN ${name}-----\n${lines.join("\n")}\n-----END ${name}-----\n`;
}
