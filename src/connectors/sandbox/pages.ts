import { Agent, request } from "undici";
import type { ChannelOptions } from "./channel.ts";

/** A page of the sandbox's issuer or bank, as a browser is to get it. */
type SandboxPage = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
};

type SandboxPageRequest = {
  readonly method: "GET" | "POST";
  readonly path: string;
  /** What the browser posted. */
  readonly form: Buffer | undefined;
  /** The code of the language that the reader wants. */
  readonly language: string;
};

export type SandboxPages = {
  /** Undefined when the sandbox does not answer. */
  readonly fetchPage: (wanted: SandboxPageRequest) => Promise<SandboxPage | undefined>;
  readonly close: () => Promise<void>;
};

const PAGE_BYTES_MAX = 256 * 1024;
const CONNECTIONS_MAX = 16;
const FORM_TYPE = "application/x-www-form-urlencoded";

/** What makes these pages safe to show, and where they lead. Nothing else of the answer reaches the browser. */
const HEADERS_PASSED = [
  "content-type",
  "cache-control",
  "content-security-policy",
  "referrer-policy",
  "x-content-type-options",
  "location",
] as const;

/**
 * Fetches pages for browsers, which cannot reach the port that the sandbox listens on. The form and the language are all that is
 * passed on: no header of the browser's, and so no cookie. A redirect is for the browser to follow.
 */
export function openSandboxPages({ baseUrl, timeoutMs }: Pick<ChannelOptions, "baseUrl" | "timeoutMs">): SandboxPages {
  const agent = new Agent({
    connections: CONNECTIONS_MAX,
    connect: { timeout: timeoutMs },
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    maxResponseSize: PAGE_BYTES_MAX,
  });
  return {
    fetchPage: async ({ method, path, form, language }) => {
      const base = typeof baseUrl === "string" ? baseUrl : await baseUrl().catch(() => undefined);
      if (base === undefined) return undefined;
      try {
        const answer = await request(base + path, {
          method,
          dispatcher: agent,
          headers: {
            "accept-language": language,
            ...(method === "POST" ? { "content-type": FORM_TYPE } : {}),
          },
          body: method === "POST" ? (form ?? "") : null,
          signal: AbortSignal.timeout(timeoutMs),
        });
        const headers = HEADERS_PASSED.flatMap((name) => {
          const value = answer.headers[name];
          return typeof value === "string" ? [[name, value] as const] : [];
        });
        const body = Buffer.from(await answer.body.arrayBuffer());
        return { status: answer.statusCode, headers: Object.fromEntries(headers), body };
      } catch {
        return undefined;
      }
    },
    close: () => agent.destroy(),
  };
}
