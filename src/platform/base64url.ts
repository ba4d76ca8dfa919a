const BASE64URL = /^[A-Za-z0-9_-]+$/;

/**
 * Decodes base64url without padding, and nothing else: Node's own decoder also takes padding, other alphabets and
 * stray characters, and ignores the spare bits of the last character, so that several texts would mean the same bytes.
 */
export function decodeBase64url(text: string): Buffer | undefined {
  if (!BASE64URL.test(text)) return undefined;
  const bytes = Buffer.from(text, "base64url");
  return bytes.toString("base64url") === text ? bytes : undefined;
}
