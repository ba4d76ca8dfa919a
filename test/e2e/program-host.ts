import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { afterAll } from "vitest";

export type Ended = { readonly status: number | null; readonly stdout: string; readonly stderr: string };

const HOST = fileURLToPath(new URL("./program-host.mjs", import.meta.url));

/**
 * Commands of the built program, with its own reading of the environment and its own connections, one after the other in
 * one process: a process for each takes 0.55 s of processor time, most of it to load the program.
 */
export function useProgramHost(env: () => NodeJS.ProcessEnv, cwd: string): (...words: string[]) => Promise<Ended> {
  let host: ChildProcess | undefined;
  afterAll(async () => {
    if (host === undefined) return;
    const ended = once(host, "exit");
    host.disconnect();
    await ended;
  });
  return (...words) => {
    host ??= fork(HOST, { env: env(), cwd });
    return answerTo(host, words);
  };
}

function answerTo(host: ChildProcess, words: readonly string[]): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const onExit = () => reject(new Error(`the program ended instead of answering: ${words.join(" ")}`));
    host.once("exit", onExit);
    host.once("message", (ended) => {
      host.off("exit", onExit);
      resolve(ended as Ended);
    });
    host.send(words);
  });
}
