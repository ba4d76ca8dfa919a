import { Agent, request } from "undici";
import type { Secret } from "../platform/secret.ts";
import type { SandboxDatabase } from "./database.ts";
import { type NotificationFault, takeFault } from "./faults.ts";
import {
  claimNotifications,
  type DueNotification,
  findNextNotificationMs,
  forgetNotification,
  holdBackNotification,
  postponeNotification,
} from "./notifications.ts";
import { signNotification } from "./signature.ts";

/** Tells the other side what changed. Each attempt signs the notification again. */
export type Courier = { readonly deliverDue: () => Promise<number | undefined>; readonly close: () => Promise<void> };

export type CourierDeps = {
  readonly db: SandboxDatabase;
  readonly secret: Secret<string>;
  readonly findUrl: () => string | undefined;
};

const ATTEMPT_TIMEOUT_MS = 5_000;
const CONNECTIONS_MAX = 10;
export const GARBAGE = Buffer.from('{"reference":"\u0000\ufffd<<<<');

export function openCourier(deps: CourierDeps): Courier {
  const agent = new Agent({ connections: CONNECTIONS_MAX });
  const closing = new AbortController();

  async function post(url: string, body: Buffer): Promise<boolean> {
    try {
      const answer = await request(url, {
        method: "POST",
        dispatcher: agent,
        headers: { "content-type": "application/json", ...signNotification(deps.secret, body, Date.now()) },
        body,
        signal: AbortSignal.any([closing.signal, AbortSignal.timeout(ATTEMPT_TIMEOUT_MS)]),
      });
      await answer.body.dump();
      return answer.statusCode >= 200 && answer.statusCode < 300;
    } catch {
      return false;
    }
  }

  async function deliver(url: string, notification: DueNotification): Promise<void> {
    const fault = await findFault(deps.db, notification);
    if (fault === "out_of_order") return holdBackNotification(deps.db, notification.id);
    const body = fault === "garbage" ? GARBAGE : bodyOf(notification);
    const delivered = await post(url, body);
    if (fault === "duplicate") await post(url, body);
    if (delivered) return forgetNotification(deps.db, notification.id);
    return postponeNotification(deps.db, notification);
  }

  return {
    deliverDue: async () => {
      const url = deps.findUrl();
      if (url === undefined) return undefined;
      const claimed = await claimNotifications(deps.db);
      await Promise.all(claimed.map((notification) => deliver(url, notification)));
      return claimed.length > 0 ? 0 : findNextNotificationMs(deps.db);
    },
    close: async () => {
      closing.abort();
      await agent.destroy();
    },
  };
}

async function findFault(db: SandboxDatabase, notification: DueNotification): Promise<NotificationFault | undefined> {
  if (!notification.faulty || notification.held_back) return undefined;
  const { reference, project_id } = notification;
  return (await takeFault<NotificationFault>(db, { reference, projectId: project_id, call: "notification" }))?.kind;
}

function bodyOf({ id, event, direction, reference, created_at }: DueNotification): Buffer {
  return Buffer.from(
    JSON.stringify({ id: `ev-${id}`, event: `${direction}.${event}`, direction, reference, created_at }),
  );
}
