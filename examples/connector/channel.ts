import { openExchanges } from "../../src/platform/exchanges/exchanges.ts";
import type { Secret } from "../../src/platform/secret.ts";
import { type Call, signCall } from "./sign.ts";
import { readRefusal } from "./wire.ts";

export type ChannelOptions = {
  readonly baseUrl: string;
  readonly secret: Secret<string>;
  /** For a whole call, from waiting for a connection to the last byte of the answer. */
  readonly timeoutMs: number;
};

/** `lost`: no whole answer came, so it is unknown what Acme Pay did. */
export type Answer = { readonly kind: "answered"; readonly status: number; readonly body: Buffer } | typeof LOST;

export type Channel = {
  readonly ask: (method: Call["method"], path: string, body?: object) => Promise<Answer>;
  readonly close: () => Promise<void>;
};

const LOST = { kind: "lost" } as const;
const CONNECTIONS_MAX = 32;

export function openChannel({ baseUrl: origin, secret, timeoutMs }: ChannelOptions): Channel {
  const { exchange, close } = openExchanges({ timeoutMs, connectionsMax: CONNECTIONS_MAX });
  return {
    ask: async (method, path, content) => {
      const body = content === undefined ? "" : JSON.stringify(content);
      const headers = { ...signCall(secret, { method, path, body }, Date.now()), "content-type": "application/json" };
      const answer = await exchange({ origin, method, path, headers, body: body === "" ? null : body });
      return answer === undefined ? LOST : { kind: "answered", ...answer };
    },
    close,
  };
}

/** What a 200 says, by the reader of its shape. Undefined: it says nothing that we understand. */
export function readAnswer<T>(answer: Answer, read: (body: Buffer) => T | undefined): T | undefined {
  return answer.kind === "answered" && answer.status === 200 ? read(answer.body) : undefined;
}

/** Acme Pay's own word and its status together: a bare 404 may come from anything on the way. */
export function isRefused(answer: Answer, status: number, error: string): boolean {
  return answer.kind === "answered" && answer.status === status && readRefusal(answer.body)?.error === error;
}
