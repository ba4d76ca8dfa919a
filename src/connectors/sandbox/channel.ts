import { Agent, request } from "undici";
import type { Secret } from "../../platform/secret.ts";
import { signRequest } from "./sign.ts";

/** One signed exchange with the sandbox. A network error is an answer of its own: it is unknown what was done. */
export type Channel = {
  readonly ask: (method: "GET" | "POST" | "DELETE", path: string, body?: object) => Promise<WireAnswer>;
  readonly close: () => Promise<void>;
};

export type WireAnswer =
  | { readonly kind: "answered"; readonly status: number; readonly body: Buffer }
  | { readonly kind: "lost" };

export type ChannelOptions = {
  /** Asked for each time where it is found out later; undefined: the sandbox is not running. */
  readonly baseUrl: string | (() => Promise<string | undefined>);
  readonly secret: Secret<string>;
  /** For the whole exchange, from connecting to the last byte. */
  readonly timeoutMs: number;
  readonly connectionsMax?: number;
};

const CONNECTIONS_MAX = 32;
const ANSWER_BYTES_MAX = 1024 * 1024;
const LOST: WireAnswer = { kind: "lost" };

export function openChannel(options: ChannelOptions): Channel {
  const { baseUrl, secret, timeoutMs } = options;
  const agent = new Agent({
    connections: options.connectionsMax ?? CONNECTIONS_MAX,
    connect: { timeout: timeoutMs },
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    maxResponseSize: ANSWER_BYTES_MAX,
  });
  return {
    ask: async (method, path, body) => {
      const base = typeof baseUrl === "string" ? baseUrl : await baseUrl().catch(() => undefined);
      if (base === undefined) return LOST;
      const text = body === undefined ? "" : JSON.stringify(body);
      const headers = signRequest(secret, { method, path, body: text }, Date.now());
      try {
        const answer = await request(base + path, {
          method,
          dispatcher: agent,
          headers: text === "" ? headers : { ...headers, "content-type": "application/json" },
          body: text === "" ? null : text,
          signal: AbortSignal.timeout(timeoutMs),
        });
        return {
          kind: "answered",
          status: answer.statusCode,
          body: Buffer.from(await answer.body.arrayBuffer()),
        };
      } catch {
        return LOST;
      }
    },
    close: () => agent.destroy(),
  };
}
