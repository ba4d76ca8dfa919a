// Starts the real service, as a person would, on a data directory of its own.
import { spawn, spawnSync } from "node:child_process";
import { chmodSync, closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { sleep } from "./load.mjs";

const PROGRAM = fileURLToPath(new URL("../bin/tillgate.mjs", import.meta.url));

export async function startService() {
  const stateDir = mkdtempSync(join(tmpdir(), "tillgate-bench-"));
  chmodSync(stateDir, 0o755);
  const env = { ...process.env, TILLGATE_DATA_DIR: stateDir, PORT: "0" };
  // The log goes to a file, as it would in production: writing it is part of the work.
  const logFile = openSync(join(stateDir, "service.log"), "w");
  const child = spawn(process.execPath, [PROGRAM, "start"], { env, stdio: ["ignore", logFile, "inherit"] });
  closeSync(logFile);
  const sandbox = await sandboxFile(child, join(stateDir, "sandbox.json"));
  return {
    sandbox,
    stateDir,
    /** Resident memory of the service's own process, in MB. */
    rssMb: () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, "utf8"))?.[1]) / 1024,
    cli: (...words) => {
      const { status, stdout, stderr } = spawnSync(process.execPath, [PROGRAM, ...words], { env, encoding: "utf8" });
      if (status !== 0) throw new Error(`tillgate ${words.join(" ")}: ${stderr}`);
      return stdout;
    },
    stop: async () => {
      const ended = new Promise((resolve) => child.once("exit", resolve));
      child.kill("SIGTERM");
      await ended;
      rmSync(stateDir, { recursive: true, force: true });
    },
  };
}

async function sandboxFile(child, path) {
  for (let tries = 0; tries < 600; tries += 1) {
    if (child.exitCode !== null) throw new Error("the service did not start");
    if (existsSync(path)) return JSON.parse(readFileSync(path, "utf8"));
    await sleep(100);
  }
  throw new Error("the service did not start within a minute");
}
