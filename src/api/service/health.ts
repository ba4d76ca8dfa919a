import type { FastifyInstance } from "fastify";
import type { Readiness } from "../../app/processes/readiness.ts";
import { fault } from "../../core/errors.ts";
import { sendFault, sendJson } from "../respond.ts";

export type HealthDeps = {
  readonly readiness: () => Promise<Readiness>;
  /** True once the process was told to stop: load balancers should send no more. */
  readonly isDraining: () => boolean;
};

export function addHealthRoutes(server: FastifyInstance, deps: HealthDeps): void {
  server.get("/healthz", async (_request, reply) => sendJson(reply, 200, '{"status":"ok"}'));

  server.get("/readyz", async (_request, reply) => {
    const state = deps.isDraining() ? { ready: false as const, reason: "stopping" } : await deps.readiness();
    if (state.ready) return sendJson(reply, 200, '{"status":"ready"}');
    return sendFault(reply, { ...fault("unavailable", `not ready: ${state.reason}`), retryAfterS: 1 });
  });
}
