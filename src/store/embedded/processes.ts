import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { hasCode } from "./faults.ts";

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return hasCode(error, "EPERM");
  }
}

/** A number in a file may meanwhile belong to any process; never signal one that is not a postgres. */
export async function isPostgres(pid: number): Promise<boolean> {
  const [program] = await commandOf(pid);
  return program !== undefined && path.basename(program) === "postgres";
}

export async function isPostgresOn(pid: number, dataDir: string): Promise<boolean> {
  const [program, ...args] = await commandOf(pid);
  return program !== undefined && path.basename(program) === "postgres" && args.includes(dataDir);
}

async function commandOf(pid: number): Promise<string[]> {
  if (process.platform !== "linux") return commandFromPs(pid);
  const line = await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "");
  return line.split("\0").slice(0, -1);
}

/** ps joins the words with spaces, so the two that matter are cut out by their neighbours: `<program> -D <data> -p …`. */
async function commandFromPs(pid: number): Promise<string[]> {
  const { stdout } = await promisify(execFile)("/bin/ps", ["-ww", "-p", String(pid), "-o", "command="]).catch(() => ({
    stdout: "",
  }));
  const [, program, dataDir] = /^(.*?) -D (.*?) -p /.exec(stdout) ?? [];
  return program === undefined || dataDir === undefined ? [] : [program, "-D", dataDir];
}
