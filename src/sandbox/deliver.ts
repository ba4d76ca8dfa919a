import { openExchanges } from "../platform/exchanges/exchanges.ts";
import type { Log } from "../platform/log.ts";
import type { Secret } from "../platform/secret.ts";
import type { SandboxDatabase } from "./database.ts";
import { type NotificationFault, takeFault } from "./faults.ts";
import {
  claimNotifications,
  type DueNotification,
  findNextNotificationMs,
  forgetNotifications,
  holdBackNotification,
  postponeNotifications,
} from "./notifications.ts";
import { signNotification } from "./signature.ts";

/** Tells the other side what changed. Each attempt signs the notification again. */
export type Courier = {
  /** Delivers what waits in the table. Answers in how many milliseconds the next is due. */
  readonly deliverDue: () => Promise<number | undefined>;
  /** Delivers what the caller has claimed; not awaited, since the other side may be slow. */
  readonly send: (claimed: readonly DueNotification[]) => void;
  readonly close: () => Promise<void>;
};

export type CourierDeps = {
  readonly db: SandboxDatabase;
  readonly log: Log;
  readonly secret: Secret<string>;
  readonly findUrl: () => string | undefined;
};

const ATTEMPT_TIMEOUT_MS = 5_000;
const CONNECTIONS_MAX = 10;
/** So many notifications are sent in one request at most. */
const TOGETHER_MAX = 100;
export const GARBAGE = Buffer.from('{"reference":"\u0000\ufffd<<<<');

export function openCourier(deps: CourierDeps): Courier {
  const { db, secret, log } = deps;
  const underWay = new Set<Promise<void>>();
  const { exchange, close } = openExchanges({ timeoutMs: ATTEMPT_TIMEOUT_MS, connectionsMax: CONNECTIONS_MAX });

  async function post(body: Buffer): Promise<boolean> {
    const url = deps.findUrl();
    if (url === undefined || !URL.canParse(url)) return false;
    const { origin, pathname, search } = new URL(url);
    const headers = { "content-type": "application/json", ...signNotification(secret, body, Date.now()) };
    const answer = await exchange({ origin, method: "POST", path: pathname + search, headers, body });
    return answer !== undefined && answer.status >= 200 && answer.status < 300;
  }

  async function deliverTogether(notifications: readonly DueNotification[]): Promise<Delivery> {
    const delivered = await post(bodyOf(notifications));
    return { ids: notifications.map(({ id }) => id), delivered };
  }

  async function deliverFaulty(notification: DueNotification): Promise<Delivery> {
    const { id } = notification;
    const fault = await findFault(db, notification);
    if (fault === "out_of_order") {
      await holdBackNotification(db, id);
      return { ids: [], delivered: false };
    }
    const body = fault === "garbage" ? GARBAGE : bodyOf([notification]);
    const delivered = await post(body);
    if (fault === "duplicate") await post(body);
    return { ids: [id], delivered };
  }

  async function deliver(claimed: readonly DueNotification[]): Promise<void> {
    const deliveries = await Promise.all([
      ...inPortions(claimed.filter(({ faulty }) => !faulty)).map(deliverTogether),
      ...claimed.filter(({ faulty }) => faulty).map(deliverFaulty),
    ]);
    const idsOf = (wanted: boolean) => deliveries.flatMap(({ ids, delivered }) => (delivered === wanted ? ids : []));
    const [done, failed] = [idsOf(true), idsOf(false)];
    if (done.length > 0) await forgetNotifications(db, done);
    if (failed.length > 0) await postponeNotifications(db, failed);
  }

  /** What could not be marked is sent again when its lease is over. */
  async function deliverSafely(claimed: readonly DueNotification[]): Promise<void> {
    await deliver(claimed).catch((error) =>
      log.warn({ reason: error instanceof Error ? error.message : "" }, "the sandbox could not mark its notifications"),
    );
  }

  return {
    send: (claimed) => {
      if (claimed.length === 0) return;
      const sending = deliverSafely(claimed).finally(() => underWay.delete(sending));
      underWay.add(sending);
    },
    deliverDue: async () => {
      if (deps.findUrl() === undefined) return undefined;
      const claimed = await claimNotifications(db);
      await deliver(claimed);
      return claimed.length > 0 ? 0 : findNextNotificationMs(db);
    },
    close: async () => {
      await close();
      await Promise.all(underWay);
    },
  };
}

type Delivery = { readonly ids: readonly string[]; readonly delivered: boolean };

function inPortions(notifications: readonly DueNotification[]): readonly (readonly DueNotification[])[] {
  const count = Math.ceil(notifications.length / TOGETHER_MAX);
  return Array.from({ length: count }, (_, index) =>
    notifications.slice(index * TOGETHER_MAX, (index + 1) * TOGETHER_MAX),
  );
}

async function findFault(db: SandboxDatabase, notification: DueNotification): Promise<NotificationFault | undefined> {
  if (notification.held_back) return undefined;
  const { reference, project_id } = notification;
  return (await takeFault<NotificationFault>(db, { reference, projectId: project_id, call: "notification" }))?.kind;
}

/** One is a notification by itself; several are a list of them. */
function bodyOf(notifications: readonly DueNotification[]): Buffer {
  const [first, ...more] = notifications.map(({ id, event, direction, reference, created_at }) => ({
    id: `ev-${id}`,
    event: `${direction}.${event}`,
    direction,
    reference,
    created_at,
  }));
  return Buffer.from(JSON.stringify(more.length === 0 ? first : { notifications: [first, ...more] }));
}
