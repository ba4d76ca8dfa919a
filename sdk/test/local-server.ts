import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export type Received = {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly rawBody: Buffer;
};
export type Answer = (response: ServerResponse, received: Received, request: IncomingMessage) => void;

/** A real server on loopback. It gives the answers in their order, and the last of them for ever after. */
export async function startServer(...answers: [Answer, ...Answer[]]) {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { method = "", url = "", headers } = request;
    const entry = { method, path: url, headers, rawBody: Buffer.concat(chunks) };
    received.push(entry);
    const answer = answers[Math.min(received.length, answers.length) - 1] ?? answers[0];
    answer(response, entry, request);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { url: `http://127.0.0.1:${port}`, received, close, [Symbol.asyncDispose]: close };
}

export function json(status: number, body: unknown, headers: Record<string, string> = {}): Answer {
  return (response) => {
    response.writeHead(status, { "content-type": "application/json", "x-request-id": "req-1", ...headers });
    response.end(JSON.stringify(body));
  };
}
