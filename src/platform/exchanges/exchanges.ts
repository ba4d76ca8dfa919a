import { Agent, type Dispatcher } from "undici";
import { openDeadlines } from "./deadlines.ts";

/** Short exchanges with a server of our own choosing, over connections that are kept. Merchants' servers: `http-out`. */
export type Exchanges = {
  /** Undefined: no whole answer came in time, and it is unknown what the server did. */
  readonly exchange: (request: ExchangeRequest) => Promise<ExchangeAnswer | undefined>;
  readonly close: () => Promise<void>;
};

export type ExchangeRequest = {
  readonly origin: string;
  readonly method: "GET" | "POST" | "DELETE";
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer | null;
};

type ExchangeAnswer = { readonly status: number; readonly body: Buffer };

export type ExchangesOptions = {
  /** For a whole exchange, from waiting for a connection to the last byte. */
  readonly timeoutMs: number;
  readonly connectionsMax: number;
};

const ANSWER_BYTES_MAX = 1024 * 1024;

export function openExchanges({ timeoutMs, connectionsMax }: ExchangesOptions): Exchanges {
  const agent = new Agent({
    connections: connectionsMax,
    connect: { timeout: timeoutMs },
    // The deadline is for the whole exchange; timers for its parts would only cost.
    headersTimeout: 0,
    bodyTimeout: 0,
    maxResponseSize: ANSWER_BYTES_MAX,
  });
  const deadlines = openDeadlines(timeoutMs);

  return {
    exchange: (request) =>
      new Promise((resolve) => {
        const end = (answer: ExchangeAnswer | undefined): void => {
          callOff();
          resolve(answer);
        };
        const taker = takeAnswer(end);
        const callOff = deadlines.start(() => {
          taker.abort();
          resolve(undefined);
        });
        try {
          agent.dispatch(request, taker.handler);
        } catch {
          end(undefined);
        }
      }),
    close: () => agent.destroy(),
  };
}

type Taker = { readonly handler: Dispatcher.DispatchHandler; readonly abort: () => void };

function takeAnswer(end: (answer: ExchangeAnswer | undefined) => void): Taker {
  const chunks: Buffer[] = [];
  let status = 0;
  let controller: Dispatcher.DispatchController | undefined;
  let isAborted = false;
  return {
    // A request that still waits for a connection must not be sent later: the caller acts on that it was lost.
    abort: () => {
      isAborted = true;
      controller?.abort(new Error("the exchange took too long"));
    },
    handler: {
      onRequestStart: (given) => {
        controller = given;
        if (isAborted) given.abort(new Error("the exchange took too long"));
      },
      onResponseStart: (_controller, statusCode) => {
        status = statusCode;
      },
      onResponseData: (_controller, chunk) => {
        chunks.push(chunk);
      },
      onResponseEnd: () => end({ status, body: chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks) }),
      onResponseError: () => end(undefined),
    },
  };
}
