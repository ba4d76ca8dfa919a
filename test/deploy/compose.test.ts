import { execFileSync, spawnSync } from "node:child_process";
import { createPrivateKey, randomBytes, X509Certificate } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { loadConfig } from "../../src/config.ts";
import { openTestConnection } from "../../src/testing/run/global-setup.ts";
import { read } from "./deployed-processes.ts";
import { isThere } from "./tools.ts";

/** The two scripts of deploy/compose, run. */
const SECRETS_SH = fileURLToPath(new URL("../../deploy/compose/secrets.sh", import.meta.url));
const directory = mkdtempSync(join(tmpdir(), "tillgate-compose-"));
const secret = (name: string) => readFileSync(join(directory, "secrets", name), "utf8");
/** What it said, to either stream. */
const makeSecrets = () => {
  const { status, stdout, stderr } = spawnSync("sh", [SECRETS_SH, "pay.example.com"], {
    cwd: directory,
    encoding: "utf8",
  });
  expect(status).toBe(0);
  return stdout + stderr;
};
afterAll(() => rmSync(directory, { recursive: true }));

describe.skipIf(!isThere("openssl", "deploy/compose/secrets.sh"))("secrets.sh", () => {
  beforeAll(() => void makeSecrets());

  it("makes secrets that containers can read and other users of the machine cannot", () => {
    expect(statSync(join(directory, "secrets")).mode & 0o777).toBe(0o700);
    for (const name of readdirSync(join(directory, "secrets")))
      expect(statSync(join(directory, "secrets", name)).mode & 0o777, name).toBe(0o444);
  });

  it("makes what the service and the proxy take", () => {
    const env = { DATABASE_URL: secret("database_url").trim(), TILLGATE_MASTER_KEY: secret("master_key").trim() };
    expect(loadConfig(env, "/")).toMatchObject({ ok: true });
    expect(env.DATABASE_URL).toContain(`:${secret("database_password").trim()}@postgres:5432/`);
    const certificate = new X509Certificate(secret("tls_certificate"));
    expect(certificate.checkHost("pay.example.com")).toBe("pay.example.com");
    expect(certificate.checkPrivateKey(createPrivateKey(secret("tls_certificate")))).toBe(true);
  });

  it("changes nothing when it is run again", () => {
    const names = readdirSync(join(directory, "secrets"));
    const before = names.map(secret);
    expect(makeSecrets()).toBe("");
    expect(readdirSync(join(directory, "secrets"))).toEqual(names);
    expect(names.map(secret)).toEqual(before);
  });

  it("makes only what is missing", () => {
    const key = secret("master_key");
    rmSync(join(directory, "secrets", "tls_certificate"));
    expect(makeSecrets()).toContain("self-signed");
    expect(secret("master_key")).toBe(key);
  });
});

describe.skipIf(!isThere("psql", "deploy/compose/init-database.sql"))("init-database.sql", () => {
  const postgres = inject("postgres");
  // Roles belong to the whole server, which other tests share.
  const name = `tillgate_${randomBytes(6).toString("hex")}`;
  const admin = openTestConnection(postgres, "postgres");
  afterAll(async () => {
    await admin.run({ text: `drop database if exists ${name} with (force)` });
    await admin.run({ text: `drop role if exists ${name}` });
    await admin.close();
  });

  it("makes a user that owns its database and no other right", async () => {
    makeSecrets();
    const script = read("deploy/compose/init-database.sql")
      .replaceAll(/\btillgate\b/g, name)
      .replace("/run/secrets/", `${join(directory, "secrets")}/`);
    const env = { PATH: process.env.PATH, PGHOST: postgres.host, PGPORT: String(postgres.port), PGUSER: postgres.user };
    const words = ["--no-psqlrc", "--set=ON_ERROR_STOP=1", "--dbname=postgres", "--no-password"];
    execFileSync("psql", words, { env, input: script, stdio: ["pipe", "ignore", "pipe"] });
    const text = "select rolsuper, rolcreatedb, rolcreaterole, rolcanlogin from pg_roles where rolname = $1";
    expect(await admin.run({ text, values: [name] })).toEqual([
      { rolsuper: false, rolcreatedb: false, rolcreaterole: false, rolcanlogin: true },
    ]);
    const own = openTestConnection({ ...postgres, user: name }, name);
    await own.run({ text: "create table mine (id int)" });
    await own.close();
  });
});
