import { randomBytes, timingSafeEqual } from "node:crypto";
import { decodeBase64url } from "../../platform/base64url.ts";
import type { Keyring } from "../../platform/secrets.ts";

/**
 * A browser in which a person once signed in has a mark of it. Guesses that come with the mark are counted apart from all others, so
 * that a stranger who guesses at a login cannot keep its person out. The mark proves nothing else, and is not stored.
 */
const NONCE_BYTES = 16;
const MARK_LENGTH_MAX = 128;

export function newBrowserMark(keyring: Keyring, email: string): string {
  const nonce = randomBytes(NONCE_BYTES).toString("base64url");
  return `${nonce}.${signatureOf(keyring, email, nonce).toString("base64url")}`;
}

/** What the browser is counted by; undefined where the mark is none of ours, or of another login. */
export function findMarkedBrowser(keyring: Keyring, email: string, mark: string | undefined): string | undefined {
  if (mark === undefined || mark.length > MARK_LENGTH_MAX) return undefined;
  const [nonce = "", text = ""] = mark.split(".");
  const given = decodeBase64url(text);
  const wanted = signatureOf(keyring, email, nonce);
  return given !== undefined && given.length === wanted.length && timingSafeEqual(given, wanted) ? nonce : undefined;
}

function signatureOf(keyring: Keyring, email: string, nonce: string): Buffer {
  return keyring.lookupHash("known_browser", `${email} ${nonce}`);
}
