import type { FastifyInstance } from "fastify";
import { addBuiltPages, findBuiltFolder } from "../built-pages.ts";
import { sendScriptPage } from "../script-page.ts";

const PAGE_PATH = "/sandbox";
/** The script asks for what it shows below the folder that it lies in. */
const DESK = "desk";
const NEEDS_SCRIPT = { en: "The sandbox needs JavaScript.", ru: "Песочнице нужен JavaScript." };

/** The tester's desk of development mode. Elsewhere it is a screen of the personal account. */
export function addDeskPage(server: FastifyInstance): void {
  const folder = `${findBuiltFolder()}sandbox/${DESK}/`;
  const pages = addBuiltPages(server, folder, `${PAGE_PATH}/${DESK}/assets`);
  const assets = `sandbox/${DESK}/assets`;
  server.get(PAGE_PATH, async (_request, reply) =>
    sendScriptPage(reply, { ...pages, assets, root: "", needsScript: NEEDS_SCRIPT }),
  );
}
