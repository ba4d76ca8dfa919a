import type { Log } from "../../platform/log.ts";
import type { Keyring } from "../../platform/secrets.ts";
import type { Database } from "../../store/db.ts";
import { isUnavailable } from "../../store/faults.ts";
import { getDirectoryVersion } from "../../store/merchants/directory-version.ts";
import { reportTrouble } from "../processes/report-trouble.ts";
import { type Directory, loadDirectory } from "./directory.ts";
import { openDirectoryListener } from "./directory-listener.ts";

/** Keeps a directory current: a notification brings a change at once, a slow poll brings it if the notification is lost. */
export type DirectoryWatch = {
  /** Known to be no older than STALE_AFTER_MS; a promise only when the database must be asked first. */
  readonly current: () => Directory | Promise<Directory>;
  /** The copy as it is, however old: for what may lag a little. */
  readonly peek: () => Directory;
  /** How long ago the copy was last known to be current. */
  readonly ageMs: () => number;
  /** Which version is in use now, for the metrics. */
  readonly version: () => number;
  readonly close: () => Promise<void>;
};

const POLL_EVERY_MS = 1_000;
/** A revoked key works at most this long on a process that cannot reach the database; then nothing works there. */
const STALE_AFTER_MS = 4_000;

type Deps = { readonly db: Database; readonly keyring: Keyring; readonly log: Log };

export async function watchDirectory(deps: Deps): Promise<DirectoryWatch> {
  const { db, keyring, log } = deps;
  let startedMs = performance.now();
  let directory = await loadDirectory(db, keyring, log, undefined);
  let confirmedMs = startedMs;
  let checking: Promise<Directory> | undefined;
  let askedAgain = false;
  let closed = false;
  /** After a lost connection the server may be another one, which lacks the last versions and has others under their numbers. */
  let mustReadAll = false;

  async function check(): Promise<Directory> {
    startedMs = performance.now();
    const began = startedMs;
    if (mustReadAll || (await getDirectoryVersion(db)) !== directory.version) await load();
    confirmedMs = began;
    return directory;
  }

  async function load(): Promise<void> {
    const part = mustReadAll ? "all" : "changes";
    mustReadAll = false;
    try {
      directory = await loadDirectory(db, keyring, log, directory, part);
    } catch (error) {
      if (part === "all") mustReadAll = true;
      throw error;
    }
  }

  /** One check at a time; a change that arrives during one causes another, since that one may have missed it. */
  function refresh(): Promise<Directory> {
    if (checking !== undefined) {
      askedAgain = true;
      return checking;
    }
    checking = check().finally(() => {
      checking = undefined;
      if (askedAgain && !closed) {
        askedAgain = false;
        refresh().catch(reportStale);
      }
    });
    return checking;
  }

  function reportStale(error: unknown): void {
    reportTrouble(log, error, "the directory could not be checked");
    if (isUnavailable(error)) listener.drop();
  }

  function reportDeaf(error: unknown): void {
    reportTrouble(log, error, "cannot listen for changes to the directory");
  }

  const listener = openDirectoryListener(db, {
    onChange: () => refresh().catch(reportStale),
    onLost: () => {
      mustReadAll = true;
    },
  });

  function tick(): void {
    listener.ensure().catch(reportDeaf);
    (checking ?? refresh()).catch(reportStale);
  }

  await listener.ensure().catch(reportDeaf);
  await refresh();
  const timer = setInterval(tick, POLL_EVERY_MS);
  timer.unref();

  return {
    current: () => (performance.now() - confirmedMs <= STALE_AFTER_MS ? directory : (checking ?? refresh())),
    peek: () => directory,
    ageMs: () => performance.now() - confirmedMs,
    version: () => Number(directory.version),
    close: async () => {
      closed = true;
      clearInterval(timer);
      await checking?.catch(() => undefined);
      await listener.close();
    },
  };
}
