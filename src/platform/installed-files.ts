import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/**
 * Where the program is installed, or the clone. This file lies two folders below it as a source, as compiled code (`dist/platform`)
 * and in the bundle (`dist/program`).
 */
const ROOT = new URL("../../", import.meta.url);

/** A file that is installed with the program, such as `migrations/`. */
export function installedFile(path: string): string {
  return fileURLToPath(new URL(path, ROOT));
}

/** Of the program, as its package says it. */
export function readVersion(): string {
  return JSON.parse(readFileSync(installedFile("package.json"), "utf8")).version;
}
