import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdir, mkdtemp, readdir, readFile, readlink, rm, rmdir, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { Client } from "pg";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { dataPlace } from "../../testing/run/data-place.ts";
import { getNobody, isRoot, runAs } from "./account.ts";
import { type EmbeddedOptions, type EmbeddedServer, ensureDatabase, openEmbedded } from "./embedded.ts";
import { explainErrno, explainOutput } from "./faults.ts";
import { findPidFile } from "./pid-file.ts";
import { isAlive, isPostgres } from "./processes.ts";

const REPOSITORY = path.resolve(import.meta.dirname, "../../..");
const FAST: Record<string, string> = { fsync: "off" };

const directories: string[] = [];
const postgresDirs = new Set<string>();
const servers: EmbeddedServer[] = [];
const children: ChildProcess[] = [];

afterEach(async () => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
  await Promise.all(servers.splice(0).map((server) => server.release()));
  for (const directory of postgresDirs) await killServer(directory);
});

afterAll(async () => {
  for (const directory of directories) await rm(directory, { recursive: true, force: true, maxRetries: 5 });
});

async function makeDir(name = "state"): Promise<string> {
  const directory = await mkdtemp(path.join(dataPlace(), "tillgate-embedded-"));
  directories.push(directory);
  // As root, the server's account must be able to pass.
  await chmod(directory, 0o755);
  const stateDir = path.join(directory, name);
  postgresDirs.add(path.join(stateDir, "postgres"));
  return stateDir;
}

/** What the first test made: to make a data directory takes 1.3 s of processor time, to copy one 0.05 s. */
let made: string | undefined;

/** For tests whose subject is not how the data directory is made. */
async function makeWarmDir(name = "state"): Promise<string> {
  const stateDir = await makeDir(name);
  if (made === undefined) return stateDir;
  await mkdir(path.dirname(stateDir), { recursive: true });
  // With its owners, since as root the data belongs to another account.
  await promisify(execFile)("cp", ["-pR", made, stateDir]);
  return stateDir;
}

async function killServer(postgresDir: string): Promise<void> {
  const pidFile = await findPidFile(path.join(postgresDir, "data"));
  if (pidFile === undefined || !(await isPostgres(pidFile.pid))) return;
  process.kill(pidFile.pid, "SIGKILL");
  await vi.waitUntil(() => !isAlive(pidFile.pid), { timeout: 60_000, interval: 10 });
}

async function open(stateDir: string, claim: EmbeddedOptions["claim"], settings = FAST): Promise<EmbeddedServer> {
  const opened = await openEmbedded({ stateDir, claim, settings });
  if (!opened.ok) throw new Error(opened.error);
  servers.push(opened.value);
  return opened.value;
}

async function refusal(stateDir: string, claim: EmbeddedOptions["claim"], settings = FAST): Promise<string> {
  const opened = await openEmbedded({ stateDir, claim, settings });
  if (!opened.ok) return opened.error;
  servers.push(opened.value);
  throw new Error("expected a refusal");
}

async function query(server: EmbeddedServer, sql: string, database = "postgres"): Promise<unknown[]> {
  const client = new Client({ ...server.connection, database });
  await client.connect();
  try {
    return (await client.query({ text: sql, rowMode: "array" })).rows.flat();
  } finally {
    await client.end();
  }
}

async function serverPid(stateDir: string): Promise<number | undefined> {
  return (await findPidFile(path.join(stateDir, "postgres/data")))?.pid;
}

describe("starting", () => {
  it("starts cold, keeps what was written, and starts warm, with the disk never lied to", async () => {
    const stateDir = await makeDir();
    const cold = await open(stateDir, "service", {});
    await Promise.all([1, 2, 3].map(() => ensureDatabase(cold.connection, 'a "shop"')));
    await query(cold, "create table goods as select 7 as n", 'a "shop"');
    await cold.release();
    expect(await serverPid(stateDir)).toBeUndefined();

    const warm = await open(stateDir, "service", {});
    await ensureDatabase(warm.connection, 'a "shop"');
    expect(await query(warm, "select n from goods", 'a "shop"')).toEqual([7]);
    const names = ["fsync", "synchronous_commit", "data_checksums", "server_encoding", "listen_addresses"];
    const settings = await query(warm, `select current_setting(n) from unnest('{${names}}'::text[]) n`);
    expect(settings).toEqual(["on", "on", "on", "UTF8", ""]);
    expect(await query(warm, "select datcollate from pg_database where datname = 'postgres'")).toEqual(["C"]);
    expect((await stat(warm.connection.host)).mode & 0o777).toBe(0o700);
    await warm.release();
    made = stateDir;
  });

  it("takes a path with blanks, quotes and commas", async () => {
    const server = await open(await makeDir(`my "own", shop's $HOME`), "visitor");
    expect(await query(server, "select 1")).toEqual([1]);
  });

  it("puts the socket into the temporary directory when the path is too long for one", async () => {
    const stateDir = await makeWarmDir(path.join("long ".repeat(30), "state"));
    const server = await open(stateDir, "visitor");
    directories.push(server.connection.host);
    expect(await query(server, "select 1")).toEqual([1]);
    expect(server.connection.host.startsWith(stateDir)).toBe(false);
    expect((await stat(server.connection.host)).mode & 0o777).toBe(0o700);
  });

  it("starts one server for ten who come at once", async () => {
    const stateDir = await makeDir();
    const ten = await Promise.all(Array.from({ length: 10 }, () => open(stateDir, "visitor")));
    const starts = await Promise.all(ten.map((server) => query(server, "select pg_postmaster_start_time()::text")));
    expect(new Set(starts.flat()).size).toBe(1);
    await Promise.all(ten.map((server) => server.release()));
    expect(await serverPid(stateDir)).toBeUndefined();
  });

  it("removes what a killed initdb left, and starts anew", async () => {
    const stateDir = await makeDir();
    await mkdir(path.join(stateDir, "postgres/data.new-1/base"), { recursive: true });
    await chmod(stateDir, 0o755);
    await open(stateDir, "visitor");
    expect((await readdir(path.join(stateDir, "postgres"))).sort()).toEqual(["data", "postgres.log"]);
  });

  it("says what postgres says when it does not start", async () => {
    const sentence = await refusal(await makeWarmDir(), "visitor", { fsync: "off", nonsense: "1" });
    expect(sentence).toContain('FATAL:  unrecognized configuration parameter "nonsense"');
  });

  it("refuses the data of another major version", async () => {
    const stateDir = await makeWarmDir();
    await (await open(stateDir, "visitor")).release();
    await writeFile(path.join(stateDir, "postgres/data/PG_VERSION"), "12\n");
    const sentence = await refusal(stateDir, "visitor");
    expect(sentence).toContain("PostgreSQL 12");
    expect(sentence).toContain("PostgreSQL 18");
    expect(sentence).toContain(path.join(stateDir, "postgres/data"));
  });
});

describe("sharing", () => {
  let stateDir: string;

  beforeAll(async () => {
    stateDir = await makeWarmDir();
  });

  it("refuses a second service by the first one's process, which works on", async () => {
    const first = await open(stateDir, "service");
    expect(await refusal(stateDir, "service")).toBe(
      `Tillgate already runs on ${stateDir} (process ${process.pid}). Stop it first, or give this one its own data with TILLGATE_DATA_DIR.`,
    );
    expect(await query(first, "select 1")).toEqual([1]);
  });

  it("lets a visitor come and go under a running service", async () => {
    const service = await open(stateDir, "service");
    const pid = await serverPid(stateDir);
    const visitor = await open(stateDir, "visitor");
    await visitor.release();
    expect(await query(service, "select 1")).toEqual([1]);
    expect(await serverPid(stateDir)).toBe(pid);
  });

  it("stops the server when the last user leaves, be it a visitor", async () => {
    const service = await open(stateDir, "service");
    const visitor = await open(stateDir, "visitor");
    await service.release();
    expect(await query(visitor, "select 1")).toEqual([1]);
    await visitor.release();
    await visitor.release();
    expect(await serverPid(stateDir)).toBeUndefined();
  });

  it("gives the next service a server while the last one is still stopping", async () => {
    const first = await open(stateDir, "visitor");
    const [next] = await Promise.all([open(stateDir, "service"), first.release()]);
    expect(await query(next, "select 1")).toEqual([1]);
  });

  it("takes its place among the users again after its connection was cut", async () => {
    const service = await open(stateDir, "service");
    const holder = `select pid from pg_stat_activity where application_name = 'tillgate service ${process.pid}'`;
    const [before] = await query(service, holder);
    await query(service, `select pg_terminate_backend(${before})`);
    const locked = `${holder} and pid <> ${before} and (select count(*) from pg_locks l where l.pid = pg_stat_activity.pid and locktype = 'advisory') = 2`;
    await vi.waitUntil(async () => (await query(service, locked)).length === 1, { timeout: 60_000, interval: 20 });
    await (await open(stateDir, "visitor")).release();
    expect(await refusal(stateDir, "service")).toContain("already runs");
    expect(await query(service, "select 1")).toEqual([1]);
  });
});

describe("after a crash", () => {
  let stateDir: string;
  let child: string;

  /** Another process has to run the launcher to be killed; the build is there before any test runs. */
  beforeAll(async () => {
    stateDir = await makeWarmDir();
    const directory = await mkdtemp(path.join(dataPlace(), "tillgate-embedded-"));
    directories.push(directory);
    child = path.join(directory, "child.mjs");
    await writeFile(
      child,
      `import { openEmbedded } from ${JSON.stringify(path.join(REPOSITORY, "dist/store/embedded/embedded.js"))};
       const opened = await openEmbedded({ stateDir: process.argv[2], claim: "service", settings: { fsync: "off" } });
       console.log(opened.ok ? "open" : opened.error);`,
    );
  });

  it("adopts the server of a service that was killed", async () => {
    const service = spawn(process.execPath, [child, stateDir], { stdio: ["ignore", "pipe", "inherit"] });
    children.push(service);
    const [said] = await once(service.stdout, "data");
    expect(String(said)).toBe("open\n");
    const pid = await serverPid(stateDir);
    expect(await refusal(stateDir, "service")).toContain(`(process ${service.pid})`);

    const exit = once(service, "exit");
    service.kill("SIGKILL");
    await exit;
    const next = await open(stateDir, "service");
    expect(await serverPid(stateDir)).toBe(pid);
    await next.release();
    expect(await serverPid(stateDir)).toBeUndefined();
  });

  it("starts again after the server itself was killed", async () => {
    const first = await open(stateDir, "service", {});
    await query(first, "create table goods as select 7 as n");
    await killServer(path.join(stateDir, "postgres"));
    await first.release();

    const second = await open(stateDir, "service", {});
    expect(await query(second, "select n from goods")).toEqual([7]);
  });

  it.each(["this process", "another process of the server's user"])(
    "is not misled by a pid file that names %s",
    async (who) => {
      const dataDir = path.join(stateDir, "postgres/data");
      const first = await open(stateDir, "visitor");
      const pidFile = path.join(dataDir, "postmaster.pid");
      const left = await readFile(pidFile, "utf8");
      await first.release();

      const stranger = spawn("/bin/sleep", ["60"], { ...runAs(await stat(dataDir)), cwd: "/", stdio: "ignore" });
      children.push(stranger);
      const pid = who === "this process" ? process.pid : stranger.pid;
      await writeFile(pidFile, left.replace(/^\d+/, String(pid)));
      await writeFile(path.join(first.connection.host, ".s.PGSQL.5432.lock"), left.replace(/^\d+/, String(pid)));
      expect(await query(await open(stateDir, "visitor"), "select 1")).toEqual([1]);
    },
  );

  it("is not stopped by a pid file that was never written to its end", async () => {
    await (await open(stateDir, "visitor")).release();
    await writeFile(path.join(stateDir, "postgres/data/postmaster.pid"), "");
    expect(await query(await open(stateDir, "visitor"), "select 1")).toEqual([1]);
  });
});

describe("as root", () => {
  it.skipIf(!isRoot())("keeps the data elsewhere when nobody may enter the state directory (needs root)", async () => {
    const parent = path.dirname(await makeDir());
    await chmod(parent, 0o700);
    const stateDir = path.join(parent, ".tillgate");
    const first = await open(stateDir, "visitor");
    const elsewhere = await readlink(path.join(stateDir, "postgres/elsewhere"));
    directories.push(elsewhere);
    postgresDirs.add(path.join(elsewhere, "postgres"));
    expect(first.connection.host).toBe(path.join(elsewhere, "run"));
    await query(first, "create table goods as select 7 as n");
    await first.release();

    // Opening the way later must not make the data seem lost.
    await chmod(parent, 0o755);
    const second = await open(stateDir, "visitor");
    expect(await query(second, "select n from goods")).toEqual([7]);
    expect((await stat(stateDir)).mode & 0o777).toBe(0o755);
    await second.release();
    await rm(elsewhere, { recursive: true });
    await rmdir(path.dirname(elsewhere)).catch(() => undefined);
  });

  it("needs the user nobody", async () => {
    const stateDir = await makeDir();
    await mkdir(stateDir);
    const passwd = path.join(stateDir, "passwd");
    await writeFile(passwd, "root:x:0:0::/root:/bin/sh\nnobody:*:-2:-2::/var/empty:/usr/bin/false\n");
    expect(await getNobody(passwd)).toEqual({ ok: true, value: { uid: 4294967294, gid: 4294967294 } });
    await writeFile(passwd, "root:x:0:0::/root:/bin/sh\n");
    expect(await getNobody(passwd)).toMatchObject({ ok: false, error: expect.stringContaining('no user "nobody"') });
  });
});

describe("sentences", () => {
  it("names a full disk, whoever found it full", () => {
    const sentence = "There is no space left on the disk that holds /data; free some and start again.";
    const error = Object.assign(new Error("ENOSPC: write"), { code: "ENOSPC", syscall: "write", path: "/data" });
    expect(explainErrno(error, "/elsewhere")).toBe(sentence);
    const output = 'initdb: error: could not write to file "x": No space left on device\n';
    expect(explainOutput("Making the data directory", output, "/data")).toBe(sentence);
  });

  it("quotes the last line that says why, not one about somebody turned away meanwhile", () => {
    const output = [
      "2026-01-01 00:00:00.000 UTC [7] LOG:  starting PostgreSQL",
      "2026-01-01 00:00:00.001 UTC [7] FATAL:  could not create lock file",
      "2026-01-01 00:00:00.002 UTC [9] FATAL:  the database system is starting up",
      "2026-01-01 00:00:00.003 UTC [7] LOG:  database system is shut down",
    ].join("\n");
    expect(explainOutput("Starting PostgreSQL", output, "/data")).toBe(
      "Starting PostgreSQL in /data failed: FATAL:  could not create lock file",
    );
  });
});
