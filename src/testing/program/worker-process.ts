import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, vi } from "vitest";
import type { TestDatabase } from "../database/test-database.ts";
import type { TestService } from "../service/test-service.ts";

const PROGRAM = fileURLToPath(new URL("../../../bin/tillgate.mjs", import.meta.url));
const START_TIMEOUT_MS = 120_000;

/** A worker in a process of its own, as an operator starts one; the sandbox is a child of it, and ends with it. */
export type WorkerProcess = {
  /** SIGKILL: it has no moment to tidy up. */
  readonly kill: () => Promise<void>;
  readonly stop: () => Promise<void>;
};

export async function startWorkerProcess(database: TestDatabase, service: TestService): Promise<WorkerProcess> {
  const env = {
    TILLGATE_MODE: "production",
    TILLGATE_PUBLIC_URL: "https://pay.example.com",
    TILLGATE_TRUSTED_PROXIES: "none",
    TILLGATE_MASTER_KEY: readFileSync(join(service.stateDir, "master.key"), "utf8").trim(),
    DATABASE_URL: database.url,
    TILLGATE_SANDBOX_DATABASE_URL: database.sandboxUrl,
    HOST: "127.0.0.1",
    PORT: "0",
  };
  const child = spawn(process.execPath, [PROGRAM, "start", "--role", "worker"], { env });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => (output += chunk));
  await vi.waitFor(() => expect(output).toContain('"msg":"ready"'), { timeout: START_TIMEOUT_MS, interval: 20 });
  return { kill: () => end(child, "SIGKILL"), stop: () => end(child, "SIGTERM") };
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once("exit", resolve));
  child.kill(signal);
  await ended;
}
