import type { FastifyInstance } from "fastify";
import { html } from "../../platform/html.ts";
import { sendPage } from "../account/send-page.ts";
import { addBuiltPages, findBuiltFolder } from "../built-pages.ts";

const PAGE_PATH = "/sandbox";
/** The script asks for what it shows below the folder that it lies in. */
const DESK = "desk";

/** Only our own script and style run, no page may show this one in a frame, and no other host is asked for anything. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
];

/** The tester's desk of development mode. Elsewhere it is a screen of the personal account. */
export function addDeskPage(server: FastifyInstance): void {
  const folder = `${findBuiltFolder()}sandbox/${DESK}/`;
  const { script, style } = addBuiltPages(server, folder, `${PAGE_PATH}/${DESK}/assets`);
  const assets = `sandbox/${DESK}/assets`;
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
<noscript><main><h1>Tillgate</h1><p>The sandbox needs JavaScript.</p>
<p lang="ru">Песочнице нужен JavaScript.</p></main></noscript>
<script type="module" src="${assets}/${script}"></script>
</body>
</html>
`;
  server.get(PAGE_PATH, async (_request, reply) =>
    sendPage(reply.header("cross-origin-opener-policy", "same-origin"), POLICY, page),
  );
}
