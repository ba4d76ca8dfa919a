import { existsSync, readFileSync } from "node:fs";
import type { FastifyInstance } from "fastify";
import { html } from "../../platform/html.ts";
import { installedFile } from "../../platform/installed-files.ts";
import { ADDRESS_PLACEHOLDER, withServerAddress } from "./own-address.ts";

const CONTRACT = installedFile("docs/openapi.yaml");

/** Nothing on the page runs or loads anything: it is text with one style of its own. */
const CONTENT_SECURITY_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'";

/** The contract for people at /docs, and for programs at /docs/openapi.yaml. */
export function addDocsRoutes(server: FastifyInstance, deps: { readonly publicUrl: () => string }): void {
  const contract = readFileSync(CONTRACT, "utf8");
  const builtPage = readBuiltPage();
  const documentsOf = (address: string) => ({
    address,
    page: builtPage.replaceAll(ADDRESS_PLACEHOLDER, () => html`${address}`.html),
    yaml: withServerAddress(contract, address),
  });
  let made = documentsOf(deps.publicUrl());
  const documents = () => {
    if (made.address !== deps.publicUrl()) made = documentsOf(deps.publicUrl());
    return made;
  };
  server.get("/", async (_request, reply) => reply.redirect("/docs"));
  server.get("/docs", async (_request, reply) =>
    reply
      .header("content-type", "text/html; charset=utf-8")
      .header("content-security-policy", CONTENT_SECURITY_POLICY)
      .header("x-content-type-options", "nosniff")
      .header("referrer-policy", "no-referrer")
      .send(documents().page),
  );
  server.get("/docs/openapi.yaml", async (_request, reply) =>
    reply.header("content-type", "application/yaml; charset=utf-8").send(documents().yaml),
  );
}

/** Rendered when the program is built, because it takes about a second for which every other request would wait. */
function readBuiltPage(): string {
  const page = installedFile("dist/docs.html");
  if (!existsSync(page)) throw new Error("the page of the contract is not built: run npm run build");
  return readFileSync(page, "utf8");
}
