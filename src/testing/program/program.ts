import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

/** The built program as a process of its own, which a test can kill. */
export type RunningProgram = {
  /** Where it listens. */
  readonly url: string;
  readonly pid: number;
  readonly output: () => string;
  /** Answers its exit code; null when the signal killed it. */
  readonly end: (signal: NodeJS.Signals) => Promise<number | null>;
};

const PROGRAM = fileURLToPath(new URL("../../../bin/tillgate.mjs", import.meta.url));
const LISTENING = /"listening":"([^"]+)".*"msg":"ready"/;

/** Another Node, another place of the program, and as whom it runs. */
type ProgramOptions = {
  readonly node?: string;
  readonly program?: string;
  readonly cwd?: string;
  readonly uid?: number;
  readonly gid?: number;
};

/** Only what is given is in its environment. */
export async function startProgram(
  words: readonly string[],
  env: Readonly<Record<string, string>>,
  { node = process.execPath, program = PROGRAM, ...rest }: ProgramOptions = {},
): Promise<RunningProgram> {
  const child = spawn(node, [program, ...words], { ...rest, env, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  const url = await new Promise<string>((resolve, reject) => {
    const hear = (chunk: Buffer) => {
      output += chunk;
      const listening = LISTENING.exec(output)?.[1];
      if (listening !== undefined) resolve(listening);
    };
    child.stdout.on("data", hear);
    child.stderr.on("data", hear);
    child.once("exit", () => reject(new Error(`the program ended before it was ready:\n${output}`)));
  });
  return { url, pid: child.pid ?? 0, output: () => output, end: (signal) => end(child, signal) };
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
  const exited = once(child, "exit");
  child.kill(signal);
  await exited;
  return child.exitCode;
}
