import fastify, { type FastifyInstance } from "fastify";
import type { Log } from "../platform/log.ts";
import type { Secret } from "../platform/secret.ts";
import { answerError, DONE, INVALID, send } from "./answer.ts";
import { addChargeRoutes, type ChargeDeps } from "./cards/charge-routes.ts";
import { addPageRoutes } from "./cards/page-routes.ts";
import { addPlayChargeRoutes } from "./cards/play-charges.ts";
import { addPlayRoutes, type PlayDeps } from "./play-routes.ts";
import { addBankRoutes } from "./requests/bank-routes.ts";
import { addProviderRoutes, type ProviderDeps } from "./requests/provider-routes.ts";
import { isSigned } from "./signature.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** Of a page for browsers. */
    readonly unsigned?: boolean;
  }
}

export type ServerDeps = ProviderDeps & PlayDeps & ChargeDeps & { readonly log: Log; readonly secret: Secret<string> };

const BODY_BYTES_MAX = 64 * 1024;
const EMPTY = Buffer.alloc(0);
const HEALTH_PATH = "/health";

export function buildSandboxServer(deps: ServerDeps): FastifyInstance {
  const server = fastify({ logger: false, bodyLimit: BODY_BYTES_MAX, forceCloseConnections: true });
  server.removeAllContentTypeParsers();
  server.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, done) => done(null, body));

  server.addHook("preHandler", async (request, reply) => {
    if (request.url === HEALTH_PATH || request.routeOptions.config.unsigned) return;
    request.body ??= EMPTY;
    const signed = { method: request.method, path: request.url, body: request.body as Buffer };
    if (!isSigned(deps.secret, signed, request.headers, Date.now()))
      return send(reply, answerError(401, "signature_invalid"));
    // PostgreSQL's text holds no NUL, so nothing can have such a name.
    if (request.url.includes("%00")) return send(reply, INVALID);
  });
  server.setNotFoundHandler((_request, reply) => send(reply, answerError(404, "not_found")));
  server.setErrorHandler((error: Error & { statusCode?: number }, _request, reply) => {
    if (error.statusCode !== undefined && error.statusCode < 500) return send(reply, INVALID);
    deps.log.error({ err: { type: error.name, message: error.message, stack: error.stack } }, "a bug in the sandbox");
    return send(reply, answerError(500, "internal"));
  });

  server.get(HEALTH_PATH, (_request, reply) => send(reply, DONE));
  addProviderRoutes(server, deps);
  addPlayRoutes(server, deps);
  addChargeRoutes(server, deps);
  addPlayChargeRoutes(server, deps);
  addPageRoutes(server, deps);
  addBankRoutes(server, deps);
  return server;
}
