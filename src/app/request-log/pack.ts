import { promisify } from "node:util";
import { constants, deflateRaw, inflateRawSync } from "node:zlib";

/** Texts of the request log as bytes: a byte that says how, and the text, compressed where that is worth the time. */
const [AS_IT_IS, DEFLATED] = [0, 1];
/** The library's own preparation takes longer than to store so much. */
const DEFLATED_FROM_BYTES = 2_048;

const deflateInThread = promisify(deflateRaw);

export async function packText(text: string): Promise<Buffer> {
  const bytes = Buffer.from(text, "utf8");
  if (bytes.length < DEFLATED_FROM_BYTES) return Buffer.concat([Buffer.of(AS_IT_IS), bytes]);
  const packed = await deflateInThread(bytes, { level: constants.Z_BEST_SPEED });
  return Buffer.concat([Buffer.of(DEFLATED), packed]);
}

/** Far above what a flush of a process can have written. */
const TEXT_BYTES_MAX = 256 * 1024 * 1024;

export function unpackText(packed: Buffer): string {
  const bytes = packed.subarray(1);
  const plain = packed[0] === DEFLATED ? inflateRawSync(bytes, { maxOutputLength: TEXT_BYTES_MAX }) : bytes;
  return plain.toString("utf8");
}
