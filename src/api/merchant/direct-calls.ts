import type { IncomingMessage, ServerResponse } from "node:http";
import { fault } from "../../core/errors.ts";
import { newId } from "../../platform/new-id.ts";
import type { BrokenRequests } from "../broken-requests.ts";
import { openClientAddress } from "../client-address.ts";
import type { NoteAnswer } from "../note-answer.ts";
import { JSON_TYPE } from "../respond.ts";
import { TRANSPORT_SECURITY_HEADER } from "../transport-security.ts";
import { answerCall, type CallAnswer, faultAnswer, isJsonType, type OpenCall } from "./answer-call.ts";
import type { MerchantDeps } from "./call.ts";
import { noteCall } from "./note-call.ts";

/**
 * The ordinary request of a merchant, answered without the framework, which costs a third of what Node's own HTTP does. What
 * is in any way unusual (another method, path, type or length of the body) is not taken here, and goes through the framework,
 * which answers it as it always did.
 */
export type DirectCalls = { readonly take: (request: IncomingMessage, response: ServerResponse) => boolean };

export type DirectDeps = MerchantDeps & {
  readonly trustedProxies: readonly string[];
  readonly isDraining: () => boolean;
};

type Doors = {
  readonly broken: BrokenRequests;
  readonly noteAnswer: NoteAnswer;
  readonly transportSecurity: string | undefined;
  readonly bodyBytesMax: number;
};

export function openDirectCalls(deps: DirectDeps, calls: readonly OpenCall[], doors: Doors): DirectCalls {
  const byPath = new Map(calls.map((open) => [open.call.path, open]));
  const addressOf = openClientAddress(deps.trustedProxies);
  return {
    take: (request, response) => {
      const open = byPath.get(request.url ?? "");
      if (open === undefined || !isOrdinary(request, doors.bodyBytesMax)) return false;
      const exchange = { request, response, id: newId(), startedMs: performance.now(), address: addressOf(request) };
      doors.broken.began(exchange);
      readBody(request, (rawBody) => void answer(deps, doors, open, exchange, rawBody));
      return true;
    },
  };
}

const LENGTH = /^[0-9]{1,6}$/;

function isOrdinary({ method, headers }: IncomingMessage, bodyBytesMax: number): boolean {
  const length = headers["content-length"];
  return (
    method === "POST" &&
    length !== undefined &&
    LENGTH.test(length) &&
    Number(length) <= bodyBytesMax &&
    headers["transfer-encoding"] === undefined &&
    headers.expect === undefined &&
    isJsonType(headers["content-type"])
  );
}

/** Node's parser hands over as many bytes as were announced, or an error. Undefined: the client cut its own upload off. */
function readBody(request: IncomingMessage, done: (rawBody: Buffer | undefined) => void): void {
  const chunks: Buffer[] = [];
  let isRead = false;
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    isRead = true;
    done(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks));
  });
  // A client that hangs up later than that is still answered, and does not read it.
  request.on("error", () => {
    if (!isRead) done(undefined);
    isRead = true;
  });
}

type Exchange = {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly id: string;
  readonly startedMs: number;
  readonly address: string;
};

async function answer(
  deps: DirectDeps,
  doors: Doors,
  open: OpenCall,
  exchange: Exchange,
  rawBody: Buffer | undefined,
): Promise<void> {
  const { path } = open.call;
  if (rawBody === undefined) {
    return send(
      deps,
      doors,
      path,
      exchange,
      faultAnswer(fault("malformed_json", "the body ended before it was whole")),
    );
  }
  const { request, id, startedMs, address } = exchange;
  const { rawHeaders } = request;
  const incoming = { method: "POST", path, rawHeaders, rawBody, address, id, startedMs };
  const answered = await answerCall(deps, open, incoming);
  send(deps, doors, path, exchange, answered);
  noteCall(deps, incoming, answered);
}

function send(deps: DirectDeps, doors: Doors, path: string, exchange: Exchange, answered: CallAnswer): void {
  const { request, response, id, startedMs, address } = exchange;
  let isNoted = false;
  const noteOnce = () => {
    if (isNoted) return;
    isNoted = true;
    doors.broken.ended(request.socket);
    const { status, projectId, faultCode } = answered;
    const ms = performance.now() - startedMs;
    doors.noteAnswer({ requestId: id, method: "POST", route: path, status, ms, projectId, code: faultCode, address });
  };
  response.on("finish", noteOnce).on("error", noteOnce);
  response.writeHead(answered.status, headersOf(deps, doors, id, answered));
  response.end(answered.json);
}

/** Node takes a flat list as it is. */
function headersOf(
  { isDraining }: DirectDeps,
  { transportSecurity }: Doors,
  id: string,
  { json, retryAfterS, replayed }: CallAnswer,
): string[] {
  const headers = ["x-request-id", id];
  if (transportSecurity !== undefined) headers.push(TRANSPORT_SECURITY_HEADER, transportSecurity);
  if (isDraining()) headers.push("connection", "close");
  if (retryAfterS !== undefined) headers.push("retry-after", String(retryAfterS));
  if (replayed) headers.push("idempotent-replayed", "true");
  headers.push(
    "content-type",
    JSON_TYPE,
    "cache-control",
    "no-store",
    "content-length",
    String(Buffer.byteLength(json)),
  );
  return headers;
}
