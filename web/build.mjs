// Builds the payer's page, the script that merchants show it with, the pages of the personal account, the tester's desk, and
// the script of the documentation into the directory that is named.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { build } from "vite";
import { splitWords } from "./split-words.mjs";

const WEB = fileURLToPath(new URL(".", import.meta.url));
const [into] = process.argv.slice(2);
if (into === undefined) throw new Error("usage: node web/build.mjs DIRECTORY");

// Whoever runs this, tests included, gets the same bytes.
process.env.NODE_ENV = "production";

const shared = {
  configFile: false,
  root: WEB,
  base: "./",
  publicDir: false,
  logLevel: "error",
  mode: "production",
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
};

/** Browsers of the last years; the page says so itself where a script does not run. */
const TARGET = ["chrome107", "edge107", "firefox104", "safari16"];

/** Pages with hashed files and a manifest that names them. Each is built by itself, so that it loads one script; the payer's page also loads its language. */
async function buildPages(outDir, source, name, plugins = []) {
  await build({
    ...shared,
    plugins,
    build: {
      outDir,
      emptyOutDir: true,
      target: TARGET,
      manifest: "manifest.json",
      assetsDir: "assets",
      assetsInlineLimit: 0,
      modulePreload: false,
      rolldownOptions: { input: `${WEB}${source}`, output: { entryFileNames: `assets/${name}-[hash].js` } },
    },
  });
  compressFiles(`${outDir}/assets`);
}

/** Once, as well as it can be done, so that the service need not do it for every reader. */
function compressFiles(folder) {
  for (const name of readdirSync(folder)) {
    const bytes = readFileSync(`${folder}/${name}`);
    writeFileSync(`${folder}/${name}.br`, brotliCompressSync(bytes));
    writeFileSync(`${folder}/${name}.gz`, gzipSync(bytes, { level: 9 }));
  }
}

await buildPages(into, "widget/main.tsx", "page", [splitWords()]);
await buildPages(`${into}/account`, "account/main.tsx", "account");
await buildPages(`${into}/account/preview`, "preview/main.tsx", "preview");
await buildPages(`${into}/docs`, "docs/main.tsx", "docs");
await buildPages(`${into}/sandbox/desk`, "desk/main.tsx", "desk");

// Merchants write its address into their pages, so it has no hash and is one plain script.
await build({
  ...shared,
  build: {
    outDir: into,
    emptyOutDir: false,
    target: TARGET,
    rolldownOptions: { input: `${WEB}embed/embed.ts`, output: { format: "iife", entryFileNames: "widget.js" } },
  },
});
