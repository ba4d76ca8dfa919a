import type pg from "pg";
import { type Log, reasonOf } from "../../platform/log.ts";
import { cutOff } from "../../platform/postgres/servers.ts";
import type { Database } from "../db.ts";

/** Receives notifications on a channel, on its own connection, which is restored when it is lost. */
export type Listening = { readonly close: () => Promise<void> };

type Pace = {
  readonly reconnectEveryMs: number;
  /** A server that is frozen ends no connection, while its successor notifies others: so it is asked whether it is there. */
  readonly askEveryMs: number;
  readonly answerWithinMs: number;
};

const PACE: Pace = { reconnectEveryMs: 1_000, askEveryMs: 5_000, answerWithinMs: 5_000 };

export function listenTo(
  { db, log }: { readonly db: Database; readonly log: Pick<Log, "warn"> },
  channel: "tillgate_due" | "tillgate_callbacks" | "tillgate_pages",
  /** With what was said, or an empty text: also when something may have been missed. */
  onNotification: (said: string) => void,
  pace: Pace = PACE,
): Listening {
  let client: pg.Client | undefined;
  let closed = false;
  let connecting: Promise<void> | undefined;
  let isAsking = false;
  /** One line for each outage, however many attempts it takes. */
  let isReported = false;

  async function connect(): Promise<void> {
    const made = await db.connect();
    made.on("notification", ({ payload }) => onNotification(payload ?? ""));
    made.on("end", () => {
      if (client === made) client = undefined;
    });
    try {
      await ask(made, `listen ${channel}`);
    } catch (error) {
      // Tried again every second: each would leave a connection behind.
      cutOff(made);
      throw error;
    }
    client = made;
    isReported = false;
    // Check for what was notified while the connection was down.
    onNotification("");
  }

  function ask(whom: pg.Client, text: string): Promise<unknown> {
    return whom.query({ text, query_timeout: pace.answerWithinMs } as pg.QueryConfig);
  }

  function ensure(): void {
    if (closed || client !== undefined || connecting !== undefined) return;
    connecting = connect()
      .catch((error) => {
        if (!isReported) log.warn({ reason: reasonOf(error) }, "cannot listen");
        isReported = true;
      })
      .finally(() => {
        connecting = undefined;
      });
  }

  function askWhetherItIsThere(): void {
    const asked = client;
    if (asked === undefined || isAsking) return;
    isAsking = true;
    ask(asked, "select 1")
      .catch(() => cutOff(asked))
      .finally(() => {
        isAsking = false;
      });
  }

  ensure();
  const timers = [setInterval(ensure, pace.reconnectEveryMs), setInterval(askWhetherItIsThere, pace.askEveryMs)];
  for (const timer of timers) timer.unref();
  return {
    close: async () => {
      closed = true;
      for (const timer of timers) clearInterval(timer);
      await connecting;
      await client?.end().catch(() => undefined);
    },
  };
}
