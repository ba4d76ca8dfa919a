import { execFileSync } from "node:child_process";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { SANDBOX_URL_SETTING } from "../../src/compose-sandbox.ts";
import { findSetting } from "../../src/store/processes/settings.ts";
import { useTestDatabase } from "../../src/testing/database/test-database.ts";
import { type RunningProgram, startProgram } from "../../src/testing/program/program.ts";

/** The program runs the sandbox in a process of its own, which begins and ends with it. */

// Most of it is waiting for processes to start.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

const MASTER_KEY = "5a".repeat(32);
const WAIT = { timeout: 60_000, interval: 50 };

const database = useTestDatabase();
const running: RunningProgram[] = [];
beforeAll(() => database.createSandbox());
afterAll(() => Promise.all(running.map(({ end }) => end("SIGKILL"))));

async function start(sandboxUrl = database.sandboxUrl): Promise<RunningProgram> {
  const program = await startProgram(["start", "--role", "worker"], {
    PATH: process.env.PATH ?? "",
    TILLGATE_MODE: "production",
    TILLGATE_PUBLIC_URL: "https://pay.example.com",
    TILLGATE_TRUSTED_PROXIES: "none",
    TILLGATE_MASTER_KEY: MASTER_KEY,
    DATABASE_URL: database.url,
    TILLGATE_SANDBOX_DATABASE_URL: sandboxUrl,
    HOST: "127.0.0.1",
    PORT: "0",
  });
  running.push(program);
  return program;
}

async function sandboxUrl(): Promise<string> {
  return (await findSetting(database.db, SANDBOX_URL_SETTING)) ?? "";
}

async function answers(url: string): Promise<boolean> {
  return fetch(`${url}/health`).then(
    ({ ok }) => ok,
    () => false,
  );
}

/** The process that listens there, which is a child of the program's and of no other. */
function sandboxPid(program: RunningProgram): number {
  const rows = execFileSync("ps", ["-A", "-o", "pid=,ppid="], { encoding: "utf8" }).trim().split("\n");
  const children = rows
    .map((row) => row.trim().split(/\s+/).map(Number))
    .filter(([, parent]) => parent === program.pid);
  expect(children).toHaveLength(1);
  return children[0]?.[0] ?? 0;
}

it.each(["SIGTERM", "SIGKILL"] as const)("ends with the service when that gets a %s", async (signal) => {
  const program = await start();
  const url = await sandboxUrl();
  expect(await answers(url)).toBe(true);
  expect(await program.end(signal)).toBe(signal === "SIGTERM" ? 0 : null);
  await vi.waitFor(async () => expect(await answers(url)).toBe(false), WAIT);
});

it("is started again where it was, and the log says so, when it ends by itself; other signals it leaves to the service", async () => {
  const program = await start();
  const url = await sandboxUrl();
  const pid = sandboxPid(program);
  for (const signal of ["SIGINT", "SIGHUP", "SIGTERM"] as const) process.kill(pid, signal);
  expect(await answers(url)).toBe(true);
  expect(sandboxPid(program)).toBe(pid);
  process.kill(pid, "SIGKILL");
  await vi.waitFor(() => expect(program.output()).toContain("the sandbox's process ended; it is started again"), WAIT);
  await vi.waitFor(async () => expect(await answers(url)).toBe(true), WAIT);
  expect(sandboxPid(program)).not.toBe(pid);
  expect(await program.end("SIGTERM")).toBe(0);
  await vi.waitFor(async () => expect(await answers(url)).toBe(false), WAIT);
});

it("knows nothing of the service's settings, and its lines are in the service's log", async () => {
  const program = await start();
  const environment = execFileSync("ps", ["eww", "-p", String(sandboxPid(program))], { encoding: "utf8" });
  expect(environment).toContain("PATH=");
  expect(environment).not.toContain(MASTER_KEY);
  expect(environment).not.toContain("TILLGATE_");
  await database.db.run({
    text: `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'tillgate sandbox' and datname = $1`,
    values: [/\/(\w+)\?/.exec(database.sandboxUrl)?.[1]],
  });
  await vi.waitFor(() => expect(program.output()).toContain("the sandbox lost a connection to its database"), WAIT);
  expect(await program.end("SIGTERM")).toBe(0);
});

it("stops the start, and says why, when its database cannot be used", async () => {
  const nowhere = database.sandboxUrl.replace(/_sandbox\?/, "_nowhere?");
  expect(nowhere).not.toBe(database.sandboxUrl);
  await expect(start(nowhere)).rejects.toThrow(/nowhere" does not exist/);
});
