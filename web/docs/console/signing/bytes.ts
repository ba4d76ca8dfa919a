/** WebCrypto takes no views of shared memory, so the kind of buffer is part of the type. */
export type Bytes = Uint8Array<ArrayBuffer>;

export function utf8(text: string): Bytes {
  return new TextEncoder().encode(text);
}

export function hexOf(bytes: Bytes): string {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

export function findHexBytes(text: string): Bytes | undefined {
  if (text === "" || text.length % 2 === 1 || !/^[0-9a-f]*$/i.test(text)) return undefined;
  return new Uint8Array((text.match(/../g) ?? []).map((pair) => Number.parseInt(pair, 16)));
}

export function base64Of(bytes: Bytes): string {
  return btoa([...bytes].map((byte) => String.fromCharCode(byte)).join(""));
}

/** Without padding, as the service wants it. */
export function base64urlOf(bytes: Bytes): string {
  return base64Of(bytes).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/** Only the one text that stands for these bytes: no padding, no other alphabet, no spare bits. */
export function findBase64url(text: string): Bytes | undefined {
  const bytes = findAnyBase64(text);
  return bytes !== undefined && base64urlOf(bytes) === text ? bytes : undefined;
}

/** Either alphabet, with or without padding. */
export function findAnyBase64(text: string): Bytes | undefined {
  const standard = text.replaceAll("-", "+").replaceAll("_", "/").replace(/=+$/, "");
  if (standard === "" || !/^[A-Za-z0-9+/]*$/.test(standard)) return undefined;
  try {
    return Uint8Array.from(atob(standard), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}

export function areEqual(one: Bytes, other: Bytes): boolean {
  return one.length === other.length && one.every((byte, index) => byte === other[index]);
}

export function joined(...parts: readonly Bytes[]): Bytes {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

export async function digest(bytes: Bytes, hash: "SHA-256" | "SHA-512" | "SHA-1" = "SHA-256"): Promise<Bytes> {
  return new Uint8Array(await crypto.subtle.digest(hash, bytes));
}
