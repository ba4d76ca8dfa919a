import type { Id } from "../ids.ts";

/** What a row of the request log is of. */
export type ChunkKind = "calls" | "errors" | "unsigned";

/** What lists and searches need of a call. Its bodies are kept beside, and read for one call at a time. */
export type LoggedCall = {
  /** What the caller got as `x-request-id`. It begins with the time at which the call began. */
  readonly id: Id;
  readonly path: string;
  readonly status: number;
  readonly code: string | null;
  readonly message: string | null;
  readonly ms: number;
  readonly keyId: Id | null;
  readonly address: string;
  readonly paymentId: string | null;
  readonly requestId: Id | null;
  /** As they came and went, in bytes. */
  readonly requestSize: number;
  readonly answerSize: number;
  /** Of the texts that are kept, in characters. */
  readonly requestLength: number;
  readonly answerLength: number;
  readonly isReplay: boolean;
};

/** The calls of a chunk as one text: lists with a comma behind each, so that no name is repeated ten thousand times. */
export function headsToCalls(text: string): LoggedCall[] {
  return (JSON.parse(`[${text.slice(0, -1)}]`) as HeadRow[]).map((row) => {
    const [id, path, status, code, message, keyId, address, paymentId, requestId, measured] = row;
    const [ms = 0, requestSize = 0, answerSize = 0, requestLength = 0, answerLength = 0, replay] = measured
      .split(" ")
      .map(Number);
    return {
      ...{ id, path, status, code, message, ms, keyId, address, paymentId, requestId },
      ...{ requestSize, answerSize, requestLength, answerLength, isReplay: replay === 1 },
    };
  });
}

type HeadRow = [
  id: Id,
  path: string,
  status: number,
  code: string | null,
  message: string | null,
  keyId: Id | null,
  address: string,
  paymentId: string | null,
  requestId: Id | null,
  /** Time, sizes, lengths, and 1 for a replay. */
  measured: string,
];

const TIME_HEX_LENGTH = 12;

export function timeOfId(id: Id): Date {
  return new Date(Number.parseInt(id.slice(0, TIME_HEX_LENGTH), 16));
}
