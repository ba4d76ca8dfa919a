import { readFileSync } from "node:fs";
import type { FastifyInstance } from "fastify";
import { renderContract } from "./render-contract.ts";

const CONTRACT = new URL("../../../docs/openapi.yaml", import.meta.url);

/** Nothing on the page runs or loads anything: it is text with one style of its own. */
const CONTENT_SECURITY_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'";

/** The contract for people at /docs, and for programs at /docs/openapi.yaml. */
export function addDocsRoutes(server: FastifyInstance): void {
  const contract = readFileSync(CONTRACT, "utf8");
  let page: string | undefined;
  server.get("/", async (_request, reply) => reply.redirect("/docs"));
  server.get("/docs", async (_request, reply) => {
    page ??= renderContract(contract);
    return reply
      .header("content-type", "text/html; charset=utf-8")
      .header("content-security-policy", CONTENT_SECURITY_POLICY)
      .header("x-content-type-options", "nosniff")
      .header("referrer-policy", "no-referrer")
      .send(page);
  });
  server.get("/docs/openapi.yaml", async (_request, reply) =>
    reply.header("content-type", "application/yaml; charset=utf-8").send(contract),
  );
}
