import type { FastifyInstance } from "fastify";
import type { TakeNotification } from "../../app/payments/take-notification.ts";
import type { Connector } from "../../core/connector.ts";
import { fault } from "../../core/errors.ts";
import { sendFault, sendJson } from "../respond.ts";

export type ProviderDeps = {
  readonly findConnector: (code: string) => Connector | undefined;
  readonly takeNotification: TakeNotification;
};

/** Where providers tell us of changes: `/provider/{code}/notifications`. Each is known by its own signature. */
export function addProviderRoutes(server: FastifyInstance, deps: ProviderDeps): void {
  server.post<{ Params: { code: string } }>("/provider/:code/notifications", async (request, reply) => {
    const connector = deps.findConnector(request.params.code);
    if (connector === undefined) return sendFault(reply, fault("not_found", "there is nothing at this path"));
    const rawBody = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
    const taken = await deps.takeNotification(connector, { headers: plainHeaders(request.headers), rawBody });
    if (taken.ok) return sendJson(reply, 200, "{}");
    return taken.error === "not_authentic"
      ? sendFault(reply, fault("signature_invalid", "the notification is not the provider's"))
      : sendFault(reply, fault("malformed_json", "the notification is not understood"));
  });
}

function plainHeaders(headers: Record<string, string | string[] | undefined>): Record<string, string | undefined> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(",") : value]),
  );
}
