// What the checks of deploy/ share: finding a tool, running it, and the three results that there are.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

export const ROOT = fileURLToPath(new URL("../..", import.meta.url));

export function isThere(tool) {
  return spawnSync("sh", ["-c", `command -v ${tool}`]).status === 0;
}

/** Whether it succeeded, and what it said; with `env`, nothing else is in its environment but the path. */
export function run(command, args, options = {}) {
  const env =
    options.env === undefined ? process.env : { PATH: process.env.PATH, HOME: process.env.HOME, ...options.env };
  const result = spawnSync(command, args, { cwd: ROOT, encoding: "utf8", ...options, env });
  return {
    ok: result.status === 0,
    output: result.stdout ?? "",
    said: `${result.error?.message ?? ""}${result.stdout ?? ""}${result.stderr ?? ""}`.trim(),
  };
}

export const ok = (file, tool, text) => ({ kind: "ok", file, tool, text });
export const skipped = (file, tool, text) => ({ kind: "skipped", file, tool, text });
export const failed = (file, tool, text) => ({ kind: "failed", file, tool, text });

/** The result of one run of a tool on one file. */
export function judge(file, tool, { ok: succeeded, said }, text) {
  return succeeded ? ok(file, tool, text) : failed(file, tool, said);
}
