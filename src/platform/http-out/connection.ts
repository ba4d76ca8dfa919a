import type { Socket } from "node:net";
import type { SecureContext } from "node:tls";
import { Client, type Dispatcher } from "undici";
import { type Dial, dialAddresses } from "./dial.ts";
import { EgressFault } from "./fault.ts";
import type { EgressLimits } from "./limits.ts";
import type { Target } from "./target.ts";

/** One connection to one origin, over its pinned addresses. It carries one exchange at a time. */
export type Connection = {
  readonly dispatch: (options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler) => void;
  /** From now on the receiver may send `wireBytesMax` bytes; more breaks the connection with `too_large`. */
  readonly beginAnswer: () => void;
  /** Ends the connection at once, whatever it is doing. */
  readonly discard: () => Promise<void>;
};

export type ConnectionOptions = {
  readonly target: Target;
  readonly addresses: readonly string[];
  readonly dial: Dial;
  readonly secureContext: SecureContext;
  readonly pins?: readonly string[] | undefined;
  readonly limits: EgressLimits;
  /** Called whenever the socket is gone, by whichever side. */
  readonly onDisconnect: () => void;
};

/**
 * What undici's Client does here, and what not:
 *
 * - It follows no redirects, inflates nothing, retries nothing and knows no proxy: all of these are other parts of
 *   undici, which are not used. Its own time limits are off, since the total time covers more than they do.
 * - A kept connection that the receiver closed is noticed before the next request is written: the Client lets one turn
 *   of the event loop pass, and dials again (through `connect` below, to the pinned addresses) if the socket is gone.
 *   Nothing was sent then, so nothing is sent twice.
 * - A connection that breaks after the request was written fails the request, even when no byte of an answer came.
 *   It is unknown what the receiver saw, so the request is not sent again; that is for the caller to decide.
 * - After an aborted request the Client would reconnect without need. So a connection whose exchange did not end well
 *   is discarded as a whole.
 */
export function openConnection(settings: ConnectionOptions): Connection {
  const { limits } = settings;
  const discarded = new AbortController();
  let socket: Socket | undefined;
  let wireBytesLast = Number.POSITIVE_INFINITY;

  async function dial(): Promise<Socket> {
    const dialled = await dialAddresses({ ...settings, timeoutMs: limits.connectTimeoutMs, signal: discarded.signal });
    if (!dialled.ok) throw new EgressFault(dialled.error);
    const fresh = dialled.value;
    fresh.on("readable", () => {
      if (fresh.bytesRead > wireBytesLast) fresh.destroy(new EgressFault("too_large"));
    });
    socket = fresh;
    return fresh;
  }

  const client = new Client(settings.target.origin, {
    connect: (_options, done) => {
      dial().then(
        (fresh) => done(null, fresh),
        (error) => done(error, null),
      );
    },
    pipelining: 1,
    keepAliveTimeout: limits.idleTimeoutMs,
    // The receiver may ask for less idle time than ours, never for more.
    keepAliveMaxTimeout: limits.idleTimeoutMs,
    headersTimeout: 0,
    bodyTimeout: 0,
    maxHeaderSize: limits.answerHeaderBytesMax,
  });
  client.on("disconnect", settings.onDisconnect);

  return {
    dispatch: (options, handler) => {
      client.dispatch(options, handler);
    },
    beginAnswer: () => {
      wireBytesLast = (socket?.bytesRead ?? 0) + limits.wireBytesMax;
    },
    discard: () => {
      discarded.abort();
      return client.destroy();
    },
  };
}
