import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { type Fault, fault } from "../core/errors.ts";
import type { Log } from "../platform/log.ts";
import { newId } from "../platform/new-id.ts";
import { errorBody, HTTP_STATUS } from "./errors.ts";

/**
 * Requests that end before they are read whole. A client that is still sending when we close would see a reset instead
 * of our answer, so what it sends is thrown away for a short while first; bounded in bytes and in time.
 */
const LINGER_BYTES_MAX = 16 * 1024 * 1024;
const LINGER_MS = 2_000;

/** After an answer that came before the end of the body. */
export function lingerAfterEarlyAnswer(request: IncomingMessage, response: ServerResponse): void {
  response.setHeader("connection", "close");
  const { socket } = request;
  let discarded = 0;
  request.on("data", (chunk: Buffer) => {
    discarded += chunk.length;
    if (discarded > LINGER_BYTES_MAX) socket.destroy();
  });
  request.resume();
  const timer = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once("close", () => clearTimeout(timer));
}

export type BrokenRequests = {
  /** A request has begun on this connection, and its answer is owed. */
  readonly began: (socket: Socket) => void;
  readonly ended: (socket: Socket) => void;
  readonly answer: (error: NodeJS.ErrnoException, socket: Socket) => void;
};

/** For what is not even HTTP: the parser gives up, and Fastify never sees a request. */
export function openBrokenRequests(log: Pick<Log, "info">): BrokenRequests {
  const owed = new WeakMap<Socket, number>();
  return {
    began: (socket) => owed.set(socket, (owed.get(socket) ?? 0) + 1),
    ended: (socket) => owed.set(socket, (owed.get(socket) ?? 1) - 1),
    answer: (error, socket) => {
      log.info({ reason: error.code, address: socket.remoteAddress }, "a broken request");
      // While an earlier request on this connection awaits its answer, ours would be taken for that.
      const mistakable = (owed.get(socket) ?? 0) > 0;
      if (error.code === "ECONNRESET" || !socket.writable || mistakable) socket.destroy();
      else answerOnSocket(error, socket);
    },
  };
}

function answerOnSocket(error: NodeJS.ErrnoException, socket: Socket): void {
  const answer = faultOfParserError(error.code);
  const status = HTTP_STATUS[answer.code];
  const body = errorBody(answer);
  socket.end(
    `HTTP/1.1 ${status} ${REASON[status] ?? "Error"}\r\ncontent-type: application/json; charset=utf-8\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\nx-request-id: ${newId()}\r\nconnection: close\r\n\r\n${body}`,
  );
  const timer = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once("close", () => clearTimeout(timer));
}

const REASON: Readonly<Record<number, string>> = { 400: "Bad Request", 401: "Unauthorized" };

function faultOfParserError(code: string | undefined): Fault {
  // No credentials of ours are that long, so this is a signature or a token that cannot be valid.
  if (code === "HPE_HEADER_OVERFLOW")
    return fault("signature_invalid", "the headers are too long to hold valid credentials");
  return fault("malformed_json", "this is not a valid HTTP request");
}
