import { existsSync, readdirSync, readFileSync } from "node:fs";
import { extname } from "node:path";
import type { FastifyInstance } from "fastify";
import { installedFile } from "../../platform/installed-files.ts";

/** The built files of the payer's page. Their names hold their hash, so browsers may cache them permanently. */
export type PageAssets = {
  readonly script: string;
  readonly style: string;
  readonly embed: Buffer;
};

const PATH = "/pay-assets";
const TYPES: Readonly<Record<string, string>> = {
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
};

function findFolder(): string {
  const folder = installedFile("dist/web/");
  if (!existsSync(`${folder}manifest.json`)) throw new Error("the payer's page is not built: run npm run build");
  return folder;
}

type Manifest = Readonly<
  Record<string, { readonly file: string; readonly css?: readonly string[]; readonly isEntry?: boolean }>
>;

export function addAssetRoutes(server: FastifyInstance): PageAssets {
  const folder = findFolder();
  const manifest: Manifest = JSON.parse(readFileSync(`${folder}manifest.json`, "utf8"));
  const files = new Map(
    readdirSync(`${folder}assets`).map((name) => [name, readFileSync(`${folder}assets/${name}`)] as const),
  );
  server.get<{ Params: { name: string } }>(`${PATH}/:name`, async (request, reply) => {
    const bytes = files.get(request.params.name);
    if (bytes === undefined) return reply.callNotFound();
    return reply
      .header("content-type", TYPES[extname(request.params.name)] ?? "application/octet-stream")
      .header("cache-control", "public, max-age=31536000, immutable")
      .header("x-content-type-options", "nosniff")
      .send(bytes);
  });
  const entry = Object.values(manifest).find(({ isEntry }) => isEntry === true);
  if (entry === undefined) throw new Error("the payer's page has no entry");
  // Seen from /pay/TOKEN, so that it also holds where a proxy serves us below a path of its own.
  const urlOf = (file: string) => `..${PATH}/${file.slice("assets/".length)}`;
  const [style] = entry.css ?? [];
  if (style === undefined) throw new Error("the payer's page has no style");
  return {
    script: urlOf(entry.file),
    style: urlOf(style),
    embed: readFileSync(`${folder}widget.js`),
  };
}
