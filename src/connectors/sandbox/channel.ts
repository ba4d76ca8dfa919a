import { openExchanges } from "../../platform/exchanges/exchanges.ts";
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
const LOST: WireAnswer = { kind: "lost" };

export function openChannel(options: ChannelOptions): Channel {
  const { baseUrl, secret, timeoutMs } = options;
  const { exchange, close } = openExchanges({ timeoutMs, connectionsMax: options.connectionsMax ?? CONNECTIONS_MAX });
  return {
    ask: async (method, path, body) => {
      const origin = typeof baseUrl === "string" ? baseUrl : await baseUrl().catch(() => undefined);
      if (origin === undefined) return LOST;
      const text = body === undefined ? null : JSON.stringify(body);
      const signature = signRequest(secret, { method, path, body: text ?? "" }, Date.now());
      const headers = text === null ? signature : { ...signature, "content-type": "application/json" };
      const answer = await exchange({ origin, method, path, headers, body: text });
      return answer === undefined ? LOST : { kind: "answered", ...answer };
    },
    close,
  };
}
