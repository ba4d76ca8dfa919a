import type { FastifyReply } from "fastify";
import { html } from "../platform/html.ts";
import { sendPage } from "./send-page.ts";

/** A page whose script draws all of it. */
type ScriptPage = {
  readonly script: string;
  readonly style: string;
  /** Where both are, seen from the page's address. */
  readonly assets: string;
  /** Where the service itself is, seen from there: nothing, or a path that ends with a slash. */
  readonly root: string;
  /** For a browser that runs no script. */
  readonly needsScript: { readonly en: string; readonly ru: string };
  /** What the page may do besides, for its policy. */
  readonly also?: readonly string[];
};

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

export function sendScriptPage(reply: FastifyReply, page: ScriptPage): FastifyReply {
  const { script, style, assets, needsScript, also = [] } = page;
  const text = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<title>Tillgate</title>
<link rel="icon" type="image/svg+xml" href="${page.root}favicon.svg">
<link rel="stylesheet" href="${assets}/${style}">
</head>
<body>
<div id="app"></div>
<noscript><main><h1>Tillgate</h1><p>${needsScript.en}</p>
<p lang="ru">${needsScript.ru}</p></main></noscript>
<script type="module" src="${assets}/${script}"></script>
</body>
</html>
`;
  return sendPage(reply.header("cross-origin-opener-policy", "same-origin"), [...POLICY, ...also], text);
}
