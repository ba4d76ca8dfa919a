import type { TillgateCallback } from "../contract-answers.ts";
import { TillgateError, TillgateSignatureError } from "../errors.ts";
import type { Freshness } from "../freshness.ts";
import type { IncomingHeaders } from "../header.ts";
import type { RawBody } from "../raw-body.ts";
import { readCallbackKeys, verifyCallback } from "../verify-callback.ts";
import { readWebhookSecrets, verifyStandardWebhook } from "../verify-standard-webhook.ts";

type OneOrMore = string | readonly string[];

/** What callbacks are verified with, one of three. Each takes a list while the key changes. */
export type CallbackKeys =
  | {
      /** The project's `whsec_…` secret. It covers the very bytes of the body: prefer it. */
      readonly webhookSecret: OneOrMore;
      readonly publicKeyPem?: undefined;
      readonly callbackSecret?: undefined;
      readonly projectId?: undefined;
    }
  | {
      /** The service's public key, for callbacks signed under scheme 1. */
      readonly publicKeyPem: OneOrMore;
      /** Your project, or projects: the service signs for all its merchants with this key. */
      readonly projectId: OneOrMore;
      readonly webhookSecret?: undefined;
      readonly callbackSecret?: undefined;
    }
  | {
      /** The project's callback secret, for callbacks signed under scheme 1 with HMAC. */
      readonly callbackSecret: OneOrMore;
      readonly projectId?: OneOrMore | undefined;
      readonly webhookSecret?: undefined;
      readonly publicKeyPem?: undefined;
    };

export type CallbackHandlerOptions = CallbackKeys &
  Freshness & {
    /**
     * Your own work with a genuine callback. When it ends, the service is answered 204; when it throws, 500, and the service
     * sends the callback again later. The same callback can come several times: keep `callback.event.id` (also the header
     * `webhook-id`) in a column that is unique, in the same transaction as what you change. Answer soon, and do long work
     * after it.
     */
    readonly onCallback: (callback: TillgateCallback) => Promise<unknown> | unknown;
    /** Called for each request that was not a genuine callback and was answered 400: a place to log it. */
    readonly onRefused?: ((error: TillgateSignatureError) => void) | undefined;
  };

/** The answer to the service. */
export type Taken = { readonly status: number; readonly text: string };

/** No callback comes near it. What is longer is refused before it is hashed. */
export const CALLBACK_BYTES_MAX = 256 * 1024;
export const TOO_LARGE: Taken = { status: 413, text: `a callback has at most ${CALLBACK_BYTES_MAX} bytes` };

type Received = { readonly headers: IncomingHeaders; readonly rawBody: RawBody };

/** What the handlers of all frameworks do with a request. A key that cannot be read is told here, not at the first callback. */
export function createCallbackTaker(options: CallbackHandlerOptions): (received: Received) => Promise<Taken> {
  const { onCallback, onRefused } = options;
  if (typeof onCallback !== "function") throw new TillgateError("onCallback must be a function");
  const verify = verifierOf(options);
  return async (received) => {
    let callback: TillgateCallback;
    try {
      callback = verify(received);
    } catch (error) {
      if (!(error instanceof TillgateSignatureError)) throw error;
      onRefused?.(error);
      return { status: 400, text: error.reason };
    }
    await onCallback(callback);
    return { status: 204, text: "" };
  };
}

function verifierOf(options: CallbackHandlerOptions): (received: Received) => TillgateCallback {
  const { webhookSecret, publicKeyPem, callbackSecret, projectId, toleranceS, now } = options;
  const given = [webhookSecret, publicKeyPem, callbackSecret].filter((key) => key !== undefined);
  if (given.length !== 1) throw new TillgateError("give one of webhookSecret, publicKeyPem and callbackSecret");
  if (webhookSecret !== undefined) {
    readWebhookSecrets(webhookSecret);
    return (received) => verifyStandardWebhook({ ...received, secret: webhookSecret, toleranceS, now });
  }
  const keys = publicKeyPem !== undefined ? { publicKeyPem, projectId } : { secret: callbackSecret, projectId };
  readCallbackKeys(keys);
  return (received) => verifyCallback({ ...received, ...keys, toleranceS, now });
}
