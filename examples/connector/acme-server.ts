import { createHmac, randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type AcmeBooks, type BookAnswer, openAcmeBooks } from "./acme-books.ts";

/** Acme Pay itself, as small as a test needs it: real HTTP on 127.0.0.1, books in memory, and answers that get lost. */
export type AcmeServer = {
  readonly url: () => string;
  readonly books: AcmeBooks;
  /** The next answer about this reference is lost in this way. `before`: so is the request, and nothing is done. */
  readonly loseNext: (reference: string, way: LostWay) => void;
  /** What it notified of, as the notified server received it. */
  readonly events: readonly AcmeEvent[];
  readonly start: () => Promise<void>;
  readonly close: () => Promise<void>;
};

type LostWay = "timeout" | "error500" | "garbage" | "reset" | "before";
type AcmeEvent = { readonly headers: Record<string, string>; readonly rawBody: Buffer };

export function openAcmeServer(secret: string): AcmeServer {
  const losses = new Map<string, LostWay>();
  const events: AcmeEvent[] = [];
  const books = openAcmeBooks((object, reference) => events.push(sign(secret, JSON.stringify({ object, reference }))));

  const server = createServer(async (request, response) => {
    const body = await readBody(request);
    if (!isSigned(secret, request, body)) return answer(response, { status: 401, content: { error: "signature" } });
    const call = { method: request.method ?? "", path: request.url ?? "", body };
    const reference = referenceOf(call);
    const loss = losses.get(reference);
    losses.delete(reference);
    if (loss === "before") return request.socket.destroy();
    const given = books.answer(call);
    return loss === undefined ? answer(response, given) : lose(loss, request, response);
  });

  return {
    url: () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    books,
    loseNext: (reference, way) => void losses.set(reference, way),
    events,
    start: async () => {
      server.listen(0, "127.0.0.1");
      await once(server, "listening");
    },
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}

/** The work is done by now. */
function lose(way: Exclude<LostWay, "before">, request: IncomingMessage, response: ServerResponse): void {
  // The caller gives up first, and ends the connection.
  if (way === "timeout") return;
  if (way === "reset") return void request.socket.destroy();
  if (way === "garbage") return void response.end("<html>Bad gateway</html>");
  answer(response, { status: 500, content: { error: "internal" } });
}

function answer(response: ServerResponse, { status, content }: BookAnswer): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(content));
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}

function referenceOf({ path, body }: { readonly path: string; readonly body: string }): string {
  return path.split("/")[2] ?? (JSON.parse(body) as { reference: string }).reference;
}

/** Written by Acme Pay's documentation, not with the connector's own function: both could be wrong alike. */
function isSigned(secret: string, request: IncomingMessage, body: string): boolean {
  const time = request.headers["acme-time"];
  const text = `call ${time} ${request.method} ${request.url}\n${body}`;
  return request.headers["acme-signature"] === createHmac("sha256", secret).update(text).digest("hex");
}

function sign(secret: string, body: string): AcmeEvent {
  const time = String(Math.floor(Date.now() / 1000));
  const signature = createHmac("sha256", secret).update(`event ${time}\n${body}`).digest("hex");
  const headers = { "acme-time": time, "acme-signature": signature, "x-request": String(randomInt(1_000_000)) };
  return { headers, rawBody: Buffer.from(body) };
}
