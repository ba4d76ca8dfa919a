import { pagePath } from "./server.ts";

/**
 * Calls back whenever the payment may have changed: told by the server, and where its events do not come through, by
 * the clock. Answers how to end it.
 */
const POLL_MS = 3_000;
/** While events come, this is only a net below them: for a computer that slept, or a proxy that swallows. */
const NET_MS = 30_000;
const RECONNECT_MS = 15_000;

export function followPayment(onChange: () => void): () => void {
  let source: EventSource | undefined;
  let reconnecting: ReturnType<typeof setTimeout> | undefined;
  let heardAt = Number.NEGATIVE_INFINITY;
  const connect = () => {
    source?.close();
    source = new EventSource(`${pagePath}/events`);
    source.onmessage = () => {
      heardAt = performance.now();
      onChange();
    };
    source.onerror = () => {
      // While the browser reconnects there is nothing to do; after a refusal it does not.
      if (source?.readyState !== EventSource.CLOSED) return;
      clearTimeout(reconnecting);
      reconnecting = setTimeout(connect, RECONNECT_MS);
    };
  };
  const isOpen = () => source?.readyState === EventSource.OPEN;
  const poll = setInterval(() => {
    if (document.hidden || (isOpen() && performance.now() - heardAt < NET_MS)) return;
    heardAt = performance.now();
    onChange();
  }, POLL_MS);
  const onShown = () => {
    if (!document.hidden) onChange();
  };
  document.addEventListener("visibilitychange", onShown);
  // The back button may show the page as it was left.
  addEventListener("pageshow", onShown);
  connect();
  return () => {
    source?.close();
    clearTimeout(reconnecting);
    clearInterval(poll);
    document.removeEventListener("visibilitychange", onShown);
    removeEventListener("pageshow", onShown);
  };
}
