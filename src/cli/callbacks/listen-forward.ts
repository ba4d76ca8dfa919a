import { type IncomingMessage, type OutgoingHttpHeaders, request as requestByHttp } from "node:http";
import { request as requestByHttps } from "node:https";
import type { IncomingCallback } from "./listen-server.ts";

/** What the program that a callback was passed on to made of it. */
export type Forwarded =
  | {
      readonly kind: "answered";
      readonly status: number;
      readonly headers: OutgoingHttpHeaders;
      readonly body: Buffer;
      readonly latencyMs: number;
    }
  | { readonly kind: "failed"; readonly reason: string };

/** As long as the service waits for an answer. */
const TIMEOUT_MS = 10_000;
const ANSWER_BYTES_MAX = 1_048_576;
/** They belong to one connection, and each new connection sets its own. */
const OF_THE_CONNECTION: ReadonlySet<string> = new Set([
  "connection",
  "content-length",
  "expect",
  "host",
  "keep-alive",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

/** Passes it on with the same headers and the same bytes. Redirects are not followed: the answer is told as it is. */
export function forwardCallback(url: URL, { rawHeaders, rawBody }: IncomingCallback): Promise<Forwarded> {
  const startedMs = performance.now();
  const send = url.protocol === "https:" ? requestByHttps : requestByHttp;
  const headers = [...withoutConnection(rawHeaders), "host", url.host, "content-length", String(rawBody.length)];
  return new Promise((resolve) => {
    const fail = (error: Error) => resolve({ kind: "failed", reason: reasonOf(error) });
    const sent = send(url, { method: "POST", headers, agent: false, signal: AbortSignal.timeout(TIMEOUT_MS) });
    sent.on("error", fail);
    sent.on("response", (response) => {
      readAnswer(response).then((body) => {
        const latencyMs = Math.round(performance.now() - startedMs);
        const status = response.statusCode ?? 0;
        resolve({ kind: "answered", status, headers: answerHeaders(response), body, latencyMs });
      }, fail);
    });
    sent.end(rawBody);
  });
}

function withoutConnection(rawHeaders: readonly string[]): string[] {
  const pairs = rawHeaders.flatMap((name, index) => (index % 2 === 0 ? [[name, rawHeaders[index + 1] ?? ""]] : []));
  return pairs.filter(([name = ""]) => !OF_THE_CONNECTION.has(name.toLowerCase())).flat();
}

function answerHeaders({ headers }: IncomingMessage): OutgoingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !OF_THE_CONNECTION.has(name)));
}

async function readAnswer(response: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response) {
    bytes += chunk.length;
    if (bytes > ANSWER_BYTES_MAX) throw new Error("the answer is too large");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function reasonOf(error: Error): string {
  if (error.name === "TimeoutError" || error.name === "AbortError") return `no answer within ${TIMEOUT_MS / 1000} s`;
  return "code" in error && typeof error.code === "string" ? error.code : error.message;
}
