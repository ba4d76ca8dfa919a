// What the drill needs besides Node, and what to install where it is absent.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { cacheDirectory } from "./account.mjs";
import { run } from "./processes.mjs";

/** The system's own first: one in root's home could not be run by the servers' user. */
const PYTHON = existsSync("/usr/bin/python3") ? "/usr/bin/python3" : "python3";
const POSTGRES_HOME = "/usr/lib/postgresql";
const POSTGRES_MIN = 14;
/** Patroni 3.0.2 of Debian 12 let a former leader overwrite the key of the new one. */
const PATRONI = ["patroni[etcd3]>=4", "psycopg[binary]"];
const PROGRAMS = [
  { program: "etcd", word: "--version", package: "etcd-server" },
  { program: "haproxy", word: "-v", package: "haproxy" },
  { program: "pgbackrest", word: "version", package: "pgbackrest" },
];
/** Older ones do not carry prepared statements from connection to connection. */
const PGBOUNCER_MIN = [1, 21];

/** Programs with their versions, or a sentence for each that is absent. */
export function findRequirements() {
  const lacks = [];
  const versions = {};
  for (const { program, word, package: name } of PROGRAMS) {
    const version = versionOf(program, word);
    if (version === undefined) lacks.push(`${program} is absent: apt-get install ${name}`);
    else versions[program] = version;
  }
  const postgres = findPostgres();
  if (postgres === undefined) lacks.push(`PostgreSQL ${POSTGRES_MIN} or newer is absent: apt-get install postgresql`);
  else versions.postgresql = versionOf(join(postgres, "postgres"), "--version");
  if (!hasVenv()) lacks.push("Python cannot make a virtual environment: apt-get install python3-venv");
  const pgbouncer = findPgbouncer();
  if (pgbouncer !== undefined) versions.pgbouncer = versionOf(pgbouncer, "--version");
  return { lacks, versions, postgres, pgbouncer };
}

/** Installed once, in a virtual environment of the drill's own. */
export async function installPatroni() {
  const venv = join(cacheDirectory(), "patroni");
  const program = join(venv, "bin", "patroni");
  if (!existsSync(program)) {
    mkdirSync(cacheDirectory(), { recursive: true, mode: 0o755 });
    await run(PYTHON, ["-m", "venv", venv]);
    await run(join(venv, "bin", "pip"), ["install", "--quiet", "--disable-pip-version-check", ...PATRONI]);
  }
  return { patroni: program, patronictl: join(venv, "bin", "patronictl"), version: versionOf(program, "--version") };
}

function hasVenv() {
  return spawnSync(PYTHON, ["-c", "import venv, ensurepip"]).status === 0;
}

function findPostgres() {
  if (!existsSync(POSTGRES_HOME)) return undefined;
  const major = readdirSync(POSTGRES_HOME)
    .map(Number)
    .filter((version) => version >= POSTGRES_MIN && existsSync(`${POSTGRES_HOME}/${version}/bin/initdb`))
    .sort((one, other) => other - one)[0];
  return major === undefined ? undefined : `${POSTGRES_HOME}/${major}/bin`;
}

function findPgbouncer() {
  const program = process.env.TILLGATE_TEST_PGBOUNCER || "pgbouncer";
  const [major = 0, minor = 0] = (versionOf(program, "--version") ?? "").split(".").map(Number);
  const isNewEnough = major > PGBOUNCER_MIN[0] || (major === PGBOUNCER_MIN[0] && minor >= PGBOUNCER_MIN[1]);
  return isNewEnough ? program : undefined;
}

/** The first number with a point in what the program says of itself. */
function versionOf(program, word) {
  const { status, stdout, stderr } = spawnSync(program, [word], { encoding: "utf8" });
  return status === 0 ? /\d+\.\d+(\.\d+)?/.exec(`${stdout}${stderr}`)?.[0] : undefined;
}
