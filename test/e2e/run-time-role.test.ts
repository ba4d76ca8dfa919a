import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import pg from "pg";
import { afterAll, afterEach, beforeAll, expect, inject, it, vi } from "vitest";
import { createTillgate, credentialsFromSandboxFile } from "../../sdk/src/index.ts";
import { refreshStatistics } from "../../src/app/processes/fresh-statistics.ts";
import { createStatementLines } from "../../src/pool/store/statement-lines.ts";
import type { Service } from "../../src/service.ts";
import type { Database } from "../../src/store/db.ts";
import { migrate, readMigrations } from "../../src/store/migrate.ts";
import { openCommandLine } from "../../src/testing/program/command-line.ts";
import { checkLedger } from "../../src/testing/rigs/with-pool.ts";
import { openTestConnection } from "../../src/testing/run/global-setup.ts";
import { serviceKeyring } from "../../src/testing/service/service-keyring.ts";
import { startForTest } from "../../src/testing/service/test-service.ts";
import { readDocument } from "../contract/document-commands.ts";
import { payInAndOut } from "./through-sdk.ts";

/** "Database roles" of docs/operations.md, statement by statement: an owner migrates, and the service runs as another. */
const PROGRAM = fileURLToPath(new URL("../../bin/tillgate.mjs", import.meta.url));
const section = readDocument("docs/operations.md").split("## Database roles\n")[1]?.split("\n## ")[0] ?? "";
const [making = "", granting = ""] = [...section.matchAll(/^```sql\n([\s\S]*?)^```/gm)].map(([, block]) => block ?? "");

const postgres = inject("postgres");
const mark = randomBytes(6).toString("hex");
/** Roles belong to the whole server, which other tests share. */
const own = (text: string) => text.replaceAll("tillgate", `tillgate_${mark}`).replaceAll("'…'", "'secret'");
const names = { owner: own("tillgate_owner"), app: own("tillgate_app") };
const databases = { service: own("tillgate"), sandbox: own("tillgate_sandbox") };
const stateDir = mkdtempSync(join(tmpdir(), "tillgate-roles-"));

let app: Database;
let owner: Database;
let service: Service | undefined;

const urlOf = (user: string, database: string) =>
  `postgresql://${user}@/${database}?host=${encodeURIComponent(postgres.host)}&port=${postgres.port}`;

/** As psql would run it. */
async function runScript(user: string, database: string, script: string): Promise<void> {
  const [here = "", elsewhere = ""] = script.split(/^\\connect \S+\n/m);
  for (const [place, text] of [
    [database, here],
    [databases.service, elsewhere],
  ] as const) {
    const client = new pg.Client({ ...postgres, user, database: place });
    await client.connect();
    const statements = text.replaceAll(/^--.*\n/gm, "").split(/;\n/);
    for (const statement of statements) if (statement.trim() !== "") await client.query(statement);
    await client.end();
  }
}

async function tillgate(user: string, ...words: string[]) {
  const env = { PATH: process.env.PATH, DATABASE_URL: urlOf(user, databases.service), TILLGATE_DATA_DIR: stateDir };
  return promisify(execFile)(process.execPath, [PROGRAM, ...words], { env: { ...env, PORT: "0" } }).then(
    ({ stdout }) => ({ code: 0, said: stdout.trim() }),
    (error) => ({ code: error.code, said: `${error.stderr}`.trim() }),
  );
}

beforeAll(async () => {
  await runScript(postgres.user, "postgres", own(making));
  owner = openTestConnection({ ...postgres, user: names.owner }, databases.service);
  app = openTestConnection({ ...postgres, user: names.app }, databases.service);
});
afterEach(async () => {
  if (service !== undefined) expect((await checkLedger(app)).violations).toEqual([]);
});
afterAll(async () => {
  await service?.stop();
  await owner.close();
  await app.close();
  const admin = openTestConnection(postgres, "postgres");
  for (const name of Object.values(databases)) await admin.run({ text: `drop database ${name} with (force)` });
  for (const name of Object.values(names)) await admin.run({ text: `drop role ${name}` });
  await admin.close();
  rmSync(stateDir, { recursive: true, force: true });
});

it("the run-time user cannot migrate: start exits, and says which command is to be run", {
  timeout: 90_000,
}, async () => {
  const missing = readMigrations().length;
  const sentence = `${missing} migrations are missing, and this database user may not apply them`;
  for (const command of ["start", "migrate"]) {
    const { code, said } = await tillgate(names.app, command);
    expect([code, said]).toEqual([1, expect.stringContaining(sentence)]);
    expect(said).toContain("Run tillgate migrate with DATABASE_URL set for the user that owns the tables.");
    expect(said.split("\n")).toHaveLength(1);
  }
});

it("the owner migrates; until it has granted, commands and start say that a right is missing", {
  timeout: 90_000,
}, async () => {
  expect(section).toContain("tillgate_owner:…@db.internal/tillgate tillgate migrate");
  expect(await tillgate(names.owner, "migrate")).toEqual({
    code: 0,
    said: `Applied ${readMigrations().length} migrations.`,
  });
  for (const words of [["start"], ["merchant", "list"], ["migrate"]]) {
    const { code, said } = await tillgate(names.app, ...words);
    expect([code, said]).toEqual([1, expect.stringMatching(/^The database's user lacks a right: permission denied/)]);
    expect(said).toContain('"Database roles"');
  }
  await runScript(names.owner, databases.service, own(granting));
  expect(await tillgate(names.app, "migrate")).toEqual({ code: 0, said: "The schema is current." });
});

it("the service takes and pays money as the run-time user, and operators work as it", { timeout: 90_000 }, async () => {
  service = await startForTest(urlOf(names.app, databases.service), {
    TILLGATE_DATA_DIR: stateDir,
    TILLGATE_SANDBOX_DATABASE_URL: urlOf(names.app, databases.sandbox),
  });
  const sandbox = JSON.parse(readFileSync(join(stateDir, "sandbox.json"), "utf8"));
  const client = createTillgate({ baseUrl: service.url, credentials: credentialsFromSandboxFile(sandbox) });
  await payInAndOut(client);
  const command = openCommandLine(app, stateDir, { openKeyring: (db) => serviceKeyring(db, { stateDir }) });
  for (const words of [
    ["ledger", "check"],
    ["attention"],
    ["payment", "list"],
    ["pause", "payouts", "--reason", "a test"],
    ["resume", "payouts"],
    ["balance", "credit", sandbox.project_id, "100", "RUB", "--reference", "w-1", "--reason", "a test"],
    ["callback", "list"],
    ["callback", "key", "rotate"],
  ]) {
    const { exitCode, errors } = await command(...words);
    expect([words.join(" "), exitCode, errors]).toEqual([words.join(" "), 0, ""]);
  }
});

it("the run-time user compares statements, which takes a temporary table", async () => {
  await app.transaction(createStatementLines);
});

it.each([
  "create table mine (id int)",
  "drop table payments",
  "alter table transfers disable trigger all",
  "truncate transfers",
  "delete from transfers",
  "delete from payments",
  "update schema_migrations set checksum = ''",
])("the run-time user may not: %s", async (text) => {
  await expect(app.run({ text })).rejects.toMatchObject({ code: "42501" });
});

it("the run-time user gathers statistics of young tables", async () => {
  await app.run({
    text: "insert into settings (name, value) select 'test-' || n, '' from generate_series(1, 1000) n",
  });
  // The service in the test before may have been faster, and connections report what they changed a little later.
  const gathered = async () => {
    await refreshStatistics(app);
    const [row] = await app.run<{ rows: number }>({
      text: "select reltuples::int as rows from pg_class where relname = 'settings'",
    });
    expect(row?.rows).toBeGreaterThanOrEqual(1000);
  };
  await vi.waitFor(gathered, { timeout: 60_000, interval: 100 });
});

it("tables of a later version are the run-time user's to use at once; before, it says what is missing", async () => {
  const real = readMigrations();
  const version = real.length + 1;
  const later = { version, name: "later", sql: "create table later (id int)", checksum: "later" };
  const migrations = [...real, later];
  const refused = await migrate(app, { migrations });
  expect(refused).toMatchObject({ ok: false, error: expect.stringContaining("1 migration is missing, and this") });
  expect(await migrate(owner, { migrations })).toEqual({ ok: true, value: 1 });
  expect(await migrate(app, { migrations })).toEqual({ ok: true, value: 0 });
  await app.run({ text: "insert into later (id) values (1)" });
  await app.run({ text: "update later set id = 2" });
  await expect(app.run({ text: "delete from later" })).rejects.toMatchObject({ code: "42501" });
});

it("the granted deletes are those that the store makes", () => {
  const store = fileURLToPath(new URL("../../src/store", import.meta.url));
  const files = readdirSync(store, { recursive: true, encoding: "utf8" }).filter((file) =>
    /(?<!\.test)\.ts$/.test(file),
  );
  const migrations = readMigrations().map(({ sql }) => sql);
  const texts = [...files.map((file) => readFileSync(join(store, file), "utf8")), ...migrations];
  const deleted = texts.flatMap((text) => [...text.matchAll(/\bdelete from (\w+)/g)].map(([, table]) => table));
  const granted = [...granting.matchAll(/grant delete on (.+) to/g)].flatMap(([, list = ""]) => list.split(", "));
  expect([...new Set(deleted)].sort()).toEqual(granted.sort());
});
