import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, vi } from "vitest";
import type { SandboxFile } from "../../app/sandbox/sandbox-credentials.ts";
import { loadConfig } from "../../config.ts";
import { type Service, startService } from "../../service.ts";
import { getDirectoryVersion } from "../../store/merchants/directory-version.ts";
import type { ProcessRole } from "../../store/processes/processes.ts";
import type { TestDatabase } from "../database/test-database.ts";

export type TestService = {
  /** Waits until the service knows of every change to the directory that is committed by now. */
  readonly settled: () => Promise<void>;
  readonly url: () => string;
  readonly stateDir: string;
  readonly sandbox: () => SandboxFile;
  /** A second process on the same database and master key, as in a cluster; stopped with the first. */
  readonly startSibling: (env?: Record<string, string>, role?: ProcessRole) => Promise<Service>;
  /** Every line that the service logged. */
  readonly logLines: () => readonly string[];
};

/** The whole service in this process, on a free port, over real HTTP; on the database that is given. */
export function useTestService(
  database: TestDatabase,
  env: Record<string, string> = {},
  role: ProcessRole = "all",
): TestService {
  const stateDir = mkdtempSync(join(tmpdir(), "tillgate-service-"));
  const lines: string[] = [];
  let service: Service | undefined;
  const siblings: Service[] = [];

  beforeAll(async () => {
    await database.createSandbox();
    const withSandbox = { TILLGATE_DATA_DIR: stateDir, TILLGATE_SANDBOX_DATABASE_URL: database.sandboxUrl, ...env };
    service = await startForTest(database.url, withSandbox, { lines, role });
  });
  afterAll(async () => {
    for (const each of [...siblings, service]) await each?.stop();
    rmSync(stateDir, { recursive: true, force: true });
  });
  return {
    url: () => service?.url ?? "",
    stateDir,
    settled: () => settled(database, service?.url ?? ""),
    startSibling: async (siblingEnv = {}, siblingRole = "all") => {
      const masterKey = readFileSync(join(stateDir, "master.key"), "utf8").trim();
      const sibling = await startForTest(
        database.url,
        {
          TILLGATE_MODE: "production",
          TILLGATE_PUBLIC_URL: "https://pay.example.com",
          TILLGATE_MASTER_KEY: masterKey,
          TILLGATE_TRUSTED_PROXIES: "none",
          HOST: "127.0.0.1",
          TILLGATE_SANDBOX_DATABASE_URL: database.sandboxUrl,
          ...siblingEnv,
        },
        { role: siblingRole },
      );
      siblings.push(sibling);
      return sibling;
    },
    sandbox: () => JSON.parse(readFileSync(join(stateDir, "sandbox.json"), "utf8")),
    logLines: () => lines,
  };
}

export async function settled(database: TestDatabase, url: string): Promise<void> {
  const wanted = Number(await getDirectoryVersion(database.db));
  await vi.waitFor(
    async () => {
      const metrics = await (await fetch(`${url}/metrics`)).text();
      const seen = Number(/^tillgate_directory_version (\d+)$/m.exec(metrics)?.[1]);
      expect(seen).toBeGreaterThanOrEqual(wanted);
    },
    { timeout: 60_000, interval: 50 },
  );
}

/**
 * Tests fail on purpose and often, from one address, and a busy machine is no outage: these limits are far away unless a test
 * brings them near.
 */
const GENEROUS = {
  TILLGATE_AUTH_FAILURES_BURST: "1000000",
  TILLGATE_AUTH_FAILURES_PER_SECOND: "1000000",
  TILLGATE_REQUEST_DEADLINE_MS: "60000",
};

export async function startForTest(
  databaseUrl: string,
  env: Record<string, string>,
  { lines = [], role = "all" }: { lines?: string[]; role?: ProcessRole } = {},
): Promise<Service> {
  const config = loadConfig({ ...GENEROUS, PORT: "0", DATABASE_URL: databaseUrl, ...env }, tmpdir());
  if (!config.ok) throw new Error(config.error.join("\n"));
  const started = await startService(config.value, { write: (line) => lines.push(line) }, role);
  if (!started.ok) throw new Error(started.error);
  return started.value;
}
