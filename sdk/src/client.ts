import { fetchBalanceInfo } from "./balance.ts";
import { fetchBanks } from "./bank.ts";
import { createCall } from "./call.ts";
import { type CallOptions, requireCallOptions } from "./call-options.ts";
import type { BalanceInfo, Bank } from "./contract-answers.ts";
import { type Credentials, signingKeyOf } from "./credentials.ts";
import { sleepFor } from "./deadline.ts";
import { createEcom, type Ecom } from "./ecom.ts";
import { TillgateError } from "./errors.ts";
import type { Scheme } from "./message.ts";
import { createP2p, type P2p } from "./p2p.ts";
import { createPaymentCalls } from "./payment-calls.ts";
import { createSandbox, type Sandbox } from "./sandbox.ts";
import { createWidget, type Widget } from "./widget.ts";

export type TillgateOptions = {
  /** Where the service is, such as `https://pay.example.com`; a path before `/api` is kept, but not signed. */
  readonly baseUrl: string;
  readonly credentials: Credentials;
  readonly scheme?: Scheme | undefined;
  /** For each attempt, from connecting to the last byte of the answer. */
  readonly timeoutMs?: number | undefined;
  /** Attempts after the first. */
  readonly retriesMax?: number | undefined;
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** Milliseconds since 1970, as `Date.now` gives them. */
  readonly now?: (() => number) | undefined;
  readonly random?: (() => number) | undefined;
  /** Waits between attempts; it should end when the signal aborts. */
  readonly sleep?: ((ms: number, signal?: AbortSignal) => Promise<void>) | undefined;
};

export type Tillgate = {
  readonly p2p: P2p;
  readonly ecom: Ecom;
  readonly widget: Widget;
  readonly balance: { readonly info: (options?: CallOptions) => Promise<BalanceInfo> };
  readonly bank: { readonly all: (options?: CallOptions) => Promise<Bank[]> };
  /** For test projects: plays the payer, the bank and the issuer. */
  readonly sandbox: Sandbox;
};

const TIMEOUT_MS = 10_000;
const RETRIES = 2;

/** The client holds its credentials in closures alone: however it is printed, no secret shows. */
export function createTillgate(options: TillgateOptions): Tillgate {
  const { credentials, scheme = 2, timeoutMs = TIMEOUT_MS, retriesMax = RETRIES } = options;
  const { fetch = globalThis.fetch, now = Date.now, random = Math.random, sleep = sleepFor } = options;
  if (scheme !== 1 && scheme !== 2) throw new TillgateError("scheme must be 1 or 2");
  requireCallOptions({ timeoutMs, retriesMax });
  // A key that cannot be read is told here, not at the first payment.
  signingKeyOf(credentials);
  const baseUrl = readBaseUrl(options.baseUrl);
  const call = createCall({ baseUrl, credentials, scheme, timeoutMs, retriesMax, fetch, now, random, sleep });
  const { projectId } = credentials;
  const payments = createPaymentCalls(call, projectId);
  return Object.freeze({
    p2p: createP2p(payments),
    ecom: createEcom(payments),
    widget: createWidget(payments),
    balance: Object.freeze({ info: (options?: CallOptions) => fetchBalanceInfo(call, projectId, options) }),
    sandbox: createSandbox(call, projectId),
    bank: Object.freeze({ all: (options?: CallOptions) => fetchBanks(call, projectId, options) }),
  });
}

function readBaseUrl(text: string): string {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw new TillgateError("baseUrl is not a URL");
  }
  if (url.protocol !== "https:" && url.protocol !== "http:") throw new TillgateError("baseUrl must be http or https");
  if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "") {
    throw new TillgateError("baseUrl must have no user, query or fragment");
  }
  return url.origin + url.pathname.replace(/\/+$/, "");
}
