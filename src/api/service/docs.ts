import { existsSync, readdirSync, readFileSync } from "node:fs";
import type { FastifyInstance, FastifyReply } from "fastify";
import { html } from "../../platform/html.ts";
import { installedFile } from "../../platform/installed-files.ts";
import { addBuiltPages, findBuiltFolder } from "../built-pages.ts";
import { ADDRESS_PLACEHOLDER, withServerAddress } from "./own-address.ts";

/** Only our own script and style run, no page may show these in a frame, and no other host is asked for anything. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join("; ");

const REFERENCE = "index";

/** The documentation for people at /docs and below it, and the contract for programs at /docs/openapi.yaml. */
export function addDocsRoutes(server: FastifyInstance, deps: { readonly publicUrl: () => string }): void {
  const contract = readFileSync(installedFile("docs/openapi.yaml"), "utf8");
  const vectors = readFileSync(installedFile("docs/signing-vectors.json"), "utf8");
  const folder = `${findBuiltFolder()}docs/`;
  const built = readBuiltPages(`${folder}pages/`);
  const documentsOf = (address: string) => ({ address, ...withAddress(built, contract, address) });
  let made = documentsOf(deps.publicUrl());
  const documents = () => {
    if (made.address !== deps.publicUrl()) made = documentsOf(deps.publicUrl());
    return made;
  };
  server.get("/", async (_request, reply) => reply.redirect("/docs"));
  addBuiltPages(server, folder, "/docs/assets");
  server.get("/docs", async (_request, reply) => sendPage(reply, documents().pages.get(REFERENCE)));
  server.get<{ Params: { name: string } }>("/docs/:name", async (request, reply) =>
    sendPage(reply, request.params.name === REFERENCE ? undefined : documents().pages.get(request.params.name)),
  );
  server.get("/docs/openapi.yaml", async (_request, reply) =>
    reply.header("content-type", "application/yaml; charset=utf-8").send(documents().yaml),
  );
  server.get("/docs/signing-vectors.json", async (_request, reply) =>
    reply.header("content-type", "application/json; charset=utf-8").send(vectors),
  );
}

function sendPage(reply: FastifyReply, page: string | undefined): FastifyReply {
  if (page === undefined) {
    reply.callNotFound();
    return reply;
  }
  return reply
    .header("content-type", "text/html; charset=utf-8")
    .header("content-security-policy", CONTENT_SECURITY_POLICY)
    .header("x-content-type-options", "nosniff")
    .header("referrer-policy", "no-referrer")
    .header("cross-origin-opener-policy", "same-origin")
    .header("permissions-policy", "camera=(), microphone=(), geolocation=()")
    .send(page);
}

/** Rendered when the program is built, because it takes seconds for which every other request would wait. */
function readBuiltPages(folder: string): Map<string, string> {
  if (!existsSync(`${folder}${REFERENCE}.html`)) {
    throw new Error("the pages of the documentation are not built: run npm run build");
  }
  const names = readdirSync(folder).map((file) => file.replace(/\.html$/, ""));
  return new Map(names.map((name) => [name, readFileSync(`${folder}${name}.html`, "utf8")]));
}

function withAddress(built: ReadonlyMap<string, string>, contract: string, address: string) {
  const shown = html`${address}`.html;
  const pages = new Map([...built].map(([name, page]) => [name, page.replaceAll(ADDRESS_PLACEHOLDER, () => shown)]));
  return { pages, yaml: withServerAddress(contract, address) };
}
