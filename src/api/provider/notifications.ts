import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { TakeNotification } from "../../app/payments/take-notification.ts";
import type { Connector } from "../../core/connector.ts";
import { fault } from "../../core/errors.ts";
import { sendFault, sendJson } from "../respond.ts";

export type ProviderDeps = {
  readonly findConnector: (code: string) => Connector | undefined;
  readonly takeNotification: TakeNotification;
};

/** `callback` is what a gateway of our own protocol calls it; both lead to the same connector. */
const PATHS = ["/provider/:code/notifications", "/provider/:code/callback"] as const;

/** Where providers tell us of changes. Each is known by its own signature. */
export function addProviderRoutes(server: FastifyInstance, deps: ProviderDeps): void {
  const answer = async (request: FastifyRequest<ProviderRoute>, reply: FastifyReply) => {
    const connector = deps.findConnector(request.params.code);
    if (connector === undefined) return sendFault(reply, fault("not_found", "there is nothing at this path"));
    const rawBody = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
    const taken = await deps.takeNotification(connector, { headers: plainHeaders(request.headers), rawBody });
    if (taken.ok) return sendJson(reply, 200, "{}");
    return taken.error === "not_authentic"
      ? sendFault(reply, fault("signature_invalid", "the notification is not the provider's"))
      : sendFault(reply, fault("malformed_json", "the notification is not understood"));
  };
  for (const path of PATHS) server.post<ProviderRoute>(path, answer);
}

type ProviderRoute = { Params: { code: string } };

function plainHeaders(headers: Record<string, string | string[] | undefined>): Record<string, string | undefined> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(",") : value]),
  );
}
