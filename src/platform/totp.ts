import { createHmac, timingSafeEqual } from "node:crypto";

/** Codes of an authenticator app: RFC 6238 with SHA-1, six digits and steps of 30 seconds, which every app knows. */
const STEP_MS = 30_000;
const DIGITS = 6;
/** A clock may be off by one step in either direction, and people type slowly. */
const STEPS_AROUND = [0n, -1n, 1n];
export const TOTP_SECRET_BYTES = 20;

export function totpCode(secret: Buffer, step: bigint): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(step);
  const digest = createHmac("sha1", secret).update(counter).digest();
  const offset = (digest[digest.length - 1] ?? 0) & 0x0f;
  const value = digest.readUInt32BE(offset) & 0x7fffffff;
  return String(value % 10 ** DIGITS).padStart(DIGITS, "0");
}

export function totpStep(nowMs: number): bigint {
  return BigInt(Math.floor(nowMs / STEP_MS));
}

/** The step that a code belongs to; undefined for a wrong code and for a step that was used, or lies before one that was. */
export function findTotpStep(secret: Buffer, code: string, nowMs: number, lastStep: bigint): bigint | undefined {
  const given = Buffer.from(code.replaceAll(" ", ""));
  return STEPS_AROUND.map((around) => totpStep(nowMs) + around).find((step) => {
    const wanted = Buffer.from(totpCode(secret, step));
    return step > lastStep && given.length === wanted.length && timingSafeEqual(given, wanted);
  });
}

const BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** RFC 4648 without padding, as authenticator apps take it. */
export function base32(bytes: Buffer): string {
  let text = "";
  let bits = 0;
  let held = 0;
  for (const byte of bytes) {
    held = (held << 8) | byte;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      text += BASE32[(held >>> bits) & 31];
    }
    held &= (1 << bits) - 1;
  }
  return bits > 0 ? text + BASE32[(held << (5 - bits)) & 31] : text;
}

/** What the app reads from a QR code. */
export function totpUri(secret: Buffer, email: string): string {
  const label = `Tillgate:${encodeURIComponent(email)}`;
  return `otpauth://totp/${label}?secret=${base32(secret)}&issuer=Tillgate&algorithm=SHA1&digits=${DIGITS}&period=${STEP_MS / 1000}`;
}
