import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { fault } from "../core/errors.ts";
import { sendFault } from "./respond.ts";

/** Answers requests that no route takes: another method is 405 with the methods that there are, all else is 404. */
export type SendNotFound = (request: FastifyRequest, reply: FastifyReply) => FastifyReply;

/** Must be opened before the routes are added, which it learns of one by one. */
export function openNotFound(server: FastifyInstance, otherPort: ReadonlySet<string>): SendNotFound {
  const methodsAt = collectMethods(server);
  return (request, reply) => {
    const path = request.url.split("?", 1)[0] ?? "";
    if (otherPort.has(path)) {
      return sendFault(
        reply,
        fault("not_found", "this process is a worker and takes no merchants' calls; send them to an api process"),
      );
    }
    const methods = methodsAt(path);
    // A route that takes the method has looked, and found that there is nothing.
    if (methods.length === 0 || methods.includes(request.method)) {
      return sendFault(reply, fault("not_found", "there is nothing at this path"));
    }
    const allowed = methods.join(", ");
    return sendFault(reply.header("allow", allowed), fault("method_not_allowed", `this path takes ${allowed} only`));
  };
}

/** The root only leads to the contract: a program that posts there has a wrong address, and is told that. */
const ROOT = "/";

function collectMethods(server: FastifyInstance): (path: string) => readonly string[] {
  const fixed = new Map<string, string[]>();
  const patterns = new Map<string, { readonly matches: RegExp; readonly methods: string[] }>();
  server.addHook("onRoute", ({ url, method }) => {
    if (url === ROOT) return;
    if (!url.includes(":")) fixed.set(url, [...(fixed.get(url) ?? []), ...[method].flat()]);
    else {
      const matches = new RegExp(`^${url.replace(/:[a-z_]+/gi, "[^/]+")}$`);
      patterns.set(url, { matches, methods: [...(patterns.get(url)?.methods ?? []), ...[method].flat()] });
    }
  });
  return (path) => fixed.get(path) ?? [...patterns.values()].find(({ matches }) => matches.test(path))?.methods ?? [];
}
