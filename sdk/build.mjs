// Builds the package from one set of sources: ES modules into `dist`, CommonJS into `dist/cjs`.
// `node build.mjs [DIRECTORY] [options of tsc]`
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const PROJECT = fileURLToPath(new URL("tsconfig.json", import.meta.url));
const [into = fileURLToPath(new URL("dist", import.meta.url)), ...options] = process.argv.slice(2);
const dist = resolve(into);
const cjs = join(dist, "cjs");
const AS_COMMONJS = ["--module", "commonjs", "--moduleResolution", "bundler", "--verbatimModuleSyntax", "false"];

rmSync(dist, { recursive: true, force: true });
compile("--outDir", dist);
compile("--outDir", cjs, ...AS_COMMONJS);
// The package is of ES modules; this file says that the ones beside it are not.
writeFileSync(join(cjs, "package.json"), '{ "type": "commonjs" }\n');
for (const file of readdirSync(dist, { recursive: true })) if (file.endsWith(".d.ts")) nameJavaScript(join(dist, file));

function compile(...args) {
  const tsc = createRequire(import.meta.url)
    .resolve("typescript/package.json")
    .replace(/package\.json$/, "bin/tsc");
  const { status } = spawnSync(process.execPath, [tsc, "-p", PROJECT, ...args, ...options], { stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
}

/** The compiler leaves `./x.ts` in declarations, which TypeScript before 5 refuses; `./x.js` is understood by all. */
function nameJavaScript(file) {
  const text = readFileSync(file, "utf8");
  writeFileSync(file, text.replaceAll(/((?:from |import\()"\.{1,2}\/[^"]+)\.ts"/g, '$1.js"'));
}
