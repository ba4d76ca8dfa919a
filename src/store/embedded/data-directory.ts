import { spawn } from "node:child_process";
import { lchown, mkdir, open, readdir, readFile, rename, rm } from "node:fs/promises";
import path from "node:path";
import { fail, ok, type Result } from "../../core/result.ts";
import { isRoot } from "./account.ts";
import type { Binaries } from "./binaries.ts";
import { childOptions, sharedMemorySettings } from "./children.ts";
import { cannotRun, explainOutput, isErrno, undefinedIfMissing } from "./faults.ts";
import type { Place } from "./place.ts";

export const SUPERUSER = "tillgate";
/** initdb takes about a second here; a machine that needs two minutes has another trouble. */
const INITDB_LIMIT_MS = 120_000;
const ATTEMPT_PREFIX = "data.new-";

/** The settings decide only whether initdb waits for the disk. Called by the holder of the start lock. */
export async function ensureDataDirectory(
  place: Place,
  binaries: Binaries,
  settings: Readonly<Record<string, string>>,
): Promise<Result<void, string>> {
  const entries = await readdir(place.dataDir).catch(undefinedIfMissing);
  if (entries !== undefined && entries.length > 0) return checkVersion(place, binaries);

  // Every earlier attempt is dead, since we hold the lock.
  await removeAttempts(place);
  const attempt = path.join(place.postgresDir, `${ATTEMPT_PREFIX}${process.pid}`);
  try {
    await mkdir(attempt, { mode: 0o700 });
    if (isRoot()) await lchown(attempt, place.account.uid, place.account.gid);
    const made = await runInitdb(place, binaries, attempt, settings);
    if (!made.ok) return made;
    await rename(attempt, place.dataDir);
    await syncDirectory(place.postgresDir);
    return ok(undefined);
  } finally {
    await removeAttempts(place);
  }
}

async function checkVersion({ dataDir }: Place, { major }: Binaries): Promise<Result<void, string>> {
  const version = await readFile(path.join(dataDir, "PG_VERSION"), "utf8").catch(undefinedIfMissing);
  if (version === undefined) return fail(`${dataDir} is not a data directory of PostgreSQL; move it away.`);
  if (version.trim() === major) return ok(undefined);
  return fail(
    `The data in ${dataDir} was made by PostgreSQL ${version.trim()}, and this Tillgate brings PostgreSQL ${major}; move it away, or go back to the Tillgate that made it.`,
  );
}

async function removeAttempts({ postgresDir }: Place): Promise<void> {
  for (const name of await readdir(postgresDir)) {
    if (!name.startsWith(ATTEMPT_PREFIX)) continue;
    // An initdb whose parent was killed may still be writing; what it leaves behind goes next time.
    await rm(path.join(postgresDir, name), { recursive: true, force: true }).catch(() => undefined);
  }
}

async function runInitdb(
  place: Place,
  { initdb }: Binaries,
  directory: string,
  settings: Readonly<Record<string, string>>,
): Promise<Result<void, string>> {
  const args = ["-D", directory, "--username", SUPERUSER, "--encoding=UTF8", "--no-locale", "--data-checksums"];
  args.push("--auth-local=trust", "--auth-host=reject", "--no-instructions");
  if (settings.fsync === "off") args.push("--no-sync");
  for (const [name, value] of Object.entries(await sharedMemorySettings(place.account))) {
    args.push("--set", `${name}=${value}`);
  }

  const child = spawn(initdb, args, {
    ...childOptions(place.account),
    timeout: INITDB_LIMIT_MS,
    killSignal: "SIGKILL",
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk: Buffer) => (output += chunk));
  child.stdin?.end();
  const result = await new Promise<number | Error | null>((resolve) => {
    child.once("error", resolve);
    child.once("close", resolve);
  });
  if (result === 0) return ok(undefined);
  if (isErrno(result)) return fail(cannotRun(result));
  return fail(explainOutput("Making the data directory", output, place.postgresDir));
}

/** initdb has synced what is inside; the name it got is ours to make durable. */
async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
