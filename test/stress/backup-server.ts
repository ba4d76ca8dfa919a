import { spawnSync } from "node:child_process";
import { chmodSync, chownSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Database, openDatabase } from "../../src/store/db.ts";
import { type EmbeddedServer, ensureDatabase, openEmbedded } from "../../src/store/embedded/embedded.ts";
import { dataPlace } from "../../src/testing/run/data-place.ts";

/** A PostgreSQL of its own, of which a test takes backups while it is used, and which it brings back from one of them. */
export type BackupServer = {
  readonly url: string;
  readonly db: Database;
  /** By PostgreSQL's own way: the files while they are written to, then the log up to a restore point of this name. */
  readonly backUp: (name: string) => Promise<void>;
  /** Stops it, puts the backup in its place, and recovers to the restore point: a new timeline begins there. */
  readonly restore: (name: string) => Promise<void>;
  readonly close: () => Promise<void>;
};

const DATABASE = "tillgate";
const SETTINGS = { fsync: "off", full_page_writes: "on", max_connections: "100" };

export async function openBackupServer(): Promise<BackupServer> {
  const stateDir = mkdtempSync(join(dataPlace(), "tillgate-backup-"));
  chmodSync(stateDir, 0o755);
  const dataDir = join(stateDir, "postgres", "data");
  const placeOf = (name: string) => join(stateDir, name);
  let server = await start({});
  await ensureDatabase(server.connection, DATABASE);
  const { host, port, user } = server.connection;
  const db = openDatabase({
    connection: { ...server.connection, database: DATABASE },
    connectionsMax: 5,
    applicationName: "tillgate test",
    onIdleError: () => undefined,
  });

  async function start(settings: Readonly<Record<string, string>>): Promise<EmbeddedServer> {
    const started = await openEmbedded({ stateDir, settings: { ...SETTINGS, ...settings }, claim: "service" });
    if (!started.ok) throw new Error(started.error);
    return started.value;
  }

  /** As the server's own user, which may be another than the test's. */
  function write(path: string, text: string): void {
    writeFileSync(path, text);
    const { uid, gid } = statSync(dataDir);
    chownSync(path, uid, gid);
  }

  return {
    url: `postgresql://${user}@/${DATABASE}?host=${encodeURIComponent(host)}&port=${port}`,
    db,
    backUp: async (name) => {
      const client = await db.connect();
      try {
        await client.query("select pg_backup_start($1, true)", [name]);
        copy(dataDir, placeOf(name));
        const { rows } = await client.query("select labelfile from pg_backup_stop(false)");
        write(join(placeOf(name), "backup_label"), rows[0].labelfile);
        await client.query("select pg_create_restore_point($1)", [name]);
        await client.query("select pg_switch_wal()");
        copy(join(dataDir, "pg_wal"), join(placeOf(name), "pg_wal"));
        rmSync(join(placeOf(name), "postmaster.pid"));
      } finally {
        await client.end();
      }
    },
    restore: async (name) => {
      await server.release();
      rmSync(dataDir, { recursive: true });
      copy(placeOf(name), dataDir);
      write(join(dataDir, "recovery.signal"), "");
      const target = { recovery_target_name: name, recovery_target_action: "promote", restore_command: "false" };
      server = await start(target);
    },
    close: async () => {
      await db.close();
      await server.release();
      rmSync(stateDir, { recursive: true, force: true });
    },
  };
}

/** A file that vanishes meanwhile is no fault: the log has it. */
function copy(from: string, to: string): void {
  spawnSync("cp", ["-a", "-T", from, to]);
}
