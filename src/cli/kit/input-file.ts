import { isUtf8 } from "node:buffer";
import { readFileSync } from "node:fs";
import { type CliContext, CliFault } from "./command.ts";

/** Reads a text that the command line names; `-` is the standard input. */
export async function readInputFile(context: CliContext, path: string): Promise<string> {
  if (path === "-") {
    const text = await context.readInput();
    // Bytes that are not UTF-8 have become this character on the way.
    if (text.includes("\uFFFD")) throw new CliFault("The standard input is not UTF-8 text.");
    return text;
  }
  const bytes = readBytes(path);
  if (!isUtf8(bytes)) {
    throw new CliFault(`${path} is not UTF-8 text. To convert it: iconv -f WINDOWS-1251 -t UTF-8 ${path}`);
  }
  return bytes.toString("utf8");
}

export function readBytes(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    throw new CliFault(`${path} cannot be read: ${reasonOf(error)}.`);
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file or directory",
  EACCES: "you may not open it",
  EISDIR: "it is a directory",
  ENOTDIR: "part of the path is not a directory",
  EEXIST: "it is there already",
  ENOSPC: "the disk is full",
  EROFS: "the disk is read-only",
};

/** The end of a sentence about a file. */
export function reasonOf(error: unknown): string {
  const code = error instanceof Error && "code" in error ? String(error.code) : "unknown error";
  return REASONS[code] ?? code;
}
