// Makes a clone ready to run: installs dependencies and builds, each only when needed. It uses Node and npm alone,
// because it runs before anything is installed.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const NODE_MIN = [20, 19];

export function prepare({ rebuild = false } = {}) {
  requireNode();
  if (!rebuild && isInstalled() && isBuilt()) return;
  const unlock = lock();
  try {
    if (!isInstalled()) install();
    if (rebuild || !isBuilt()) build({ checkTypes: rebuild });
  } finally {
    unlock();
  }
}

const LOCK = join(ROOT, ".prepare-lock");

/** One at a time: two installs in the same directory destroy each other. A lock whose owner is gone is taken over. */
function lock() {
  // npm ends itself on Ctrl-C and puts things back first; we must outlive it, or the next start meets it at work.
  const ignore = () => {};
  process.on("SIGINT", ignore);
  for (let told = false; ; ) {
    try {
      writeFileSync(LOCK, String(process.pid), { flag: "wx" });
      return () => {
        rmSync(LOCK, { force: true });
        process.off("SIGINT", ignore);
      };
    } catch (error) {
      if (error.code !== "EEXIST") throw error;
    }
    const owner = Number(readIfThere(LOCK) ?? 0);
    if (owner > 0 && !isAlive(owner)) rmSync(LOCK, { force: true });
    if (!told) say("Another terminal is installing or building here; waiting for it …");
    told = true;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === "EPERM";
  }
}

function requireNode() {
  const [major, minor] = process.versions.node.split(".").map(Number);
  if (major > NODE_MIN[0] || (major === NODE_MIN[0] && minor >= NODE_MIN[1])) return;
  stop(`Tillgate needs Node ${NODE_MIN.join(".")} or newer; this is ${process.versions.node}.`);
}

const INSTALLED = join(ROOT, "node_modules", ".tillgate-installed");
const BUILT = join(ROOT, "dist", ".built");

function installHash() {
  return hashOf([join(ROOT, "package-lock.json")]);
}

const RENDER_DOCS = join(ROOT, "tools", "render-docs.mjs");
const BUNDLE = join(ROOT, "tools", "bundle.mjs");

/** The service with the pages that it serves, and the SDK that the examples use. */
const BUILDS = [
  {
    ...{ project: "tsconfig.build.json", sources: "src", into: "dist", pages: "web", documents: "docs" },
  },
  {
    ...{ project: join("sdk", "tsconfig.json"), sources: join("sdk", "src"), into: join("sdk", "dist") },
    builder: join("sdk", "build.mjs"),
  },
];

function sourcesOfBuild() {
  const sources = BUILDS.flatMap(({ project, sources, pages, documents, builder }) => [
    join(ROOT, project),
    ...(builder === undefined ? [] : [join(ROOT, builder)]),
    ...filesBelow(join(ROOT, sources)).filter(isCompiled),
    ...(pages === undefined ? [] : filesBelow(join(ROOT, pages))),
    ...(documents === undefined ? [] : [...filesBelow(join(ROOT, documents)).filter(isShown), RENDER_DOCS, BUNDLE]),
  ]);
  return [join(ROOT, "tsconfig.json"), ...sources];
}

function isInstalled() {
  return readIfThere(INSTALLED) === installHash();
}

/**
 * What was built is current if no source changed since: by name, size and time, and where these differ, as in a copy, by
 * content. Every command asks; to read all the sources takes 75 ms of processor time, to look at their times 40 ms.
 */
function isBuilt() {
  if (!BUILDS.every(({ into }) => existsSync(join(ROOT, into)))) return false;
  const [builtContents, builtTimes] = (readIfThere(BUILT) ?? "").split("\n");
  const sources = sourcesOfBuild();
  const times = timesOf(sources);
  if (times === builtTimes) return true;
  if (hashOf(sources) !== builtContents) return false;
  noteBuilt(builtContents, times);
  return true;
}

/** The next command has less to read. Where this one may not write, that one reads all of it again. */
function noteBuilt(contents, times) {
  try {
    writeFileSync(BUILT, `${contents}\n${times}`);
  } catch (error) {
    if (!["EACCES", "EPERM", "EROFS"].includes(error.code)) throw error;
  }
}

function install() {
  say("Installing dependencies (once, about half a minute) …");
  run("npm", ["ci", "--no-audit", "--no-fund", "--loglevel=error"], "The dependencies could not be installed.");
  writeFileSync(INSTALLED, installHash());
}

/** Types are checked by `npm run check`, and here where a build is asked for: that takes 12 s of processor time instead of 2. */
function build({ checkTypes }) {
  say("Building …");
  const sources = sourcesOfBuild();
  // Times first: what changes after this line is built again.
  const times = timesOf(sources);
  const contents = hashOf(sources);
  for (const order of BUILDS) compile(order, checkTypes);
  writeFileSync(BUILT, `${contents}\n${times}`);
}

/** Built beside and swapped in, so that a build that fails or is killed leaves the last good one. */
function compile({ project, into: name, pages, documents, builder }, checkTypes) {
  const into = join(ROOT, name);
  const fresh = `${into}.${process.pid}`;
  const discard = () => rmSync(fresh, { recursive: true, force: true });
  discard();
  const tsc = join(ROOT, "node_modules", "typescript", "bin", "tsc");
  const unchecked = checkTypes ? [] : ["--noCheck"];
  const args = builder === undefined ? [tsc, "-p", project, "--outDir", fresh] : [join(ROOT, builder), fresh];
  run(process.execPath, [...args, ...unchecked], "The build failed.", discard);
  if (pages !== undefined) {
    const args = [join(ROOT, pages, "build.mjs"), join(fresh, pages)];
    run(process.execPath, args, "The pages could not be built.", discard);
  }
  if (documents !== undefined) {
    run(process.execPath, [RENDER_DOCS, fresh], "The pages of the documentation could not be built.", discard);
    run(process.execPath, [BUNDLE, fresh], "The program could not be bundled.", discard);
  }
  rmSync(into, { recursive: true, force: true });
  renameSync(fresh, into);
}

function run(command, args, failure, cleanUp = () => {}) {
  const result = spawnSync(command, args, {
    cwd: ROOT,
    stdio: ["ignore", "pipe", "pipe"],
    encoding: "utf8",
    shell: process.platform === "win32",
  });
  if (result.status === 0) return;
  cleanUp();
  rmSync(LOCK, { force: true });
  stop(`${failure}\n${result.error?.message ?? ""}${result.stdout ?? ""}${result.stderr ?? ""}`);
}

function filesBelow(directory) {
  return readdirSync(directory, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .sort();
}

function isCompiled(file) {
  return file.endsWith(".ts") && !file.endsWith(".test.ts");
}

/** Of the documents, what `/docs` serves; the decisions are for contributors. */
function isShown(file) {
  return /\.(md|yaml|json)$/.test(file) && !file.startsWith(join(ROOT, "docs", "decisions"));
}

function hashOf(files) {
  const hash = createHash("sha256");
  for (const file of files) hash.update(file.slice(ROOT.length)).update("\0").update(readFileSync(file)).update("\0");
  return hash.digest("hex");
}

function timesOf(files) {
  const hash = createHash("sha256");
  for (const file of files) {
    const { size, mtimeMs } = statSync(file);
    hash.update(`${file.slice(ROOT.length)}\0${size}\0${mtimeMs}\0`);
  }
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
