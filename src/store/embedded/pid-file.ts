import { readFile } from "node:fs/promises";
import path from "node:path";
import { undefinedIfMissing } from "./faults.ts";

/** What a running server says of itself in `postmaster.pid`. The last lines appear as the start goes on. */
export type PidFile = {
  readonly pid: number;
  /** With the process number, this names one run of one server. */
  readonly startedAt: string;
  readonly socketDir: string;
  readonly status: string;
};

export function pidFilePath(dataDir: string): string {
  return path.join(dataDir, "postmaster.pid");
}

export async function findPidFile(dataDir: string): Promise<PidFile | undefined> {
  const text = await readFile(pidFilePath(dataDir), "utf8").catch(undefinedIfMissing);
  return text === undefined ? undefined : parsePidFile(text);
}

/** Undefined for a file that was not written to its end, as a crash of the machine may leave it. */
export function parsePidFile(text: string): PidFile | undefined {
  const [pid = "", , startedAt = "", , socketDir = "", , , status = ""] = text.split("\n");
  // A single-user postgres, which accepts no connections, has its number with a minus.
  if (!/^-?\d+$/.test(pid)) return undefined;
  return { pid: Math.abs(Number(pid)), startedAt, socketDir, status: status.trim() };
}

export function isSameRun(one: PidFile, other: PidFile | undefined): boolean {
  return one.pid === other?.pid && one.startedAt === other.startedAt;
}
