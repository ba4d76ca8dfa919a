// Renders the pages that the service shows at /docs into a build: the reference from the contract, the guides from their Markdown,
// the diagrams of states from the compiled tables, the search's index. The service then only serves files.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "vite";
import { parse } from "yaml";

const ROOT = fileURLToPath(new URL("..", import.meta.url));

/** The templates, which are TSX: put together into one module that this Node can import. */
export async function loadSite() {
  // Beside node_modules, so that what it imports is found.
  const place = mkdtempSync(join(ROOT, "node_modules", ".tillgate-docs-"));
  try {
    await build({
      configFile: false,
      root: ROOT,
      publicDir: false,
      logLevel: "error",
      mode: "production",
      oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
      build: {
        ssr: true,
        outDir: place,
        emptyOutDir: true,
        minify: false,
        rolldownOptions: { input: join(ROOT, "web/docs/site/site.tsx"), output: { entryFileNames: "site.mjs" } },
      },
    });
    return await import(pathToFileURL(join(place, "site.mjs")));
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

async function machinesOf(compiled) {
  const load = (name) => import(pathToFileURL(resolve(compiled, "core", name)));
  const { P2P_PAYIN_TRANSITIONS: p2p } = await load("payments/payin-transitions.js");
  const { CARD_PAYIN_TRANSITIONS: card } = await load("cards/card-transitions.js");
  const { PAYOUT_TRANSITIONS: payout } = await load("payments/payout-transitions.js");
  return { p2p, card, payout };
}

/** Named by its content, so that browsers may cache it permanently. */
function writeAsset(folder, name, ending, text) {
  const hash = createHash("sha256").update(text).digest("base64url").slice(0, 8);
  const file = `${name}-${hash}.${ending}`;
  writeFileSync(join(folder, "assets", file), text);
  return file;
}

function scriptAndStyle(folder) {
  const manifest = JSON.parse(readFileSync(join(folder, "manifest.json"), "utf8"));
  const { file, css = [] } = Object.values(manifest).find(({ isEntry }) => isEntry === true);
  const nameOf = (path) => path.slice("assets/".length);
  return { script: nameOf(file), style: nameOf(css[0]) };
}

async function main(compiled) {
  const { renderSite, describeOperations, makeSearchIndex, PAGE_SOURCES } = await loadSite();
  const { ADDRESS_PLACEHOLDER, withServerAddress } = await import(
    pathToFileURL(resolve(compiled, "api", "service", "own-address.js"))
  );
  const yaml = readFileSync(join(ROOT, "docs", "openapi.yaml"), "utf8");
  const contract = parse(withServerAddress(yaml, ADDRESS_PLACEHOLDER));
  const guides = PAGE_SOURCES.filter(({ file }) => existsSync(join(ROOT, file))).map((source) => ({
    ...source,
    markdown: readFileSync(join(ROOT, source.file), "utf8"),
  }));
  const folder = join(compiled, "web", "docs");
  const assets = {
    ...scriptAndStyle(folder),
    operations: writeAsset(folder, "operations", "json", JSON.stringify(describeOperations(contract))),
    search: writeAsset(folder, "search", "json", makeSearchIndex(contract, guides)),
  };
  const pages = renderSite({ contract, guides, machines: await machinesOf(compiled), assets });
  mkdirSync(join(folder, "pages"), { recursive: true });
  for (const [name, text] of Object.entries(pages)) writeFileSync(join(folder, "pages", `${name}.html`), text);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [compiled] = process.argv.slice(2);
  if (compiled === undefined) throw new Error("usage: node tools/render-docs.mjs BUILD_DIRECTORY");
  await main(resolve(compiled));
}
