import { closeSync, fstatSync, openSync, readFileSync } from "node:fs";
import { fail, ok, type Result } from "../core/result.ts";

/** Far more than any secret of ours; a path that was mistaken for a log or a disk is not read into memory. */
const BYTES_MAX = 16_384;

/**
 * The secret in a file, as container platforms and systemd hand it over. Editors and `echo` end a file with a line break,
 * which is no part of the secret. The error is the end of a sentence; it repeats neither the content nor the path, since
 * people do put the secret itself where the path belongs.
 */
export function readSecretFile(path: string): Result<string, string> {
  try {
    const file = openSync(path, "r");
    try {
      const stat = fstatSync(file);
      if (!stat.isFile()) return fail("is not a regular file");
      if (stat.size > BYTES_MAX) return fail(`holds more than ${BYTES_MAX} bytes`);
      const text = readFileSync(file, "utf8").replace(/[\r\n]+$/, "");
      return text === "" ? fail("is empty") : ok(text);
    } finally {
      closeSync(file);
    }
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    return fail(REASONS[String(code)] ?? `could not be read (${String(code ?? "unknown reason")})`);
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: "is not there",
  ENOTDIR: "is not there",
  ENAMETOOLONG: "is not there",
  EACCES: "may not be read by this user",
  EISDIR: "is not a regular file",
};
