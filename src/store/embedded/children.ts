import type { SpawnOptions } from "node:child_process";
import { stat } from "node:fs/promises";
import { type Account, ENTER, permits, runAs, WRITE } from "./account.ts";

/** Nothing of our environment reaches the children: PGDATA, PGPORT or a locale in it would change what they do. */
const CHILD_ENV = { LC_ALL: "C", PATH: "/usr/bin:/bin", TZ: "UTC" };

export function childOptions(account: Account, env: Readonly<Record<string, string>> = {}): SpawnOptions {
  // The current directory may be closed to the child's account; the root directory is not.
  return { ...runAs(account), cwd: "/", env: { ...CHILD_ENV, ...env } };
}

/** POSIX shared memory lives in /dev/shm on Linux; where that cannot be used, files in the data directory do as well. */
export async function sharedMemorySettings(account: Account): Promise<Record<string, string>> {
  if (process.platform !== "linux") return {};
  const entry = await stat("/dev/shm").catch(() => undefined);
  const usable = entry?.isDirectory() === true && permits(entry, account, WRITE | ENTER);
  return usable ? {} : { dynamic_shared_memory_type: "mmap" };
}
