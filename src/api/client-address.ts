import type { IncomingMessage } from "node:http";
import { includesAddress, parseNetworks } from "../core/merchants/network.ts";

/**
 * Who a request comes from: the connection's other end, or, where that is a proxy that the operator named, the last address
 * in `x-forwarded-for` that is not such a proxy's. The framework finds the same for the requests that go through it.
 */
export function openClientAddress(trustedProxies: readonly string[]): (request: IncomingMessage) => string {
  const proxies = parseNetworks(trustedProxies);
  return ({ socket, headers }) => {
    let address = socket.remoteAddress ?? "";
    if (proxies.length === 0) return address;
    const { "x-forwarded-for": forwarded } = headers;
    const named = (typeof forwarded === "string" ? forwarded.split(",") : []).map((part) => part.trim());
    for (const next of named.filter((part) => part !== "").reverse()) {
      if (!includesAddress(proxies, address)) break;
      address = next;
    }
    return address;
  };
}
