import { systemClock } from "../../platform/clock.ts";
import type { EgressAnswer, FailedReason, RefusedReason } from "../../platform/http-out/answer.ts";
import { openEgress } from "../../platform/http-out/egress.ts";
import { EGRESS_LIMITS } from "../../platform/http-out/limits.ts";
import { makeSignatureInThread, signedMessage } from "../../platform/signing.ts";
import type { JsonValue } from "../../platform/strict-json.ts";
import { openSigningKey } from "./keys.ts";
import type { UpstreamOptions } from "./options.ts";

/** Signed calls to one gateway, and to no other host. */
export type Channel = {
  readonly ask: (path: string, body: object) => Promise<WireAnswer>;
  /** Waits for the calls that are under way; a call that comes later is not sent. */
  readonly close: () => Promise<void>;
};

/** `lost`: the gateway may have done it. `not_sent`: it certainly never saw this call. */
export type WireAnswer =
  | { readonly kind: "answered"; readonly status: number; readonly body: Buffer }
  | { readonly kind: "lost" }
  | { readonly kind: "not_sent" };

export type ChannelOptions = Pick<
  UpstreamOptions,
  "baseUrl" | "settings" | "callKeys" | "mode" | "clock" | "ca" | "dial" | "resolve"
> & {
  /** Is told why a call has no answer, for a person who tries the gateway out. */
  readonly noteFailure?: (reason: RefusedReason | FailedReason) => void;
};

const LOST: WireAnswer = { kind: "lost" };
const NOT_SENT: WireAnswer = { kind: "not_sent" };

/** A list of several thousand banks. */
const ANSWER_BYTES_MAX = 1024 * 1024;
const FRAMING_BYTES_MAX = 64 * 1024;

export function openChannel(options: ChannelOptions): Channel {
  const { settings, mode, clock = systemClock, ca, dial, resolve } = options;
  const base = options.baseUrl.replace(/\/+$/, "");
  const signing = openSigningKey(options.callKeys, settings.scheme);
  const egress = openEgress({
    mode,
    pins: settings.pins,
    limits: {
      totalTimeoutMs: settings.timeoutMs,
      // One deadline for all of a call: what waits for a connection until then is not sent.
      freeConnectionTimeoutMs: settings.timeoutMs,
      connectTimeoutMs: Math.min(settings.timeoutMs, EGRESS_LIMITS.connectTimeoutMs),
      connectionsPerOriginMax: settings.callsMax,
      answerBytesMax: ANSWER_BYTES_MAX,
      keepBytes: ANSWER_BYTES_MAX,
      wireBytesMax: ANSWER_BYTES_MAX + FRAMING_BYTES_MAX,
    },
    ...(ca === undefined ? {} : { ca }),
    ...(dial === undefined ? {} : { dial }),
    ...(resolve === undefined ? {} : { resolve }),
  });
  const underWay = new Set<Promise<WireAnswer>>();
  let isClosing = false;

  async function call(path: string, body: object): Promise<WireAnswer> {
    if (signing === undefined) return NOT_SENT;
    const text = JSON.stringify(body);
    const timestamp = String(Math.floor(clock.nowMs() / 1000));
    const parts = { method: "POST", path, timestamp, rawBody: Buffer.from(text), body: body as JsonValue };
    const signature = await makeSignatureInThread(
      signing.algorithm,
      signing.key,
      signedMessage(settings.scheme, parts),
    );
    const headers = {
      "content-type": "application/json",
      "x-access-timestamp": timestamp,
      "x-access-merchant-id": settings.merchantId,
      "x-access-token": signing.token,
      "x-access-merchant-algorithm": signing.algorithm,
      "x-access-signature": signature,
    };
    const answer = await egress.send({ method: "POST", url: base + path, headers, body: text });
    if (answer.kind !== "answered") options.noteFailure?.(answer.reason);
    return toWireAnswer(answer);
  }

  return {
    ask: (path, body) => {
      if (isClosing) return Promise.resolve(NOT_SENT);
      // An error may hold what it was about, and a card may be near: what was sent, if anything, is unknown.
      const calling = call(path, body)
        .catch(() => LOST)
        .finally(() => underWay.delete(calling));
      underWay.add(calling);
      return calling;
    },
    close: async () => {
      isClosing = true;
      await Promise.all(underWay);
      await egress.close();
    },
  };
}

/** After these it is certain that nothing was sent. */
const BEFORE_SENDING: ReadonlySet<FailedReason> = new Set(["busy", "connect_timeout", "connect_failed", "tls"]);

function toWireAnswer(answer: EgressAnswer): WireAnswer {
  if (answer.kind === "refused") return NOT_SENT;
  if (answer.kind === "failed") return BEFORE_SENDING.has(answer.reason) ? NOT_SENT : LOST;
  // Half an answer says nothing.
  return answer.truncated ? LOST : { kind: "answered", status: answer.status, body: answer.bodyStart };
}
