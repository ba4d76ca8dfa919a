import type { Id } from "../../core/ids.ts";
import { BODY_CHARACTERS_MAX } from "../../core/request-log/mask-body.ts";
import { addressText } from "./address-text.ts";
import type { AnsweredCall } from "./answered-call.ts";

/**
 * Calls of one project and kind that wait to be written, as bytes. Objects that live for a second are moved about by the
 * garbage collector until they die; bytes are not. Nothing is masked here: it never leaves the process's memory, and is overwritten
 * once it is packed.
 */
export type PendingChunk = {
  /** A line of JSON for each call, with a comma behind it: `WaitingLine`. */
  lines: Buffer;
  linesLength: number;
  /** The bodies, which the lines know the lengths of: request and answer of each call. */
  bodies: Buffer;
  bodiesLength: number;
  callCount: number;
  oldestId: Id;
  newestId: Id;
};

/** What a line says of a call. */
export type WaitingLine = readonly [
  ...[id: Id, path: string, status: number, code: string | null, ms: number, keyId: Id | null, address: string],
  ...[requestBytes: number, requestKept: number, answerBytes: number, answerKept: number, isReplay: 0 | 1],
];

const FIRST_BYTES = 2_048;
/** A character of a text is at most so many bytes. */
const BYTES_OF_CHARACTER_MAX = 3;
/** Longer bodies are not shown whole. One character more than is shown says that there was more. */
const REQUEST_BYTES_KEPT = 8_192;
const ANSWER_CHARACTERS_KEPT = BODY_CHARACTERS_MAX + 1;

/** Used ones, whose buffers have grown to what a row needs: they need not be made again for each. */
const spare: PendingChunk[] = [];
const SPARE_MAX = 64;
const SPARE_BYTES_MAX = 262_144;

/** Its bytes must not be used any more. */
export function giveBack(chunk: PendingChunk): void {
  chunk.bodies.fill(0, 0, chunk.bodiesLength);
  if (spare.length < SPARE_MAX && chunk.lines.length + chunk.bodies.length <= SPARE_BYTES_MAX) spare.push(chunk);
}

export function newPendingChunk(id: Id): PendingChunk {
  const { lines, bodies } = spare.pop() ?? {
    lines: Buffer.allocUnsafe(FIRST_BYTES),
    bodies: Buffer.allocUnsafe(FIRST_BYTES * 2),
  };
  return { lines, linesLength: 0, bodies, bodiesLength: 0, callCount: 0, oldestId: id, newestId: id };
}

export function bytesIn({ linesLength, bodiesLength }: PendingChunk): number {
  return linesLength + bodiesLength;
}

/** Answers how many bytes it added. */
export function addCall(chunk: PendingChunk, call: AnsweredCall): number {
  const before = bytesIn(chunk);
  const { id, body } = call;
  const requestKept = Math.min(body.length, REQUEST_BYTES_KEPT);
  const isLong = call.answer.length > ANSWER_CHARACTERS_KEPT;
  const answer = isLong ? call.answer.slice(0, ANSWER_CHARACTERS_KEPT) : call.answer;
  const wanted = requestKept + answer.length * BYTES_OF_CHARACTER_MAX;
  chunk.bodies = withRoom(chunk.bodies, chunk.bodiesLength, wanted);
  body.copy(chunk.bodies, chunk.bodiesLength, 0, requestKept);
  const answerKept = chunk.bodies.write(answer, chunk.bodiesLength + requestKept);
  chunk.bodiesLength += requestKept + answerKept;
  const line = lineOf(call, requestKept, isLong ? Buffer.byteLength(call.answer) : answerKept, answerKept);
  chunk.lines = withRoom(chunk.lines, chunk.linesLength, line.length * BYTES_OF_CHARACTER_MAX);
  chunk.linesLength += chunk.lines.write(line, chunk.linesLength);
  chunk.callCount += 1;
  if (id < chunk.oldestId) chunk.oldestId = id;
  if (id > chunk.newestId) chunk.newestId = id;
  return bytesIn(chunk) - before;
}

/** Put together by hand: there is one for every call. Paths, codes and ids need no escaping. */
function lineOf(call: AnsweredCall, requestKept: number, answerBytes: number, answerKept: number): string {
  const { code, keyId } = call;
  return (
    `["${call.id}","${call.path}",${call.status},${code === undefined ? "null" : `"${code}"`},${call.ms},` +
    `${keyId === undefined ? "null" : `"${keyId}"`},${addressText(call.address)},${call.body.length},${requestKept},` +
    `${answerBytes},${answerKept},${call.isReplay ? 1 : 0}],`
  );
}

function withRoom(buffer: Buffer, used: number, more: number): Buffer {
  if (used + more <= buffer.length) return buffer;
  const larger = Buffer.allocUnsafe(Math.max(buffer.length * 2, used + more));
  buffer.copy(larger, 0, 0, used);
  buffer.fill(0, 0, used);
  return larger;
}
