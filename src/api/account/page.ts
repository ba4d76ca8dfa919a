import type { FastifyInstance, FastifyReply } from "fastify";
import { html } from "../../platform/html.ts";
import { addBuiltPages, type BuiltPages, findBuiltFolder } from "../built-pages.ts";
import { sendPage } from "./send-page.ts";
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
  server.get(ROOT, async (_request, reply) => sendDocument(reply, pages, `account/${ASSETS}`));
  server.get<{ Params: { "*": string } }>(`${ROOT}/*`, async (request, reply) => {
    const below = request.params["*"];
    if (/^api(\/|$)/.test(below)) return reply.callNotFound();
    // Seen from the address, so that it also holds where a proxy serves us below a path of its own.
    const depth = below.split("/").length - 1;
    return sendDocument(reply, pages, `${"../".repeat(depth)}${ASSETS}`);
  });
}

/** Only our own script and style run, no page may show this one in a frame, and no other host is asked for anything. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  // Of the settings: the preview of the payment page.
  "frame-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
];

function sendDocument(reply: FastifyReply, { script, style }: BuiltPages, assets: string): FastifyReply {
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<title>Tillgate</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${assets}/${style}">
</head>
<body>
<div id="app"></div>
<noscript><main><h1>Tillgate</h1><p>The personal account needs JavaScript.</p>
<p lang="ru">Личному кабинету нужен JavaScript.</p></main></noscript>
<script type="module" src="${assets}/${script}"></script>
</body>
</html>
`;
  return sendPage(reply.header("cross-origin-opener-policy", "same-origin"), POLICY, page);
}
