import type { FastifyInstance } from "fastify";
import { html } from "../../../platform/html.ts";
import { addBuiltPages, findBuiltFolder } from "../../built-pages.ts";
import { sendPage } from "../../send-page.ts";

const PATH = "/account/preview";

/**
 * The document that the settings show in a frame: the parts and the style of the payment page, with an order that does not exist. It
 * holds nothing of a merchant and asks for nothing: the page around it tells it what to draw.
 */
export function addPreviewPage(server: FastifyInstance): void {
  const { script, style } = addBuiltPages(server, `${findBuiltFolder()}account/preview/`, `${PATH}/assets`);
  server.get(PATH, async (_request, reply) => {
    const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>Preview</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="preview/assets/${style}">
</head>
<body>
<div id="app" inert></div>
<script type="module" src="preview/assets/${script}"></script>
</body>
</html>
`;
    return sendPage(reply, POLICY, page);
  });
}

/** Only our own pages may show it, and it loads nothing but its script, its style and the picture that it is handed. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src data:",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'self'",
  "require-trusted-types-for 'script'",
];
