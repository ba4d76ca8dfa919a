import { once } from "node:events";
import { createServer, type IncomingMessage, type OutgoingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { CliFault } from "../kit/command.ts";

/** A callback as it came in, to be judged, and to be passed on as it is. */
export type IncomingCallback = {
  readonly headers: IncomingMessage["headers"];
  /** Names and values by turns, in the sender's order and case. */
  readonly rawHeaders: readonly string[];
  readonly rawBody: Buffer;
  readonly receivedAt: Date;
};

export type CallbackReply = {
  readonly status: number;
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: Buffer;
};

export type Listening = { readonly port: number; readonly close: () => Promise<void> };

const HOST = "127.0.0.1";
const BODY_BYTES_MAX = 1_048_576;
const METHOD_NOT_ALLOWED = 405;
const TOO_LARGE = 413;
const FAILED = 500;

/** Takes POSTs on a port of this machine only. */
export async function openListener(
  port: number,
  answer: (callback: IncomingCallback) => Promise<CallbackReply>,
): Promise<Listening> {
  const server = createServer((request, response) => {
    receive(request)
      .then((received) => (typeof received === "number" ? { status: received } : answer(received)))
      .then(
        (reply) => send(response, reply),
        () => send(response, { status: FAILED }),
      );
  });
  server.listen(port, HOST);
  try {
    await once(server, "listening");
  } catch (error) {
    throw new CliFault(listenFault(error, port));
  }
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}

/** The callback, or the status that refuses it. */
async function receive(request: IncomingMessage): Promise<IncomingCallback | number> {
  const receivedAt = new Date();
  if (request.method !== "POST") return METHOD_NOT_ALLOWED;
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += chunk.length;
    // Read to its end anyway: a sender that is still writing would not see the answer.
    if (bytes <= BODY_BYTES_MAX) chunks.push(chunk);
  }
  if (bytes > BODY_BYTES_MAX) return TOO_LARGE;
  const { headers, rawHeaders } = request;
  return { headers, rawHeaders, rawBody: Buffer.concat(chunks), receivedAt };
}

function send(response: ServerResponse, { status, headers, body }: CallbackReply): void {
  response.writeHead(status, { ...headers, connection: "close" }).end(body);
}

function listenFault(error: unknown, port: number): string {
  const code = error instanceof Error && "code" in error ? error.code : "unknown";
  if (code === "EADDRINUSE") return `Port ${port} is taken by another program. Choose another one with --port.`;
  if (code === "EACCES") return `Port ${port} may not be opened by this user. Choose one above 1023 with --port.`;
  return `Port ${port} cannot be opened: ${code}.`;
}
