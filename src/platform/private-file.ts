import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

const OWNER_ONLY = 0o600;

/** Readable by its owner alone from its first byte on, and never seen half-written. */
export function writePrivateFile(path: string, content: string): void {
  mkdirSync(dirname(path), { recursive: true });
  const temporary = `${path}.${process.pid}.tmp`;
  writeFileSync(temporary, content, { mode: OWNER_ONLY });
  renameSync(temporary, path);
}
