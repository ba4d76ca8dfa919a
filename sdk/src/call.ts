import { apiError, parseAnswer, readText } from "./answer.ts";
import { type CallOptions, requireCallOptions } from "./call-options.ts";
import type { Credentials } from "./credentials.ts";
import { startDeadline } from "./deadline.ts";
import {
  TillgateAbortError,
  TillgateError,
  TillgateNetworkError,
  TillgateResponseError,
  TillgateTimeoutError,
} from "./errors.ts";
import type { Scheme } from "./message.ts";
import { retryDelayMs } from "./retry.ts";
import { signRequest } from "./sign.ts";
import { SDK_VERSION } from "./version.ts";

export type CallSettings = {
  readonly baseUrl: string;
  readonly credentials: Credentials;
  readonly scheme: Scheme;
  readonly timeoutMs: number;
  readonly retriesMax: number;
  readonly fetch: typeof globalThis.fetch;
  readonly now: () => number;
  readonly random: () => number;
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
};

/**
 * `safeToRepeat` holds for a call that reads, and for one that carries a `payment_id`: the service then knows the
 * repetition by its id and its body. Every attempt therefore sends the same bytes; only timestamp and signature are new.
 * Other calls are repeated only after an answer that says that they were not looked at.
 */
export type Call = (
  path: string,
  body: object,
  kind: { readonly safeToRepeat: boolean },
  options?: CallOptions,
) => Promise<CallAnswer>;

/** `replayed` is what the header `idempotent-replayed` says: an earlier call with the same id and body did the work. */
type CallAnswer = { readonly body: unknown; readonly replayed: boolean };

export function createCall(settings: CallSettings): Call {
  return async (path, body, { safeToRepeat }, options = {}) => {
    requireCallOptions(options);
    const { signal, timeoutMs = settings.timeoutMs, retriesMax = settings.retriesMax } = options;
    const rawBody = JSON.stringify(body);
    let outcomeUnknown = false;
    for (let attemptsMade = 1; ; attemptsMade += 1) {
      if (signal?.aborted === true) throw new TillgateAbortError({ cause: signal.reason, outcomeUnknown });
      try {
        return await attempt(settings, { path, rawBody, timeoutMs, signal }, { outcomeUnknown });
      } catch (error) {
        if (!(error instanceof TillgateError) || attemptsMade > retriesMax) throw error;
        const delayMs = retryDelayMs(error, { safeToRepeat, attemptsMade, random: settings.random });
        if (delayMs === undefined) throw error;
        // A later refusal says nothing of this attempt, so what is unknown stays so until an attempt succeeds.
        outcomeUnknown = error.outcomeUnknown;
        await settings.sleep(delayMs, signal);
      }
    }
  };
}

type Sending = {
  readonly path: string;
  readonly rawBody: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
};

async function attempt(
  settings: CallSettings,
  { path, rawBody, timeoutMs, signal }: Sending,
  earlier: { outcomeUnknown: boolean },
): Promise<CallAnswer> {
  const { credentials, scheme } = settings;
  const timestamp = Math.floor(settings.now() / 1_000);
  const signed = signRequest({ credentials, path, rawBody, timestamp, scheme });
  const headers = { ...signed, accept: "application/json", "user-agent": `tillgate-sdk/${SDK_VERSION}` };
  // One deadline over headers and body: a service that answers and then stalls is as silent as one that never does.
  const deadline = startDeadline(timeoutMs, signal);
  let response: Response;
  let text: string;
  try {
    const url = settings.baseUrl + path;
    const request = { method: "POST", headers, body: rawBody, redirect: "error", signal: deadline.signal } as const;
    response = await settings.fetch(url, request);
    text = await readText(response);
  } catch (error) {
    if (error instanceof TillgateError) throw error;
    if (signal?.aborted === true) throw new TillgateAbortError({ cause: signal.reason, outcomeUnknown: true });
    if (deadline.signal.aborted) {
      throw new TillgateTimeoutError(`no whole answer within ${timeoutMs} ms`, { cause: error });
    }
    throw unansweredError(error);
  } finally {
    deadline.end();
  }
  if (!response.ok) throw apiError(response, text, earlier);
  return { body: parseAnswer(text), replayed: response.headers.get("idempotent-replayed") === "true" };
}

/** Undici's words for a redirect under `redirect: "error"`. Unrecognised, it would only be retried like a lost line. */
const REDIRECT_REFUSED = "unexpected redirect";

function unansweredError(error: unknown): TillgateError {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const reason = cause instanceof Error ? cause.message : String(cause);
  if (reason === REDIRECT_REFUSED) {
    return new TillgateResponseError("the answer is a redirect, which is not followed: baseUrl is wrong", {
      cause: error,
    });
  }
  return new TillgateNetworkError(`no answer: ${reason}`, { cause: error });
}
