import { finished, PassThrough, type Readable, type Writable } from "node:stream";
import type { PageEvents } from "../../app/page/page-events.ts";

/** The open lines to payers' pages, as server-sent events. */
export type PageStreams = {
  /** The line ends with the answer that carries it, however that ends. */
  readonly open: (requestId: string, answer: Writable) => Readable;
  readonly countOf: (requestId: string) => number;
  /** When the process stops: pages connect to another. */
  readonly endAll: () => void;
};

/** Often enough that no proxy closes the connection as idle. */
const HEARTBEAT_MS = 20_000;
const CHANGED = "data: changed\n\n";
const HERE = ": here\n\n";

export function openPageStreams(events: Pick<PageEvents, "subscribe">): PageStreams {
  const open = new Map<PassThrough, string>();
  return {
    open: (requestId, answer) => {
      const stream = new PassThrough();
      const unsubscribe = events.subscribe(requestId, () => stream.write(CHANGED));
      const beat = setInterval(() => stream.write(HERE), HEARTBEAT_MS);
      open.set(stream, requestId);
      stream.once("close", () => {
        clearInterval(beat);
        unsubscribe();
        open.delete(stream);
      });
      finished(answer, () => stream.destroy());
      // Whatever happened between the page and this line is asked for at once.
      stream.write(CHANGED);
      return stream;
    },
    countOf: (requestId) => [...open.values()].filter((each) => each === requestId).length,
    endAll: () => {
      for (const stream of open.keys()) stream.end();
    },
  };
}
