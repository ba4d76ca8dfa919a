import type { Log } from "../../platform/log.ts";
import type { Database } from "../../store/db.ts";
import { listenTo } from "../../store/processes/listen.ts";

/** Tells open pages that their payment changed, whichever process changed it. */
export type PageEvents = {
  /** Answers how to end it. */
  readonly subscribe: (requestId: string, onChange: () => void) => () => void;
  readonly close: () => Promise<void>;
};

export function openPageEvents(deps: { readonly db: Database; readonly log: Log }): PageEvents {
  const listeners = new Map<string, Set<() => void>>();
  const tell = (requestIds: Iterable<string>) => {
    for (const requestId of requestIds) for (const listener of listeners.get(requestId) ?? []) listener();
  };
  // Without a payload the connection was restored: any listener may have missed an event.
  const listening = listenTo(deps, "tillgate_pages", (payload) =>
    tell(payload === "" ? [...listeners.keys()] : payload.split(",")),
  );
  return {
    subscribe: (requestId, onChange) => {
      const known = listeners.get(requestId) ?? new Set();
      known.add(onChange);
      listeners.set(requestId, known);
      return () => {
        known.delete(onChange);
        if (known.size === 0) listeners.delete(requestId);
      };
    },
    close: () => listening.close(),
  };
}
