import { createHash, randomBytes } from "node:crypto";
import { Secret } from "./secret.ts";

/** What a link or a cookie carries. The database has its hash alone, which is enough: nothing can be guessed of 256 random bits. */
const TOKEN_BYTES = 32;

export function newToken(): { readonly token: Secret<string>; readonly hash: Buffer } {
  const text = randomBytes(TOKEN_BYTES).toString("base64url");
  return { token: new Secret(text), hash: hashToken(text) };
}

export function hashToken(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
