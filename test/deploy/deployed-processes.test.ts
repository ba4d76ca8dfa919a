import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { understand } from "../../src/cli/kit/run.ts";
import { loadConfig } from "../../src/config.ts";
import { composeProcesses, kubernetesProcesses, read, systemdProcesses } from "./deployed-processes.ts";

/** Each process that a file of deploy/ starts: the program knows its words and its settings, and it fits into its limits. */
const processes = [...composeProcesses(), ...kubernetesProcesses(), ...systemdProcesses()];

/** What Node itself reads. */
const OF_NODE = ["NODE_ENV", "NODE_OPTIONS"];

const directory = mkdtempSync(join(tmpdir(), "tillgate-deploy-"));
const SECRETS: Readonly<Record<string, string>> = {
  DATABASE_URL_FILE: "postgresql://tillgate:secret@db.internal:5432/tillgate",
  TILLGATE_MASTER_KEY_FILE: "00".repeat(32),
};
beforeAll(() => {
  for (const [name, text] of Object.entries(SECRETS)) writeFileSync(join(directory, name), text);
});
afterAll(() => rmSync(directory, { recursive: true }));

function settingsThatAreRead(): Set<string> {
  const seen = new Set<string>();
  loadConfig(new Proxy({}, { get: (_target, name) => void seen.add(String(name)) }), "/");
  return seen;
}

/** A limit of the program, as its source names it. */
function limitOf(file: string, name: string): number {
  const [, text = ""] = new RegExp(`const ${name} = ([0-9_]+);`).exec(read(file)) ?? [];
  expect(text, `${name} in ${file}`).not.toBe("");
  return Number(text.replaceAll("_", ""));
}

it("are found in every file that starts one", () => {
  expect(processes.map(({ where }) => where)).toEqual([
    ...["migrate", "api-1", "api-2", "worker-1", "worker-2"].map((name) => `compose.yaml: ${name}`),
    ...["migrate-0-1-0", "api", "worker"].map((name) => `Kubernetes: tillgate-${name}`),
    ...["api@", "worker@", "migrate"].map((name) => `systemd: tillgate-${name}.service`),
  ]);
});

describe.each(processes)("$where", ({ words, env, memoryMb, graceS, where }) => {
  it("starts a command that there is", () => {
    expect(() => understand(words)).not.toThrow();
    expect(words.join(" ")).toMatch(/^(migrate|start --role (api|worker))$/);
    const [role = ""] = /api|worker|migrate/.exec(where.replace("compose.yaml", "")) ?? [];
    expect(words).toContain(role);
  });

  it("sets what the program reads, and all that production demands", () => {
    const known = [...settingsThatAreRead(), ...OF_NODE];
    expect(known).toEqual(expect.arrayContaining(Object.keys(env)));
    const given = Object.fromEntries(
      Object.entries(env).map(([name, value]) => [name, name in SECRETS ? join(directory, name) : value]),
    );
    expect(Object.keys(env)).toEqual(expect.arrayContaining(Object.keys(SECRETS)));
    expect(loadConfig(given, "/")).toMatchObject({ ok: true, value: { mode: "production" } });
  });

  it("migrates in a step of its own", () => {
    if (words[0] === "start") expect(env.TILLGATE_MIGRATE).toBe("off");
  });

  it("has time to finish what is under way", () => {
    if (words[0] === "start") expect(graceS).toBeGreaterThan(limitOf("src/main.ts", "STOP_WITHIN_MS") / 1000 + 5);
  });

  it("leaves memory beside the heap", () => {
    const [, heapMb] = /--max-old-space-size=(\d+)/.exec(env.NODE_OPTIONS ?? "") ?? [];
    expect(Number(heapMb)).toBeGreaterThanOrEqual(512);
    expect(memoryMb - Number(heapMb)).toBeGreaterThanOrEqual(256);
  });
});

describe("deploy/haproxy/tillgate.cfg", () => {
  const configuration = read("deploy/haproxy/tillgate.cfg");
  const timeoutMs = (name: string) => {
    const [, seconds] = new RegExp(`^ +timeout ${name} (\\d+)s$`, "m").exec(configuration) ?? [];
    return Number(seconds) * 1000;
  };

  it("waits longer than the service is silent, and drops idle connections before the service does", () => {
    expect(timeoutMs("server")).toBeGreaterThan(2 * limitOf("src/api/payer/streams.ts", "HEARTBEAT_MS"));
    expect(timeoutMs("client")).toBeGreaterThan(2 * limitOf("src/api/payer/streams.ts", "HEARTBEAT_MS"));
    expect(timeoutMs("http-keep-alive")).toBeLessThan(limitOf("src/api/server.ts", "KEEP_ALIVE_MS"));
  });

  it("takes a process out before it refuses connections", () => {
    const [, intervalMs, fall] = /check inter (\d+)ms .*\bfall (\d+)/.exec(configuration) ?? [];
    expect(Number(intervalMs) * Number(fall)).toBeLessThan(limitOf("src/service.ts", "DRAIN_NOTICE_MS"));
  });

  it("repeats nothing that was sent", () => {
    expect(configuration.match(/^ +retry-on .*$/gm)).toEqual(["    retry-on conn-failure"]);
  });
});
