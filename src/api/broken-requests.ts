import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { type Fault, fault } from "../core/errors.ts";
import type { Log } from "../platform/log.ts";
import { newId } from "../platform/new-id.ts";
import { errorBody, HTTP_STATUS } from "./errors.ts";
import { TRANSPORT_SECURITY_HEADER } from "./transport-security.ts";

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

type BegunExchange = {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly id: string;
};

export type BrokenRequests = {
  /** A request has begun on this connection, and its answer is owed. */
  readonly began: (exchange: BegunExchange) => void;
  readonly ended: (socket: Socket) => void;
  readonly answer: (error: NodeJS.ErrnoException, socket: Socket) => void;
};

/** A connection: how many answers are owed on it, to which request the last of them, and what broke it. */
type Connection = { owed: number; latest: BegunExchange; brokenBy?: NodeJS.ErrnoException };

/**
 * For what is not HTTP: the parser gives up, and Fastify never sees a request, or never sees the end of one. Requests
 * that were whole before it are answered first, since answers on a connection are told apart by their order alone.
 */
export function openBrokenRequests(
  log: Pick<Log, "info" | "debug">,
  transportSecurity: string | undefined,
): BrokenRequests {
  const connections = new WeakMap<Socket, Connection>();
  const answerIfItsTurn = (socket: Socket, connection: Connection | undefined, error: NodeJS.ErrnoException) => {
    const own = connection === undefined ? undefined : findUnfinished(connection);
    const ahead = (connection?.owed ?? 0) - (own === undefined ? 0 : 1);
    if (ahead === 0) answerOnSocket(socket, { error, requestId: own?.id ?? newId(), transportSecurity });
  };
  return {
    began: (exchange) => {
      const { socket } = exchange.request;
      const connection = connections.get(socket);
      if (connection === undefined) connections.set(socket, { owed: 1, latest: exchange });
      else {
        connection.owed += 1;
        connection.latest = exchange;
      }
    },
    ended: (socket) => {
      const connection = connections.get(socket);
      if (connection === undefined) return;
      connection.owed -= 1;
      if (connection.brokenBy !== undefined) answerIfItsTurn(socket, connection, connection.brokenBy);
    },
    /**
     * Browsers and load balancers open connections ahead of their requests. One on which nothing has arrived is closed in silence:
     * an answer would be taken for that of a request that was on its way, and a silent end makes the client ask again.
     */
    answer: (error, socket) => {
      const connection = connections.get(socket);
      // What follows the first broken byte is broken too, and has its answer coming.
      if (connection?.brokenBy !== undefined) return;
      const hungUp = error.code === "ECONNRESET" || !socket.writable || socket.bytesRead === 0;
      log[hungUp ? "debug" : "info"]({ reason: error.code, address: socket.remoteAddress }, "a broken request");
      if (hungUp) {
        socket.destroy();
        return;
      }
      if (connection !== undefined) connection.brokenBy = error;
      answerIfItsTurn(socket, connection, error);
    },
  };
}

/** The request that the parser gave up in the middle of, if its own answer has not begun. */
function findUnfinished({ owed, latest }: Connection): BegunExchange | undefined {
  return owed > 0 && !latest.request.complete && !latest.response.headersSent ? latest : undefined;
}

type RawAnswer = {
  readonly error: NodeJS.ErrnoException;
  readonly requestId: string;
  readonly transportSecurity: string | undefined;
};

function answerOnSocket(socket: Socket, { error, requestId, transportSecurity }: RawAnswer): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const answer = faultOfParserError(error.code);
  const status = HTTP_STATUS[answer.code];
  const body = errorBody(answer);
  const security = transportSecurity === undefined ? "" : `${TRANSPORT_SECURITY_HEADER}: ${transportSecurity}\r\n`;
  socket.end(
    `HTTP/1.1 ${status} ${REASON[status] ?? "Error"}\r\ncontent-type: application/json; charset=utf-8\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\nx-request-id: ${requestId}\r\n${security}` +
      `connection: close\r\n\r\n${body}`,
  );
  const timer = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once("close", () => clearTimeout(timer));
}

const REASON: Readonly<Record<number, string>> = { 400: "Bad Request", 401: "Unauthorized" };

function faultOfParserError(code: string | undefined): Fault {
  switch (code) {
    // No credentials of ours are that long, so this is a signature or a token that cannot be valid.
    case "HPE_HEADER_OVERFLOW":
      return fault("signature_invalid", "the headers are too long to hold valid credentials");
    case "ERR_HTTP_REQUEST_TIMEOUT":
      return fault("malformed_json", "the request did not arrive in time");
    default:
      return fault("malformed_json", "this is not a valid HTTP request");
  }
}
