import { STATUS_CODES } from "node:http";
import { CliFault, EXIT } from "../kit/command.ts";
import type { CallRequest } from "./call-request.ts";

export type CallAnswer = {
  readonly status: number;
  readonly statusText: string;
  readonly requestId: string | undefined;
  readonly location: string | undefined;
  /** The service's clock, as the header says it. */
  readonly date: string | undefined;
  /** The service did this before, for the same payment_id and JSON. */
  readonly replayed: boolean;
  readonly text: string;
};

const TIMEOUT_MS = 30_000;

/** Sends once, follows no redirect, and turns silence into a sentence. `startCommand` is how a person starts the service. */
export async function sendCall(request: CallRequest, baseUrl: string, startCommand: string): Promise<CallAnswer> {
  // Loaded here, because it takes a sixth of a second that no other command needs; and not fetch, which has a list of
  // ports that it refuses to call, 10080 among them.
  const { request: send } = await import("undici");
  const { url, headers, rawBody } = request;
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const response = await send(url, { method: "POST", headers, body: rawBody, signal });
    return {
      status: response.statusCode,
      statusText: STATUS_CODES[response.statusCode] ?? "",
      requestId: oneOf(response.headers["x-request-id"]),
      location: oneOf(response.headers.location),
      date: oneOf(response.headers.date),
      replayed: oneOf(response.headers["idempotent-replayed"]) === "true",
      text: await response.body.text(),
    };
  } catch (error) {
    throw new CliFault(explainSilence(error, baseUrl, startCommand), EXIT.unavailable);
  }
}

function oneOf(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header;
}

const NAME_UNKNOWN = ["ENOTFOUND", "EAI_AGAIN"];
/** The connection was there and broke: the service may have read the call. */
const BROKEN_OFF = ["ECONNRESET", "EPIPE", "UND_ERR_SOCKET"];
const OUTCOME_UNKNOWN = "The result of the call is unknown: repeat it with the same JSON and payment_id.";

export function explainSilence(error: unknown, baseUrl: string, startCommand: string): string {
  if (!(error instanceof Error)) throw error;
  if (error.name === "TimeoutError") {
    return `${baseUrl} did not answer within ${TIMEOUT_MS / 1000} seconds. ${OUTCOME_UNKNOWN}`;
  }
  const code = "code" in error && typeof error.code === "string" ? error.code : error.message;
  if (code === "ECONNREFUSED") {
    return `Nothing answers at ${baseUrl}. Is the service running? Start it with: ${startCommand}`;
  }
  if (NAME_UNKNOWN.includes(code)) return `The name in ${baseUrl} cannot be found.`;
  if (BROKEN_OFF.includes(code)) return `${baseUrl} broke the connection off (${code}). ${OUTCOME_UNKNOWN}`;
  return `${baseUrl} cannot be reached: ${code}.`;
}
