import type { Stats } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import path from "node:path";
import { fail, ok, type Result } from "../../core/result.ts";

/** The account of the operating system that initdb and postgres run as. */
export type Account = { readonly uid: number; readonly gid: number };

export const ROOT_UID = 0;
export const READ = 4;
export const WRITE = 2;
export const ENTER = 1;

export function ownAccount(): Account {
  return { uid: process.getuid?.() ?? ROOT_UID, gid: process.getgid?.() ?? ROOT_UID };
}

export function isRoot(): boolean {
  return ownAccount().uid === ROOT_UID;
}

/** PostgreSQL refuses to run as root; `nobody` is the one other account that every system has. */
export async function getNobody(passwdFile = "/etc/passwd"): Promise<Result<Account, string>> {
  const passwd = await readFile(passwdFile, "utf8").catch(() => "");
  const fields = passwd
    .split("\n")
    .find((line) => line.startsWith("nobody:"))
    ?.split(":");
  const uid = Number(fields?.[2] || Number.NaN);
  const gid = Number(fields?.[3] || Number.NaN);
  if (!Number.isInteger(uid) || !Number.isInteger(gid)) {
    return fail(
      `PostgreSQL does not run as root, and ${passwdFile} has no user "nobody" to run it as; start Tillgate as an ordinary user, or set DATABASE_URL.`,
    );
  }
  // macOS writes the id as -2, while stat and chown speak of the same one as 4294967294.
  return ok({ uid: uid >>> 0, gid: gid >>> 0 });
}

/** The part of spawn's options that gives the child its account. Only root can, and only root has to. */
export function runAs(account: Account): { uid?: number; gid?: number } {
  return isRoot() ? { uid: account.uid | 0, gid: account.gid | 0 } : {};
}

export function permits(entry: Stats, account: Account, bits: number): boolean {
  const shift = entry.uid === account.uid ? 6 : entry.gid === account.gid ? 3 : 0;
  return ((entry.mode >> shift) & bits) === bits;
}

/** Whether the account may go all the way down to this directory, which must exist and have no links in its path. */
export async function mayEnter(directory: string, account: Account): Promise<boolean> {
  const parent = path.dirname(directory);
  if (parent !== directory && !(await mayEnter(parent, account))) return false;
  return permits(await stat(directory), account, ENTER);
}
