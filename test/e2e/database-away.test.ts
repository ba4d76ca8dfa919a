import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, expect, inject, vi } from "vitest";
import { useTestDatabase } from "../../src/testing/database/test-database.ts";
import { openTestServers } from "../../src/testing/database/test-servers.ts";
import { shortIt } from "../../src/testing/run/run-form.ts";

/** The program as an operator starts it, with a database that is away or that refuses it. */
const PROGRAM = fileURLToPath(new URL("../../bin/tillgate.mjs", import.meta.url));
const TIMEOUT_MS = 120_000;

const { url } = useTestDatabase();
const database = new URL(url.replace("@/", "@unix/")).pathname.slice(1);
const { user } = inject("postgres");
const servers = await openTestServers();
const children: ChildProcess[] = [];
afterEach(async () => {
  for (const child of children.splice(0)) await end(child);
});
afterAll(servers.close);

function launch(databaseUrl: string, ...words: string[]): { child: ChildProcess; output: () => string } {
  const env = {
    TILLGATE_MODE: "production",
    TILLGATE_PUBLIC_URL: "https://pay.example.com",
    TILLGATE_TRUSTED_PROXIES: "none",
    TILLGATE_MASTER_KEY: "ab".repeat(32),
    DATABASE_URL: databaseUrl,
    HOST: "127.0.0.1",
    PORT: "0",
  };
  const child = spawn(process.execPath, [PROGRAM, ...(words.length > 0 ? words : ["start", "--role", "api"])], { env });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => (output += chunk));
  children.push(child);
  return { child, output: () => output };
}

async function exitCode(child: ChildProcess): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) await new Promise((resolve) => child.once("exit", resolve));
  return child.exitCode;
}

async function end(child: ChildProcess): Promise<number | null> {
  child.kill("SIGTERM");
  return exitCode(child);
}

const says = (output: () => string, text: string) =>
  vi.waitFor(() => expect(output()).toContain(text), { timeout: TIMEOUT_MS, interval: 20 });

shortIt("waits for a database that is away, says so, and starts when it answers", { timeout: TIMEOUT_MS }, async () => {
  const hosts = `127.0.0.1:${servers.readOnly},127.0.0.1:${servers.dead}`;
  const { child, output } = launch(
    `postgresql://${user}:hunter2@${hosts}/${database}?target_session_attrs=read-write&sslmode=disable`,
  );
  await says(output, "waiting for the database");
  expect(output()).toMatch(/is read-only; 127\.0\.0\.1:\d+ connect ECONNREFUSED/);
  await servers.startDead();
  await says(output, '"msg":"ready"');
  expect(output().match(/waiting for the database/g)).toHaveLength(1);
  expect(output()).not.toMatch(/hunter2|\n {4}at /);
  expect(await end(child)).toBe(0);
});

shortIt("ends at once when it is told to stop while it waits", { timeout: TIMEOUT_MS }, async () => {
  const { child, output } = launch(`postgresql://${user}@127.0.0.1:${servers.frozen}/${database}?connect_timeout=1`);
  await says(output, "waiting for the database");
  expect(await end(child)).toBe(0);
  expect(output()).toContain("Stopped while waiting for the database.");
});

shortIt("a wrong database or user is no reason to wait", { timeout: TIMEOUT_MS }, async () => {
  const wrong = launch(`postgresql://${user}:hunter2@127.0.0.1:${servers.primary}/none?sslmode=disable`);
  const refused = launch(`postgresql://unknown:hunter2@127.0.0.1:${servers.primary}/none?sslmode=disable`);
  expect(await Promise.all([wrong, refused].map(({ child }) => exitCode(child)))).toEqual([1, 1]);
  expect(wrong.output()).toBe('The database at DATABASE_URL does not answer: database "none" does not exist\n');
  expect(refused.output()).toBe('The database at DATABASE_URL does not answer: role "unknown" does not exist\n');
});

shortIt("a command does not wait, and shows no password", { timeout: TIMEOUT_MS }, async () => {
  const { child, output } = launch(`postgresql://${user}:hunter2@127.0.0.1:1/${database}`, "attention");
  expect(await exitCode(child)).toBe(3);
  expect(output()).toMatch(/^The database at DATABASE_URL does not answer: .*ECONNREFUSED/);
  expect(output()).not.toContain("hunter2");
});
