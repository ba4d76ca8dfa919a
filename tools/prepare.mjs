// Makes a clone ready to run: installs dependencies and builds, each only when needed. It uses Node and npm alone,
// because it runs before anything is installed.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const NODE_MIN = [20, 19];

export function prepare({ rebuild = false } = {}) {
  requireNode();
  install();
  build(rebuild);
}

function requireNode() {
  const [major, minor] = process.versions.node.split(".").map(Number);
  if (major > NODE_MIN[0] || (major === NODE_MIN[0] && minor >= NODE_MIN[1])) return;
  stop(`Tillgate needs Node ${NODE_MIN.join(".")} or newer; this is ${process.versions.node}.`);
}

function install() {
  const stamp = join(ROOT, "node_modules", ".tillgate-installed");
  const wanted = hashOf([join(ROOT, "package-lock.json")]);
  if (readIfThere(stamp) === wanted) return;
  say("Installing dependencies (once, about half a minute) …");
  run("npm", ["ci", "--no-audit", "--no-fund", "--loglevel=error"], "The dependencies could not be installed.");
  writeFileSync(stamp, wanted);
}

function build(rebuild) {
  const stamp = join(ROOT, "dist", ".built");
  const wanted = hashOf([
    join(ROOT, "tsconfig.json"),
    join(ROOT, "tsconfig.build.json"),
    ...filesBelow(join(ROOT, "src")),
  ]);
  if (!rebuild && readIfThere(stamp) === wanted) return;
  say("Building …");
  // Built beside and swapped in, so that a build that fails or is killed leaves the last good one.
  const fresh = join(ROOT, `dist.${process.pid}`);
  rmSync(fresh, { recursive: true, force: true });
  const tsc = join(ROOT, "node_modules", "typescript", "bin", "tsc");
  run(process.execPath, [tsc, "-p", "tsconfig.build.json", "--outDir", fresh], "The build failed.");
  writeFileSync(join(fresh, ".built"), wanted);
  rmSync(join(ROOT, "dist"), { recursive: true, force: true });
  renameSync(fresh, join(ROOT, "dist"));
}

function run(command, args, failure) {
  const result = spawnSync(command, args, {
    cwd: ROOT,
    stdio: ["ignore", "pipe", "pipe"],
    encoding: "utf8",
    shell: process.platform === "win32",
  });
  if (result.status === 0) return;
  stop(`${failure}\n${result.error?.message ?? ""}${result.stdout ?? ""}${result.stderr ?? ""}`);
}

function filesBelow(directory) {
  return readdirSync(directory, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".ts") && !entry.name.endsWith(".test.ts"))
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .sort();
}

function hashOf(files) {
  const hash = createHash("sha256");
  for (const file of files) hash.update(file.slice(ROOT.length)).update("\0").update(readFileSync(file)).update("\0");
  return hash.digest("hex");
}

function readIfThere(file) {
  return existsSync(file) ? readFileSync(file, "utf8") : undefined;
}

function say(text) {
  process.stderr.write(`${text}\n`);
}

function stop(text) {
  say(text.trim());
  process.exit(1);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) prepare({ rebuild: process.argv.includes("--rebuild") });
