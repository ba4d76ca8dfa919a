// pgBackRest with the configuration in deploy/, and a repository of the drill's own. Commands run on the servers, as the servers' user.
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { makeOwnDirectory } from "./account.mjs";
import { deployFile } from "./fill-template.mjs";
import { run } from "./processes.mjs";

const STANZA = "tillgate";

export function openPgbackrest({ directory, account }) {
  const home = join(directory, "pgbackrest");
  makeOwnDirectory(home, account);
  const words = [`--config=${deployFile("pgbackrest/pgbackrest.conf")}`, `--stanza=${STANZA}`];
  const command = `pgbackrest ${words.join(" ")}`;
  // What differs from one machine to the other, for the servers too, which push WAL and restore. It wins over the file, and unlike a
  // word of the command it may be something that a command does not need.
  const env = {
    ...{ PGBACKREST_REPO1_PATH: `${home}/repository`, PGBACKREST_REPO1_CIPHER_PASS: randomBytes(24).toString("hex") },
    ...{ PGBACKREST_LOG_PATH: home, PGBACKREST_LOCK_PATH: home, PGBACKREST_SPOOL_PATH: home },
  };
  return {
    ...{ command, env },
    archiveCommand: (dataDir) => `${command} --pg1-path=${dataDir} archive-push %p`,
    /** A full backup of the server, which must be the primary. */
    backUp: async ({ dataDir, home: socketDir, postgresPort }, password) => {
      const line = [`--pg1-socket-path=${socketDir}`, `--pg1-port=${postgresPort}`, "--pg1-user=postgres"];
      const server = [`--pg1-path=${dataDir}`, ...line];
      const options = { account, env: { ...env, PATH: process.env.PATH, PGPASSWORD: password } };
      await run("pgbackrest", [...words, ...server, "stanza-create"], options);
      await run("pgbackrest", [...words, ...server, "--type=full", "backup"], options);
    },
  };
}
