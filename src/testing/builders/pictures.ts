import { crc32, deflateSync } from "node:zlib";

/** Pictures for tests, made by hand: browsers draw them. */
const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** Eight bits a channel, red, green and blue. */
const FORM = [8, 2, 0, 0, 0] as const;
const CHANNELS = 3;
/** One too large to be drawn needs no pixels. */
const DRAWN_SIDE_MAX = 256;

/** A black square, with other chunks before its pixels. */
export function aPng(side = 2, ...extra: Buffer[]): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  header.set(FORM, 8);
  const drawn = Math.min(side, DRAWN_SIDE_MAX);
  const pixels = deflateSync(Buffer.alloc(drawn * (1 + CHANNELS * drawn)));
  const end = pngChunk("IEND", Buffer.alloc(0));
  return Buffer.concat([SIGNATURE, pngChunk("IHDR", header), ...extra, pngChunk("IDAT", pixels), end]);
}

export function pngChunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, "latin1"), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}
