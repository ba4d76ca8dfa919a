import { EventEmitter } from "node:events";
import type pg from "pg";

/**
 * What a pool of `pg` takes for a client, while which server it leads to is found out. The pool makes its clients before they
 * are connected, and a client of `pg` knows one server only: so this one stands before it, and hands everything on.
 */
export function poolClientOf(connect: () => Promise<pg.Client>): new () => pg.ClientBase {
  // The pool calls it with `new`, and gets what it returns.
  return function makeClient() {
    return openPoolClient(connect);
  } as unknown as new () => pg.ClientBase;
}

type Done = (error?: Error | null) => void;
/** What the pool itself reads of a client of `pg`. */
type Inner = pg.Client & { readonly _queryable: boolean; readonly _ending: boolean };

const EVENTS = ["error", "end", "notice", "notification", "drain"] as const;

function openPoolClient(connect: () => Promise<pg.Client>): unknown {
  const outer = new EventEmitter();
  let inner: Inner | undefined;
  let isGivenUp = false;
  let report: Done = () => undefined;

  async function start(): Promise<void> {
    const made = (await connect()) as Inner;
    if (isGivenUp) {
      await made.end().catch(() => undefined);
      return;
    }
    inner = made;
    for (const event of EVENTS) made.on(event as "error", (said) => outer.emit(event, said));
    report();
  }

  const handsOn = {
    connect: (done: Done) => {
      report = (error) => {
        report = () => undefined;
        done(error);
      };
      start().catch((error) => report(error));
    },
    isConnected: () => inner !== undefined,
    query: (...words: Parameters<pg.Client["query"]>) => (inner as Inner).query(...words),
    end: (done: Done = () => undefined) => {
      isGivenUp = true;
      report(new Error("Connection terminated"));
      if (inner === undefined) done();
      else inner.end(() => done());
    },
  };
  Object.defineProperties(outer, {
    _queryable: { get: () => inner?._queryable ?? false },
    _ending: { get: () => isGivenUp || (inner?._ending ?? false) },
  });
  return Object.assign(outer, handsOn);
}
