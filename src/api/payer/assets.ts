import { readFileSync } from "node:fs";
import type { FastifyInstance } from "fastify";
import { addBuiltPages, findBuiltFolder } from "../built-pages.ts";

/** The built files of the payer's page. */
export type PageAssets = {
  readonly script: string;
  readonly style: string;
  readonly embed: Buffer;
};

const PATH = "/pay-assets";

export function addAssetRoutes(server: FastifyInstance): PageAssets {
  const folder = findBuiltFolder();
  const { script, style } = addBuiltPages(server, folder, PATH);
  // Seen from /pay/TOKEN, so that it also holds where a proxy serves us below a path of its own.
  const urlOf = (name: string) => `..${PATH}/${name}`;
  return { script: urlOf(script), style: urlOf(style), embed: readFileSync(`${folder}widget.js`) };
}
