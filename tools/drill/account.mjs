// PostgreSQL and PgBouncer refuse to run as root. Root runs them as `postgres`, or as `nobody` where there is no such user.
import { chownSync, mkdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const NAMES = ["postgres", "nobody"];
const OTHERS_MAY_ENTER = 0o001;

/** What `spawn` takes to run a program as that user; empty when we are not root. */
export function serverAccount() {
  if (process.getuid() !== 0) return {};
  const lines = readFileSync("/etc/passwd", "utf8").split("\n");
  for (const name of NAMES) {
    const [, , uid, gid] = lines.find((line) => line.startsWith(`${name}:`))?.split(":") ?? [];
    if (uid !== undefined) return { uid: Number(uid), gid: Number(gid) };
  }
  throw new Error(`PostgreSQL does not run as root, and there is no user ${NAMES.join(" or ")} to run it as`);
}

export function makeOwnDirectory(path, { uid, gid }) {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  if (uid !== undefined) chownSync(path, uid, gid);
}

/** Where Patroni is installed: in the clone, or, where the servers' user cannot enter it, in /var/lib. */
export function cacheDirectory() {
  const inClone = join(ROOT, ".tillgate-drill");
  return process.getuid() !== 0 || othersMayEnter(ROOT) ? inClone : "/var/lib/tillgate-drill";
}

function othersMayEnter(path) {
  if ((statSync(path).mode & OTHERS_MAY_ENTER) === 0) return false;
  return dirname(path) === path || othersMayEnter(dirname(path));
}
