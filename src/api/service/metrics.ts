import type { FastifyInstance } from "fastify";
import { fault } from "../../core/errors.ts";
import { includesAddress, parseNetworks } from "../../core/merchants/network.ts";
import type { Metrics } from "../../platform/metrics.ts";
import { sendFault } from "../respond.ts";

/** Shown to the configured networks only; to others there is no such page. */
export function addMetricsRoute(
  server: FastifyInstance,
  deps: { metrics: Metrics; metricsAllow: readonly string[]; behindProxy: boolean },
): void {
  const allowed = parseNetworks(deps.metricsAllow);
  server.get("/metrics", async (request, reply) => {
    // Through a proxy that was not named, every caller would look like this machine.
    const viaStranger =
      !deps.behindProxy && (request.headers["x-forwarded-for"] ?? request.headers.forwarded) !== undefined;
    if (viaStranger || !includesAddress(allowed, request.ip)) {
      return sendFault(reply, fault("not_found", "there is nothing here"));
    }
    return reply.header("content-type", deps.metrics.registry.contentType).send(await deps.metrics.registry.metrics());
  });
}
