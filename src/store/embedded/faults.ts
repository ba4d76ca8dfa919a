/** Sentences for a person, for everything that may stop the embedded server. */

/** A fault of the operating system, as against a bug. */
export function isErrno(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && "syscall" in error && codeOf(error) !== undefined;
}

export function hasCode(error: unknown, ...codes: string[]): boolean {
  return codes.includes(codeOf(error) ?? "");
}

export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}

/** For the calls whose only expected fault is that the thing is not there. */
export function undefinedIfMissing(error: unknown): undefined {
  if (hasCode(error, "ENOENT", "ENOTDIR")) return undefined;
  throw error;
}

function diskFull(directory: string): string {
  return `There is no space left on the disk that holds ${directory}; free some and start again.`;
}

const DISK_FULL_WORDS = /No space left on device|Disk quota exceeded/i;

/** What a fault of the file system or of starting a program means for the person who started Tillgate. */
export function explainErrno(error: NodeJS.ErrnoException, directory: string): string {
  // A copy has two paths, and it is the second that had no room.
  const where = "dest" in error && typeof error.dest === "string" ? error.dest : (error.path ?? directory);
  switch (error.code) {
    case "ENOSPC":
    case "EDQUOT":
      return diskFull(where);
    case "EACCES":
    case "EPERM":
      return `Tillgate may not use ${where} (${error.code}); start it as the user who owns it, or give this one its own data with TILLGATE_DATA_DIR.`;
    case "EROFS":
      return `${where} is on a read-only file system; give Tillgate a writable directory with TILLGATE_DATA_DIR.`;
    default:
      return `The embedded PostgreSQL could not be set up in ${directory}: ${error.message}.`;
  }
}

/** What a program's output says about its failure. */
export function explainOutput(what: string, output: string, directory: string): string {
  if (DISK_FULL_WORDS.test(output)) return diskFull(directory);
  // Servers also log, as FATAL, that they refused a connection while they were starting.
  const lines = output.split("\n").filter((line) => line.trim() !== "" && !line.includes("the database system is "));
  const telling = lines.findLast((line) => /\b(FATAL|PANIC|ERROR|error):/.test(line)) ?? lines.at(-1);
  if (telling === undefined) return `${what} in ${directory} failed without a word.`;
  return `${what} in ${directory} failed: ${withoutPrefix(telling)}`;
}

/** A log line begins with its time and process, which say nothing to the reader of one sentence. */
function withoutPrefix(line: string): string {
  return line.replace(/^.*?\b(?=(?:FATAL|PANIC|ERROR|error): )/, "").trim();
}

export function cannotRun(error: NodeJS.ErrnoException): string {
  const glibc = error.code === "ENOENT" ? " (it needs glibc, which Alpine does not have)" : "";
  return `The embedded PostgreSQL cannot be run here: ${error.message}${glibc}; set DATABASE_URL to a PostgreSQL of your own.`;
}
