import { type Bytes, findAnyBase64, findBase64url, findHexBytes } from "../signing/bytes.ts";
import { faultStep, okStep, type Step } from "./report.ts";

const RULE = "Send it as base64url without padding.";

/** The bytes of a signature, also where its text is not what the service takes: then the step says so. */
export function readSignature(text: string, bytesExpected: number): { readonly step: Step; readonly bytes?: Bytes } {
  const name = "Form of the signature";
  const right = findBase64url(text);
  const length = (bytes: Bytes) =>
    bytes.length === bytesExpected
      ? okStep(name, `base64url without padding, ${bytes.length} bytes.`)
      : faultStep(name, lengthAdvice(bytes.length, bytesExpected));
  const hex = findHexBytes(text);
  if (hex !== undefined && hex.length === bytesExpected)
    return { step: faultStep(name, `It is hex. ${RULE}`), bytes: hex };
  if (right !== undefined) {
    const inside = findHexBytes(new TextDecoder().decode(right));
    if (inside !== undefined && inside.length === bytesExpected) {
      const detail = `It is the base64url of hex text. Encode the ${bytesExpected} bytes themselves, not their hex.`;
      return { step: faultStep(name, detail), bytes: inside };
    }
    return { step: length(right), bytes: right };
  }
  const decoded = decodeLeniently(text);
  if (decoded === undefined) return { step: faultStep(name, `“${shortened(text)}” cannot be decoded. ${RULE}`) };
  return { step: faultStep(name, `${decoded.what} ${RULE}`), bytes: decoded.bytes };
}

function decodeLeniently(text: string): { readonly what: string; readonly bytes: Bytes } | undefined {
  if (/%[0-9a-f]{2}/i.test(text)) {
    // Not by decodeURIComponent, which throws at a % that stands alone.
    const plain = text.replace(/%([0-9a-f]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
    const bytes = findAnyBase64(plain);
    return bytes && { bytes, what: "It is percent-encoded, as for an address. A header needs no such encoding." };
  }
  const bytes = findAnyBase64(text.replace(/\s/g, ""));
  if (bytes === undefined) return undefined;
  if (/\s/.test(text)) return { bytes, what: "It has whitespace in it: a base64 tool has broken its lines." };
  if (/[+/]/.test(text)) return { bytes, what: "It uses the standard base64 alphabet: write + as -, and / as _." };
  if (text.includes("=")) return { bytes, what: "It ends with padding (=). Cut the = off." };
  return { bytes, what: "Its last character has spare bits." };
}

function lengthAdvice(length: number, expected: number): string {
  if (expected === 64 && length === 32) return "It has 32 bytes, as HMAC-SHA256 makes them. Use HMAC-SHA512: 64 bytes.";
  return `It has ${length} bytes, and a signature of this key and algorithm has ${expected}.`;
}

function shortened(text: string): string {
  return text.length > 24 ? `${text.slice(0, 24)}…` : text;
}
