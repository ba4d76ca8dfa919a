import { type Log, reasonOf } from "../../platform/log.ts";
import type { Database } from "../db.ts";

/** Receives notifications on a channel, on its own connection, which is restored when it is lost. */
export type Listening = { readonly close: () => Promise<void> };

const RECONNECT_EVERY_MS = 1_000;

export function listenTo(
  { db, log }: { readonly db: Database; readonly log: Log },
  channel: "tillgate_due" | "tillgate_callbacks" | "tillgate_pages",
  /** With what was said, or an empty text: also when something may have been missed. */
  onNotification: (said: string) => void,
): Listening {
  let client: Awaited<ReturnType<Database["connect"]>> | undefined;
  let closed = false;
  let connecting: Promise<void> | undefined;

  async function connect(): Promise<void> {
    const made = await db.connect();
    made.on("notification", ({ payload }) => onNotification(payload ?? ""));
    made.on("end", () => {
      client = undefined;
    });
    try {
      await made.query(`listen ${channel}`);
    } catch (error) {
      // Tried again every second: each would leave a connection behind.
      await made.end().catch(() => undefined);
      throw error;
    }
    client = made;
    // Check for what was notified while the connection was down.
    onNotification("");
  }

  function ensure(): void {
    if (closed || client !== undefined || connecting !== undefined) return;
    connecting = connect()
      .catch((error) => log.warn({ reason: reasonOf(error) }, "cannot listen"))
      .finally(() => {
        connecting = undefined;
      });
  }

  ensure();
  const timer = setInterval(ensure, RECONNECT_EVERY_MS);
  timer.unref();
  return {
    close: async () => {
      closed = true;
      clearInterval(timer);
      await connecting;
      await client?.end().catch(() => undefined);
    },
  };
}
