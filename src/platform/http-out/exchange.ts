import type { IncomingHttpHeaders } from "node:http";
import { type Answered, type Failed, type FailedReason, failed } from "./answer.ts";
import type { Connection } from "./connection.ts";
import { reasonOf } from "./fault.ts";
import type { EgressLimits } from "./limits.ts";
import type { Stop } from "./stop.ts";

export type ExchangeRequest = {
  readonly method: "POST";
  readonly path: string;
  readonly headers: string[];
  readonly body: Buffer | string;
  readonly showsHeaders?: boolean | undefined;
};

export type Exchanged = {
  readonly outcome: Answered | Failed;
  /** Only a connection whose answer was read to its end may carry another request. */
  readonly use: "reuse" | "discard";
};

const RETRY_AFTER_CHARACTERS_MAX = 64;

/** One request and its answer on one connection. The stop ends it at the latest, with a reason of its own. */
export function exchange(
  connection: Connection,
  request: ExchangeRequest,
  limits: Pick<EgressLimits, "answerBytesMax" | "keepBytes">,
  stop: Stop,
): Promise<Exchanged> {
  return new Promise((resolve) => {
    const body = openBody(limits);
    let head: Pick<Answered, "status" | "headers" | "shownHeaders"> | undefined;

    function settle(outcome: Answered | Failed, use: "reuse" | "discard"): void {
      stop.listener = undefined;
      resolve({ outcome, use });
    }
    const onStop = () => settle(failed(stop.reason as FailedReason), "discard");
    if (stop.reason !== undefined) return onStop();
    stop.listener = onStop;

    connection.dispatch(request, {
      onRequestStart: () => connection.beginAnswer(),
      onResponseStart: (_controller, status, headers) => {
        // Answers of 1xx only precede the real one.
        if (status < 200) return;
        const shown = request.showsHeaders === true ? { shownHeaders: showHeaders(headers) } : {};
        head = { status, headers: keepHeaders(headers), ...shown };
      },
      onResponseData: (_controller, chunk) => {
        body.add(chunk);
        if (head !== undefined && body.isTooLong()) settle({ kind: "answered", ...head, ...body.kept() }, "discard");
      },
      onResponseEnd: () => {
        if (head !== undefined) settle({ kind: "answered", ...head, ...body.kept() }, "reuse");
      },
      onResponseError: (_controller, error) => {
        const reason = reasonOf(error);
        // The status counts once it is known; it is our choice to read no further.
        if (reason === "too_large" && head !== undefined) {
          settle({ kind: "answered", ...head, ...body.kept(), truncated: true }, "discard");
        } else {
          settle(failed(reason), "discard");
        }
      },
    });
  });
}

function keepHeaders(headers: IncomingHttpHeaders): Answered["headers"] {
  const value = headers["retry-after"];
  const isShort = typeof value === "string" && value.length <= RETRY_AFTER_CHARACTERS_MAX;
  return isShort ? { "retry-after": value } : {};
}

const SHOWN_HEADERS_MAX = 40;
const SHOWN_CHARACTERS_MAX = 512;

/** A cookie may be what a session of the receiver rests on: its name and value are of no use to a reader. */
function showHeaders(headers: IncomingHttpHeaders): readonly (readonly [string, string])[] {
  return Object.entries(headers)
    .filter(([name]) => name !== "set-cookie")
    .slice(0, SHOWN_HEADERS_MAX)
    .map(([name, value]) => [name, String(value).slice(0, SHOWN_CHARACTERS_MAX)] as const);
}

const NOTHING = Buffer.alloc(0);

function openBody({ answerBytesMax, keepBytes }: Pick<EgressLimits, "answerBytesMax" | "keepBytes">) {
  const chunks: Buffer[] = [];
  let keptBytes = 0;
  let bytes = 0;
  return {
    add: (chunk: Buffer) => {
      bytes += chunk.length;
      const part = chunk.subarray(0, keepBytes - keptBytes);
      if (part.length === 0) return;
      // A copy, because the part would keep all of the chunk in memory.
      chunks.push(Buffer.from(part));
      keptBytes += part.length;
    },
    isTooLong: () => bytes > answerBytesMax,
    kept: () => ({ bodyStart: chunks.length === 0 ? NOTHING : Buffer.concat(chunks), truncated: bytes > keptBytes }),
  };
}
