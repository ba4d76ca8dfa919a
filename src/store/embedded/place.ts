import { createHash, randomBytes } from "node:crypto";
import { chmod, lchown, lstat, mkdir, mkdtemp, readlink, realpath, rmdir, stat, symlink } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { fail, ok, type Result } from "../../core/result.ts";
import { type Account, getNobody, isRoot, mayEnter, ownAccount, ROOT_UID } from "./account.ts";
import { hasCode, undefinedIfMissing } from "./faults.ts";

/** Where everything of one embedded server lies. */
export type Place = {
  /** What the person knows it by; for sentences. */
  readonly stateDir: string;
  /** Holds `data/` and `postgres.log`. */
  readonly postgresDir: string;
  readonly dataDir: string;
  readonly logFile: string;
  /** Where a new server puts its socket; a running one says itself where it has put it. */
  readonly socketDir: string;
  /** Where the binaries are copied to when they cannot be used from node_modules. */
  readonly stagingDir: string;
  readonly account: Account;
};

/** Where the server is when it runs as user `nobody`, which cannot enter the state directory. */
const COMMON_HOME = "/var/lib/tillgate";
/** `sun_path` without its final zero byte. */
const SOCKET_PATH_BYTES_MAX = process.platform === "darwin" ? 103 : 107;
const SOCKET_NAME = ".s.PGSQL.5432";

type Home = { readonly home: string; readonly account: Account };

export async function openPlace(stateDir: string): Promise<Result<Place, string>> {
  await makeDir(stateDir);
  const real = await realpath(stateDir);
  const found = isRoot() ? await findRootsHome(real) : ok({ home: real, account: ownAccount() });
  if (!found.ok) return found;
  const { home, account } = found.value;

  const postgresDir = path.join(home, "postgres");
  await makeDir(postgresDir);
  const socketDir = await openSocketDir(home, account);
  if (!socketDir.ok) return socketDir;
  return ok({
    stateDir,
    postgresDir,
    dataDir: path.join(postgresDir, "data"),
    logFile: path.join(postgresDir, "postgres.log"),
    socketDir: socketDir.value,
    stagingDir: isRoot() ? COMMON_HOME : postgresDir,
    account,
  });
}

/** Root's directories must be closed to other users; an ordinary user's are not checked. */
function dirMode(): number {
  return isRoot() ? 0o755 : 0o700;
}

async function makeDir(directory: string): Promise<void> {
  const created = await mkdir(directory, { recursive: true, mode: dirMode() });
  // Only a directory of our own making: a stricter mode that the user chose is kept.
  if (created !== undefined) await chmod(directory, dirMode());
}

async function findRootsHome(stateDir: string): Promise<Result<Home, string>> {
  const nobody = await getNobody();
  if (!nobody.ok) return nobody;
  const account = nobody.value;

  // Data that exists decides first: a directory whose mode was changed must not make the payments seem lost.
  const data = await stat(path.join(stateDir, "postgres", "data")).catch(undefinedIfMissing);
  if (data !== undefined) return openRootsData(stateDir, data);

  const pointer = path.join(stateDir, "postgres", "elsewhere");
  const elsewhere = await readlink(pointer).catch(undefinedIfMissing);
  if (elsewhere !== undefined) return openCommonHome(elsewhere, account);
  if ((await mayEnter(stateDir, account)) && (await mayGiveAway(stateDir, account)))
    return ok({ home: stateDir, account });
  return openCommonHome(await pointElsewhere(stateDir, pointer), account);
}

/** Data made by an ordinary user is served as that user, so that root's visit does not take it away from them. */
async function openRootsData(stateDir: string, { uid, gid }: Account): Promise<Result<Home, string>> {
  const account = { uid, gid };
  const postgresDir = path.join(stateDir, "postgres");
  if (uid === ROOT_UID) {
    return fail(
      `${postgresDir}/data belongs to root, as whom PostgreSQL does not run: chown -R nobody '${postgresDir}/data'.`,
    );
  }
  if (await mayEnter(postgresDir, account)) return ok({ home: stateDir, account });
  return fail(
    `PostgreSQL runs as user ${uid}, who cannot enter ${stateDir}: give it and the directories above it mode o+x.`,
  );
}

/** Some file systems (NFS, for one) do not let even root give a directory to another user. */
async function mayGiveAway(stateDir: string, account: Account): Promise<boolean> {
  const trial = await mkdtemp(path.join(stateDir, "trial-"));
  try {
    await lchown(trial, account.uid, account.gid);
    return (await lstat(trial)).uid === account.uid;
  } catch (error) {
    if (hasCode(error, "EPERM", "EACCES", "EINVAL", "ENOTSUP")) return false;
    throw error;
  } finally {
    await rmdir(trial);
  }
}

/**
 * The name has a random part and the state directory points to it, so that deleting the state directory is a fresh start for
 * staged data too, and moving it takes the data along. Of two that point at once, one wins.
 */
async function pointElsewhere(stateDir: string, pointer: string): Promise<string> {
  const name = `${shortHash(stateDir)}-${randomBytes(3).toString("hex")}`;
  await makeDir(path.dirname(pointer));
  try {
    await symlink(path.join(COMMON_HOME, name), pointer);
  } catch (error) {
    if (!hasCode(error, "EEXIST")) throw error;
  }
  return readlink(pointer);
}

async function openCommonHome(home: string, account: Account): Promise<Result<Home, string>> {
  if (path.dirname(home) !== COMMON_HOME)
    return fail(`${home} is not a place in ${COMMON_HOME}, where root keeps its data.`);
  const checked = await openStagingDir(COMMON_HOME);
  if (!checked.ok) return checked;
  await makeDir(home);
  return ok({ home, account });
}

/** No other user may be able to change what root runs from here. */
export async function openStagingDir(directory: string): Promise<Result<void, string>> {
  await makeDir(directory);
  const { uid, mode } = await lstat(directory);
  if (uid === ownAccount().uid && (mode & 0o022) === 0) return ok(undefined);
  return fail(
    `${directory} can be changed by other users (owner ${uid}, mode ${(mode & 0o777).toString(8)}); remove it.`,
  );
}

async function openSocketDir(home: string, account: Account): Promise<Result<string, string>> {
  const natural = path.join(home, "run");
  if (fitsSocket(natural)) {
    await makeDir(natural);
    if (isRoot()) await lchown(natural, account.uid, account.gid);
    await chmod(natural, 0o700);
    return ok(natural);
  }
  const tmp = await findTmp(account);
  return openPrivateDir(path.join(tmp, socketDirName(home, account)), account);
}

function socketDirName(home: string, account: Account): string {
  return `tillgate-${account.uid}-${shortHash(home)}`;
}

function fitsSocket(directory: string): boolean {
  return Buffer.byteLength(path.join(directory, SOCKET_NAME)) <= SOCKET_PATH_BYTES_MAX;
}

async function findTmp(account: Account): Promise<string> {
  const tmp = await realpath(os.tmpdir()).catch(() => "/tmp");
  const fits = fitsSocket(path.join(tmp, socketDirName("", account)));
  return fits && (await mayEnter(tmp, account)) ? tmp : "/tmp";
}

/** In a directory that every user can write to, another user may have created it first. */
async function openPrivateDir(directory: string, account: Account): Promise<Result<string, string>> {
  await mkdir(directory, { mode: 0o700 }).catch((error) => {
    if (!hasCode(error, "EEXIST")) throw error;
  });
  const entry = await lstat(directory);
  if (!entry.isDirectory() || (entry.uid !== account.uid && entry.uid !== ownAccount().uid)) {
    return fail(`${directory}, where the socket should be, belongs to another user (${entry.uid}); remove it.`);
  }
  if (isRoot()) await lchown(directory, account.uid, account.gid);
  await chmod(directory, 0o700);
  return ok(directory);
}

function shortHash(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 12);
}
