// What the service holds in memory once all garbage is gone. Unlike resident memory, it says within a minute whether it grows.
import { existsSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { sleep } from "./http.mjs";

const SAYER = fileURLToPath(new URL("../programs/heap-sayer.mjs", import.meta.url));
const WITHIN_MS = 30_000;
const LOOK_EVERY_MS = 20;

/** What a process that is to be asked is started with. */
export const SAYS_ITS_HEAP = ["--expose-gc", "--import", SAYER];

export function heapFile(pid) {
  return join(tmpdir(), `tillgate-bench-heap-${pid}`);
}

/** In MB. */
export async function heapMbAfterGc(pid) {
  const path = heapFile(pid);
  const giveUpMs = performance.now() + WITHIN_MS;
  process.kill(pid, "SIGUSR2");
  while (!existsSync(path)) {
    if (performance.now() > giveUpMs) throw new Error(`the service did not say its heap within ${WITHIN_MS / 1000} s`);
    await sleep(LOOK_EVERY_MS);
  }
  const bytes = Number(readFileSync(path, "utf8"));
  rmSync(path);
  return bytes / 1024 / 1024;
}
