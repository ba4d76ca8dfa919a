import { linkSync, mkdirSync, renameSync, unlinkSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

const OWNER_ONLY = 0o600;

/** Readable by its owner alone from its first byte on, and never seen half-written. */
export function writePrivateFile(path: string, content: string): void {
  renameSync(writeBeside(path, content), path);
}

/** The same, but a file that is there already stays as it is. */
export function createPrivateFile(path: string, content: string): void {
  const temporary = writeBeside(path, content);
  try {
    linkSync(temporary, path);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  } finally {
    unlinkSync(temporary);
  }
}

function writeBeside(path: string, content: string): string {
  mkdirSync(dirname(path), { recursive: true });
  const temporary = `${path}.${process.pid}.tmp`;
  writeFileSync(temporary, content, { mode: OWNER_ONLY });
  return temporary;
}
