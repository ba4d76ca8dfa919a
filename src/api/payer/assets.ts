import { readFileSync } from "node:fs";
import type { FastifyInstance } from "fastify";
import { PAGE_LANGUAGES, type PageLanguage } from "../../app/page/page-language.ts";
import { addBuiltPages, findBuiltFolder } from "../built-pages.ts";

/** The built files of the payer's page. */
export type PageAssets = {
  readonly script: string;
  /** What the script says, in each language. */
  readonly words: Readonly<Record<PageLanguage, string>>;
  readonly style: string;
  readonly embed: Buffer;
};

const PATH = "/pay-assets";

export function addAssetRoutes(server: FastifyInstance): PageAssets {
  const folder = findBuiltFolder();
  const { script, style, loadedLater } = addBuiltPages(server, folder, PATH);
  // Seen from /pay/TOKEN, so that it also holds where a proxy serves us below a path of its own.
  const urlOf = (name: string) => `..${PATH}/${name}`;
  const words = Object.fromEntries(
    PAGE_LANGUAGES.map((language) => [language, urlOf(loadedLater(`widget/words/${language}.ts`))]),
  ) as Record<PageLanguage, string>;
  return { script: urlOf(script), words, style: urlOf(style), embed: readFileSync(`${folder}widget.js`) };
}
