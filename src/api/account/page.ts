import type { FastifyInstance, FastifyReply } from "fastify";
import { addBuiltPages, type BuiltPages, findBuiltFolder } from "../built-pages.ts";
import { sendScriptPage } from "../script-page.ts";
import { addPreviewPage } from "./settings/preview.ts";

const ROOT = "/account";
const ASSETS = "assets";

/**
 * The pages of the personal account: one document for every address below `/account`, whose script draws the screen. It
 * holds nothing of a merchant; what it shows it asks of `/account/api`.
 */
export function addAccountPages(server: FastifyInstance): void {
  const pages = addBuiltPages(server, `${findBuiltFolder()}account/`, `${ROOT}/${ASSETS}`);
  addPreviewPage(server);
  server.get(ROOT, async (_request, reply) => sendDocument(reply, pages, { assets: `account/${ASSETS}`, root: "" }));
  server.get<{ Params: { "*": string } }>(`${ROOT}/*`, async (request, reply) => {
    const below = request.params["*"];
    if (/^api(\/|$)/.test(below)) return reply.callNotFound();
    // Seen from the address, so that it also holds where a proxy serves us below a path of its own.
    const depth = below.split("/").length - 1;
    const up = "../".repeat(depth);
    return sendDocument(reply, pages, { assets: `${up}${ASSETS}`, root: `${up}../` });
  });
}

const NEEDS_SCRIPT = { en: "The personal account needs JavaScript.", ru: "Личному кабинету нужен JavaScript." };

/** The settings show a preview of the payment page in a frame. */
function sendDocument(
  reply: FastifyReply,
  pages: BuiltPages,
  places: { readonly assets: string; readonly root: string },
): FastifyReply {
  return sendScriptPage(reply, { ...pages, ...places, needsScript: NEEDS_SCRIPT, also: ["frame-src 'self'"] });
}
