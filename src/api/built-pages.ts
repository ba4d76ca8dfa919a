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

/** The build compresses each file as well as it can; these are the same for every reader and hold no secret. */
const ENCODINGS = [
  { name: "br", ending: ".br" },
  { name: "gzip", ending: ".gz" },
] as const;
const ENDINGS = ENCODINGS.map(({ ending }) => ending);

function takes(accepted: string, encoding: string): boolean {
  return accepted.split(",").some((each) => {
    const [name = "", ...parameters] = each.split(";").map((part) => part.trim());
    return name === encoding && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter));
  });
}

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
    const { name } = request.params;
    const plain = ENDINGS.some((ending) => name.endsWith(ending)) ? undefined : files.get(name);
    if (plain === undefined) return reply.callNotFound();
    const accepted = request.headers["accept-encoding"] ?? "";
    const encoding = ENCODINGS.find((each) => takes(accepted, each.name) && files.has(name + each.ending));
    const bytes = encoding === undefined ? plain : files.get(name + encoding.ending);
    if (encoding !== undefined) reply.header("content-encoding", encoding.name);
    return reply
      .header("vary", "accept-encoding")
      .header("content-type", TYPES[extname(name)] ?? "application/octet-stream")
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
