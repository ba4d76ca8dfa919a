import { maskPan } from "./cards/luhn.ts";

/** A run of digits as long as a card's number, written together or in groups. */
const LONG_NUMBER = /[0-9](?:[ -]?[0-9]){11,18}/g;

/**
 * Hides what may be a card's number in bytes that another party wrote: a receiver that answers with what it was sent
 * must not make us keep the requisites in clear. The length stays as it is.
 */
export function maskNumbers(bytes: Buffer): Buffer {
  const masked = bytes.toString("latin1").replace(LONG_NUMBER, (number) => {
    const shown = maskPan(number.replace(/[ -]/g, ""));
    return shown.padEnd(number.length, "*");
  });
  return Buffer.from(masked, "latin1");
}
