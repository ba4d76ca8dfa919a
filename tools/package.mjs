// Makes the package that production runs: what was built, with the dependencies of the lockfile inside it. npm ignores
// the lockfile and the overrides of a package that it installs, and a shrinkwrap too unless a registry serves it;
// what is in the package it takes as it is.
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { prepare } from "./prepare.mjs";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
/** What of package.json is true of the package; what is for development stays out of it. */
const KEPT = [
  "name",
  "version",
  "description",
  "license",
  "type",
  "private",
  "engines",
  "bin",
  "dependencies",
  "overrides",
];
const ALWAYS_PACKED = ["LICENSE", "README.md"];
const SHRINKWRAP = "npm-shrinkwrap.json";

/** Answers the path of the package, in the directory that is given. */
export function makePackage(into) {
  prepare();
  const stage = mkdtempSync(join(tmpdir(), "tillgate-package-"));
  try {
    const manifest = readJson("package.json");
    const shrinkwrap = productionLock();
    for (const name of [...ALWAYS_PACKED, ...manifest.files]) if (existsSync(join(ROOT, name))) copy(name, stage);
    for (const place of Object.keys(shrinkwrap.packages)) if (place !== "") copyLocked(place, shrinkwrap, stage);
    const kept = Object.fromEntries(KEPT.map((member) => [member, manifest[member]]));
    const files = [...manifest.files, SHRINKWRAP];
    writeJson(join(stage, "package.json"), { ...kept, files, bundleDependencies: Object.keys(manifest.dependencies) });
    writeJson(join(stage, SHRINKWRAP), shrinkwrap);
    return join(into, pack(stage, into));
  } finally {
    rmSync(stage, { recursive: true, force: true });
  }
}

/** The lockfile without what only development needs; the embedded PostgreSQL is our only optional dependency. */
function productionLock() {
  const lock = readJson("package-lock.json");
  const { devDependencies: _, optionalDependencies: embedded, ...root } = lock.packages[""];
  const packages = Object.fromEntries(
    Object.entries(lock.packages)
      .filter(([place, { dev, devOptional }]) => place !== "" && !dev && !devOptional)
      .filter(([place]) => embedded[place.replace("node_modules/", "")] === undefined)
      // Where a package came from is the business of the machine that installs.
      .map(([place, { resolved: _, ...locked }]) => [place, locked]),
  );
  return { ...lock, packages: { "": { ...root, bundleDependencies: Object.keys(root.dependencies) }, ...packages } };
}

function copyLocked(place, { packages }, stage) {
  const { version } = readJson(join(place, "package.json"));
  if (version !== packages[place].version) {
    throw new Error(`${place} is version ${version}, and the lockfile has ${packages[place].version}: run npm ci`);
  }
  copy(place, stage);
}

/** Packages within packages are listed in the lockfile by themselves. */
function copy(name, stage) {
  const inner = join(ROOT, name, "node_modules");
  cpSync(join(ROOT, name), join(stage, name), { recursive: true, filter: (source) => source !== inner });
}

function pack(stage, into) {
  const args = ["pack", "--ignore-scripts", "--json", "--loglevel=error", "--pack-destination", into];
  const packed = spawnSync("npm", args, { cwd: stage, encoding: "utf8", shell: process.platform === "win32" });
  if (packed.status !== 0) throw new Error(`npm pack failed:\n${packed.error?.message ?? ""}${packed.stderr ?? ""}`);
  return JSON.parse(packed.stdout)[0].filename;
}

function readJson(name) {
  return JSON.parse(readFileSync(join(ROOT, name), "utf8"));
}

function writeJson(file, value) {
  writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (process.argv.includes("--instead-of-npm-pack")) {
    process.stderr.write("npm pack would leave the lockfile out. Make the package with: npm run package\n");
    process.exit(1);
  }
  process.stdout.write(`${makePackage(ROOT)}\n`);
}
