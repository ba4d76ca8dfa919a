import { existsSync, readdirSync, readFileSync } from "node:fs";
import { extname } from "node:path";
import type { FastifyInstance } from "fastify";
import { installedFile } from "../platform/installed-files.ts";

/** Pages that the build made, and the names of the files that a document of theirs loads. */
export type BuiltPages = {
  readonly script: string;
  readonly style: string;
  /** The file that the script loads for a source when it needs it. */
  readonly loadedLater: (source: string) => string;
};

const TYPES: Readonly<Record<string, string>> = {
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".json": "application/json; charset=utf-8",
};

export function findBuiltFolder(): string {
  const folder = installedFile("dist/web/");
  if (!existsSync(`${folder}manifest.json`)) throw new Error("the pages are not built: run npm run build");
  return folder;
}

type Manifest = Readonly<
  Record<string, { readonly file: string; readonly css?: readonly string[]; readonly isEntry?: boolean }>
>;

/** Serves the files of a folder at a path. Their names hold their hash, so browsers may cache them permanently. */
export function addBuiltPages(server: FastifyInstance, folder: string, path: string): BuiltPages {
  const manifest: Manifest = JSON.parse(readFileSync(`${folder}manifest.json`, "utf8"));
  const files = new Map(
    readdirSync(`${folder}assets`).map((name) => [name, readFileSync(`${folder}assets/${name}`)] as const),
  );
  server.get<{ Params: { name: string } }>(`${path}/:name`, async (request, reply) => {
    const bytes = files.get(request.params.name);
    if (bytes === undefined) return reply.callNotFound();
    return reply
      .header("content-type", TYPES[extname(request.params.name)] ?? "application/octet-stream")
      .header("cache-control", "public, max-age=31536000, immutable")
      .header("x-content-type-options", "nosniff")
      .send(bytes);
  });
  const entry = Object.values(manifest).find(({ isEntry }) => isEntry === true);
  const [style] = entry?.css ?? [];
  if (entry === undefined || style === undefined) throw new Error(`${folder} has no entry, or no style`);
  const loadedLater = (source: string) => {
    const later = manifest[source];
    if (later === undefined) throw new Error(`${folder} has no file for ${source}`);
    return nameOf(later.file);
  };
  return { script: nameOf(entry.file), style: nameOf(style), loadedLater };
}

function nameOf(file: string): string {
  return file.slice("assets/".length);
}
