import { createHmac } from "node:crypto";
import type { Mailer } from "../../platform/mail.ts";
import type { Secret } from "../../platform/secret.ts";
import type { AlertChannelName } from "../../store/alerts/alert-channels.ts";
import type { AlertMessage } from "./alert-message.ts";

/** A way by which operators are told. */
export type AlertChannel = {
  readonly name: AlertChannelName;
  /** One try. Undefined: it was taken; else why not, in a few words without addresses and secrets. Never rejects. */
  readonly send: (message: AlertMessage) => Promise<string | undefined>;
};

export type OpenAlertChannels = {
  readonly channels: readonly AlertChannel[];
  readonly close: () => Promise<void>;
};

export function openEmailChannel(mailer: Pick<Mailer, "sendNow">, to: readonly string[]): AlertChannel {
  return { name: "email", send: ({ subject, text }) => mailer.sendNow({ to, subject, text: `${text}\n` }) };
}

type WebhookOptions = {
  readonly url: Secret<string>;
  /** Signs as webhooks of callbacks are signed; undefined: not signed, as for a chat tool whose URL is the secret. */
  readonly secret: Secret<Buffer> | undefined;
  readonly nowMs: () => number;
  readonly timeoutMs?: number;
};

const TIMEOUT_MS = 10_000;

/**
 * The address is the operator's own setting, as the database's is, so that it may be a private one: the guard of addresses that
 * merchants choose is not for it. Redirects are not followed.
 */
export function openWebhookChannel({ url, secret, nowMs, timeoutMs = TIMEOUT_MS }: WebhookOptions): AlertChannel {
  return {
    name: "webhook",
    send: async ({ id, body }) => {
      const text = JSON.stringify(body);
      const timestamp = String(Math.floor(nowMs() / 1_000));
      const signed =
        secret === undefined ? {} : { "webhook-signature": signatureOf(secret, `${id}.${timestamp}.${text}`) };
      const headers = {
        "content-type": "application/json",
        "user-agent": "Tillgate",
        ...{ "webhook-id": id, "webhook-timestamp": timestamp, ...signed },
      };
      try {
        const signal = AbortSignal.timeout(timeoutMs);
        const answer = await fetch(url.reveal(), { method: "POST", headers, body: text, redirect: "manual", signal });
        await answer.body?.cancel();
        return answer.ok ? undefined : `it answered ${answer.status}`;
      } catch (error) {
        return error instanceof Error && error.name === "TimeoutError" ? "it did not answer in time" : "no connection";
      }
    },
  };
}

function signatureOf(secret: Secret<Buffer>, text: string): string {
  return `v1,${createHmac("sha256", secret.reveal()).update(text).digest("base64")}`;
}
