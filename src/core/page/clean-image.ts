import { fail, ok, type Result } from "../result.ts";

/**
 * A picture that a project shows to payers. It is checked and stripped: what is kept holds what is needed to draw it and
 * nothing else, so no comment, position or hidden program travels along.
 */
export type CleanImage = { readonly type: "image/png" | "image/jpeg"; readonly bytes: Buffer };

export type ImageFault = "not_an_image" | "damaged" | "too_large" | "too_many_pixels";

const BYTES_MAX = 256 * 1024;
const SIDE_MAX = 2048;

export function cleanImage(bytes: Buffer): Result<CleanImage, ImageFault> {
  if (bytes.length > BYTES_MAX) return fail("too_large");
  if (bytes.subarray(0, PNG_START.length).equals(PNG_START)) return cleanPng(bytes);
  return bytes[0] === 0xff && bytes[1] === SOI ? cleanJpeg(bytes) : fail("not_an_image");
}

const PNG_START = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** Size, palette, transparency, pixels, the end, and how colours are meant. */
const PNG_KEPT = new Set(["IHDR", "PLTE", "tRNS", "IDAT", "IEND", "sRGB", "gAMA"]);
const CHUNK_FRAME_BYTES = 12;

function cleanPng(bytes: Buffer): Result<CleanImage, ImageFault> {
  const kept: Buffer[] = [PNG_START];
  let at = PNG_START.length;
  let name = "";
  while (name !== "IEND") {
    if (at + CHUNK_FRAME_BYTES > bytes.length) return fail("damaged");
    const length = bytes.readUInt32BE(at);
    const end = at + CHUNK_FRAME_BYTES + length;
    if (end > bytes.length) return fail("damaged");
    name = bytes.toString("latin1", at + 4, at + 8);
    if (at === PNG_START.length && (name !== "IHDR" || length !== 13)) return fail("damaged");
    if (name === "IHDR" && !isDrawable(bytes.readUInt32BE(at + 8), bytes.readUInt32BE(at + 12))) {
      return fail("too_many_pixels");
    }
    if (PNG_KEPT.has(name)) kept.push(bytes.subarray(at, end));
    at = end;
  }
  return ok({ type: "image/png", bytes: Buffer.concat(kept) });
}

const SOI = 0xd8;
const EOI = 0xd9;
const SOS = 0xda;
const FIRST_APP = 0xe0;
const LAST_APP = 0xef;
const COMMENT = 0xfe;
/** Start-of-frame markers hold the size; four of their range mean something else. */
const NOT_FRAMES = new Set([0xc4, 0xc8, 0xcc]);

/** Segments are kept but for application data (Exif, profiles) and comments; what follows the end is dropped. */
function cleanJpeg(bytes: Buffer): Result<CleanImage, ImageFault> {
  const kept: Buffer[] = [bytes.subarray(0, 2)];
  let at = 2;
  let sized = false;
  for (;;) {
    if (at + 4 > bytes.length || bytes[at] !== 0xff) return fail("damaged");
    const marker = bytes[at + 1] ?? 0;
    const end = at + 2 + bytes.readUInt16BE(at + 2);
    if (end > bytes.length) return fail("damaged");
    if (marker >= 0xc0 && marker <= 0xcf && !NOT_FRAMES.has(marker)) {
      if (end < at + 9 || !isDrawable(bytes.readUInt16BE(at + 7), bytes.readUInt16BE(at + 5)))
        return fail("too_many_pixels");
      sized = true;
    }
    if (marker === SOS) break;
    const isExtra = (marker >= FIRST_APP && marker <= LAST_APP) || marker === COMMENT;
    if (!isExtra) kept.push(bytes.subarray(at, end));
    at = end;
  }
  const last = bytes.lastIndexOf(Buffer.from([0xff, EOI]));
  if (!sized || last < at) return fail("damaged");
  kept.push(bytes.subarray(at, last + 2));
  return ok({ type: "image/jpeg", bytes: Buffer.concat(kept) });
}

function isDrawable(width: number, height: number): boolean {
  return width >= 1 && height >= 1 && width <= SIDE_MAX && height <= SIDE_MAX;
}
