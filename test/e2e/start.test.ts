import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { connect, createServer } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createTillgate, credentialsFromSandboxFile } from "../../sdk/src/index.ts";
import { openEmbedded } from "../../src/store/embedded/embedded.ts";
import { openAccountClient } from "../../src/testing/account-client.ts";
import { dataPlace } from "../../src/testing/run/data-place.ts";
import { longIt, shortIt, variants } from "../../src/testing/run/run-form.ts";

/** The program as a person starts it, with its own embedded PostgreSQL, on a path with a blank in it. */
const PROGRAM = fileURLToPath(new URL("../../bin/tillgate.mjs", import.meta.url));
const START_TIMEOUT_MS = 120_000;

let home = "";
let stateDir = "";
const children: ChildProcess[] = [];

beforeEach(() => {
  home = mkdtempSync(join(dataPlace(), "tillgate start "));
  chmodSync(home, 0o755);
  stateDir = join(home, "state dir");
});

afterEach(async () => {
  for (const child of children.splice(0)) await stop(child, "SIGTERM");
  rmSync(home, { recursive: true, force: true });
});

/** What a first start left, to be copied: a start on it costs half as much processor time as one that makes a database. */
let afterFirstStart = "";
afterAll(() => rmSync(afterFirstStart, { recursive: true, force: true }));

function keepForLater(): void {
  afterFirstStart = mkdtempSync(join(dataPlace(), "tillgate started "));
  chmodSync(afterFirstStart, 0o755);
  copyData(stateDir, join(afterFirstStart, "state dir"));
}

/** With its owners, since as root the database belongs to another account. */
function copyData(from: string, to: string): void {
  execFileSync("cp", ["-pR", from, to]);
}

/** Limits are for what hangs: beside a load of 8 a password took longer than the 5 s that a request has. */
const PATIENT = { TILLGATE_REQUEST_DEADLINE_MS: "60000" };

function environment(extra: Record<string, string> = {}): NodeJS.ProcessEnv {
  return { PATH: process.env.PATH, HOME: home, TILLGATE_DATA_DIR: stateDir, PORT: "0", ...PATIENT, ...extra };
}

function launch(extra: Record<string, string> = {}): { child: ChildProcess; output: () => string } {
  const child = spawn(process.execPath, [PROGRAM, "start"], { env: environment(extra), cwd: home });
  let output = "";
  child.stdout.on("data", (chunk) => {
    output += chunk;
  });
  child.stderr.on("data", (chunk) => {
    output += chunk;
  });
  children.push(child);
  return { child, output: () => output };
}

async function started(extra: Record<string, string> = {}) {
  const { child, output } = launch(extra);
  await vi.waitFor(() => expect(output()).toContain("Tillgate is running"), {
    timeout: START_TIMEOUT_MS,
    interval: 20,
  });
  return { child, output };
}

async function exitCode(child: ChildProcess): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) await new Promise((resolve) => child.once("exit", resolve));
  return child.exitCode;
}

async function stop(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  child.kill(signal);
  return exitCode(child);
}

function tillgate(...words: string[]) {
  return spawnSync(process.execPath, [PROGRAM, ...words], { env: environment(), cwd: home, encoding: "utf8" });
}

/** Asked from this process: a command takes half a second of processor time. */
async function expectCallAnswered(): Promise<void> {
  const sandbox = JSON.parse(readFileSync(join(stateDir, "sandbox.json"), "utf8"));
  const client = createTillgate({ baseUrl: sandbox.base_url, credentials: credentialsFromSandboxFile(sandbox) });
  expect((await client.balance.info()).balance).toHaveLength(8);
}

/** The embedded server's process, or undefined when it is not running. */
function postmasterPid(): number | undefined {
  const file = [join(stateDir, "postgres", "data", "postmaster.pid")].find(existsSync);
  return file === undefined ? undefined : Number(readFileSync(file, "utf8").split("\n")[0]);
}

function isAlive(pid: number | undefined): boolean {
  if (pid === undefined) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** With the login that the welcome prints; then it asks for a passkey, whose library is large and loaded late. */
async function signInAsWelcomed(welcome: string): Promise<void> {
  const [, url = "", email = "", password = ""] = /Account +(\S+)\/account\s+(\S+@\S+) (\S+)/.exec(welcome) ?? [];
  const client = openAccountClient(url);
  expect((await client.post("sign-in", { email, password })).json).toEqual({ next: "done", methods: [] });
  expect((await client.post("step-up", { kind: "password", code: password })).status).toBe(200);
  expect((await client.post("second-factor/passkeys/begin")).json).toMatchObject({ user: { name: email } });
}

/** The page of the desk, with its script. */
async function openDeskAsWelcomed(welcome: string): Promise<void> {
  const [, url = ""] = /Sandbox +(\S+\/sandbox)$/m.exec(welcome) ?? [];
  const page = await fetch(url);
  const [script = ""] = /sandbox\/desk\/assets\/desk-[\w-]+\.js/.exec(await page.text()) ?? [];
  expect([page.status, (await fetch(new URL(script, url))).status]).toEqual([200, 200]);
}

it("starts, welcomes, answers a signed call, and stops cleanly with its database", { timeout: 240_000 }, async () => {
  const { child, output } = await started();
  const sandboxFile = join(stateDir, "sandbox.json");
  expect(output()).toContain(sandboxFile);
  expect(output()).toMatch(/tillgate call \/api\/v1\/balance\/info/);
  expect(statSync(sandboxFile).mode & 0o777).toBe(0o600);
  const call = tillgate("call", "/api/v1/balance/info");
  expect(call.status).toBe(0);
  expect(JSON.parse(call.stdout).balance).toHaveLength(8);
  expect(tillgate("ledger", "check").status).toBe(0);
  await signInAsWelcomed(output());
  await openDeskAsWelcomed(output());
  expect(isAlive(postmasterPid())).toBe(true);
  expect(await stop(child, "SIGTERM")).toBe(0);
  // A server that was shut down in good order takes its file with it.
  expect(postmasterPid()).toBeUndefined();
  const { hmac_secret } = JSON.parse(readFileSync(sandboxFile, "utf8"));
  expect(output()).not.toContain(hmac_secret);
  keepForLater();
});

describe("on the data of an earlier start", () => {
  beforeEach(() => copyData(join(afterFirstStart, "state dir"), stateDir));

  shortIt(
    "says in one sentence that its port is taken, and leaves no database behind",
    { timeout: 240_000 },
    async () => {
      const blocker = createServer().listen(0, "127.0.0.1");
      await new Promise((resolve) => blocker.once("listening", resolve));
      const { port } = blocker.address() as { port: number };
      const { child, output } = launch({ PORT: String(port) });
      expect(await exitCode(child)).toBe(1);
      expect(output().trim()).toBe(
        `Port ${port} is taken by another program. Stop it, or choose another port: PORT=${port + 1} npm start`,
      );
      expect(postmasterPid()).toBeUndefined();
      blocker.close();
    },
  );

  it.each(variants(["Ctrl-C in the terminal"], ["SIGTERM to npm", "the terminal closed"]))(
    "npm start ends cleanly: %s",
    { timeout: 240_000 },
    async (how) => {
      const cwd = fileURLToPath(new URL("../..", import.meta.url));
      const child = spawn("npm", ["start"], { env: environment(), cwd, detached: true });
      children.push(child);
      let output = "";
      child.stdout.on("data", (chunk) => {
        output += chunk;
      });
      await vi.waitFor(() => expect(output).toContain("Tillgate is running"), {
        timeout: START_TIMEOUT_MS,
        interval: 20,
      });
      const group = -(child.pid ?? 0);
      if (how === "SIGTERM to npm") child.kill("SIGTERM");
      // A terminal signals everybody in it, and npm then passes the signal on once more.
      else process.kill(group, how === "Ctrl-C in the terminal" ? "SIGINT" : "SIGHUP");
      await vi.waitFor(() => expect(postmasterPid()).toBeUndefined(), { timeout: 60_000 });
      await exitCode(child);
    },
  );

  longIt("says in one sentence that data of another schema is to be removed", { timeout: 120_000 }, async () => {
    await giveOtherMigrations();
    const second = launch();
    expect(await exitCode(second.child)).toBe(1);
    const sentence = `The database in ${stateDir} was made by another version of Tillgate: remove that directory and start again.`;
    expect(second.output().trim()).toBe(sentence);
    for (const words of [["ledger", "check"], ["migrate"]]) {
      const refused = tillgate(...words);
      expect([refused.status, refused.stderr.trim()]).toEqual([1, sentence]);
    }
    rmSync(stateDir, { recursive: true });
    await started();
  });

  longIt(
    "starts again after kill -9, of itself alone and of its database too; credentials still work",
    {
      timeout: 360_000,
    },
    async () => {
      const first = await started();
      const before = readFileSync(join(stateDir, "sandbox.json"), "utf8");
      const orphan = postmasterPid();
      await stop(first.child, "SIGKILL");
      expect(isAlive(orphan)).toBe(true);
      const second = await started();
      expect(postmasterPid()).toBe(orphan);
      await expectCallAnswered();
      await stop(second.child, "SIGKILL");
      if (orphan !== undefined) process.kill(orphan, "SIGKILL");
      await vi.waitFor(() => expect(isAlive(orphan)).toBe(false), { timeout: 60_000 });
      await started();
      await expectCallAnswered();
      expect(tillgate("ledger", "check").status).toBe(0);
      const strip = (text: string) => ({ ...JSON.parse(text), base_url: "" });
      expect(strip(readFileSync(join(stateDir, "sandbox.json"), "utf8"))).toEqual(strip(before));
    },
  );

  shortIt(
    "refuses a second start, brings a killed database up again, and stops though connections are open",
    {
      timeout: 360_000,
    },
    async () => {
      const { child } = await started();
      await expectSecondStartRefused();
      await expectDatabaseBroughtUp();
      const close = await openUnfinishedConnections();
      expect(await stop(child, "SIGTERM")).toBe(0);
      expect(postmasterPid()).toBeUndefined();
      close();
    },
  );
});

/** The first is left alone. */
async function expectSecondStartRefused(): Promise<void> {
  const second = launch();
  expect(await exitCode(second.child)).toBe(1);
  expect(second.output()).toMatch(/already runs/);
  expect(second.output().trim().split("\n")).toHaveLength(1);
  await expectCallAnswered();
}

async function expectDatabaseBroughtUp(): Promise<void> {
  const killed = postmasterPid();
  if (killed !== undefined) process.kill(killed, "SIGKILL");
  await vi.waitFor(expectCallAnswered, { timeout: 60_000, interval: 200 });
  expect(postmasterPid()).not.toBe(killed);
}

/** One says nothing, and another has only begun to. */
async function openUnfinishedConnections(): Promise<() => void> {
  const { base_url } = JSON.parse(readFileSync(join(stateDir, "sandbox.json"), "utf8"));
  const { hostname, port } = new URL(base_url);
  const sockets = [connect(Number(port), hostname), connect(Number(port), hostname)];
  for (const socket of sockets) socket.on("error", () => undefined);
  await Promise.all(sockets.map((socket) => once(socket, "connect")));
  await new Promise<void>((resolve) =>
    sockets[1]?.write("POST /api/v1/balance/info HTTP/1.1\r\ncontent-length: 50\r\n\r\n{", () => resolve()),
  );
  await new Promise((resolve) => setTimeout(resolve, 100));
  return () => {
    for (const socket of sockets) socket.destroy();
  };
}

/** As a program with other and more migrations left it. */
async function giveOtherMigrations(): Promise<void> {
  const server = await openEmbedded({ stateDir, claim: "visitor" });
  if (!server.ok) throw new Error(server.error);
  const client = new pg.Client({ ...server.value.connection, database: "tillgate" });
  await client.connect();
  await client.query("update schema_migrations set checksum = 'other'");
  await client.query(
    `insert into schema_migrations (version, name, checksum)
     select coalesce(max(version), 0) + 1, 'more', 'more' from schema_migrations`,
  );
  await client.end();
  await server.value.release();
}

shortIt("lists everything that production mode lacks", async () => {
  const { child, output } = launch({ TILLGATE_MODE: "production" });
  expect(await exitCode(child)).toBe(2);
  for (const name of ["DATABASE_URL", "TILLGATE_PUBLIC_URL", "TILLGATE_MASTER_KEY", "TILLGATE_TRUSTED_PROXIES"])
    expect(output()).toContain(`- ${name} `);
  expect(existsSync(stateDir)).toBe(false);
});
