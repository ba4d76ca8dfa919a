import type { Id } from "../../core/ids.ts";
import type { EncodedCall } from "./encode-call.ts";

/**
 * Calls of one project and kind that wait to be written, as bytes. Objects that live for a second are moved about by the
 * garbage collector until they die; bytes are not.
 */
export type PendingChunk = {
  heads: Buffer;
  headsLength: number;
  bodies: Buffer;
  bodiesLength: number;
  callCount: number;
  oldestId: Id;
  newestId: Id;
};

const FIRST_BYTES = 2_048;
/** A character of a text is at most so many bytes. */
const BYTES_OF_CHARACTER_MAX = 3;

/** Used ones, whose buffers have grown to what a row needs: they need not be made again for each. */
const spare: PendingChunk[] = [];
const SPARE_MAX = 64;
const SPARE_BYTES_MAX = 262_144;

/** Its bytes must not be used any more. */
export function giveBack(chunk: PendingChunk): void {
  if (spare.length < SPARE_MAX && chunk.heads.length + chunk.bodies.length <= SPARE_BYTES_MAX) spare.push(chunk);
}

export function newPendingChunk(id: Id): PendingChunk {
  const used = spare.pop();
  if (used !== undefined) {
    const { heads, bodies } = used;
    return { heads, headsLength: 0, bodies, bodiesLength: 0, callCount: 0, oldestId: id, newestId: id };
  }
  return {
    ...{ heads: Buffer.allocUnsafe(FIRST_BYTES), headsLength: 0 },
    ...{ bodies: Buffer.allocUnsafe(FIRST_BYTES * 2), bodiesLength: 0 },
    ...{ callCount: 0, oldestId: id, newestId: id },
  };
}

export function bytesIn({ headsLength, bodiesLength }: PendingChunk): number {
  return headsLength + bodiesLength;
}

/** Answers how many bytes it added. */
export function addCall(chunk: PendingChunk, id: Id, { head, body }: EncodedCall): number {
  const before = bytesIn(chunk);
  chunk.heads = withRoom(chunk.heads, chunk.headsLength, head.length);
  chunk.headsLength += chunk.heads.write(head, chunk.headsLength);
  chunk.bodies = withRoom(chunk.bodies, chunk.bodiesLength, body.length);
  chunk.bodiesLength += chunk.bodies.write(body, chunk.bodiesLength);
  chunk.callCount += 1;
  if (id < chunk.oldestId) chunk.oldestId = id;
  if (id > chunk.newestId) chunk.newestId = id;
  return bytesIn(chunk) - before;
}

function withRoom(buffer: Buffer, used: number, characters: number): Buffer {
  const wanted = used + characters * BYTES_OF_CHARACTER_MAX;
  if (wanted <= buffer.length) return buffer;
  const larger = Buffer.allocUnsafe(Math.max(buffer.length * 2, wanted));
  buffer.copy(larger, 0, 0, used);
  return larger;
}

/** What is stored of its heads and of its bodies. */
export function bytesOfChunk({ heads, headsLength, bodies, bodiesLength }: PendingChunk) {
  return { heads: heads.subarray(0, headsLength), bodies: bodies.subarray(0, bodiesLength) };
}
