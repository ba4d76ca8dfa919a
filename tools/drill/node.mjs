// One database server: Patroni and the PostgreSQL that it runs.
import { chownSync, existsSync, readFileSync, readlinkSync, rmSync } from "node:fs";
import { join } from "node:path";
import { makeOwnDirectory } from "./account.mjs";
import { fillDeployFile } from "./fill-template.mjs";
import { HOST } from "./ports.mjs";
import { childrenOf, start } from "./processes.mjs";

const ASK_WITHIN_MS = 1_500;

export function openNode({ name, directory, account, ports: [postgresPort, patroniPort], values, archiving, patroni }) {
  const home = join(directory, name);
  const dataDir = join(home, "data");
  const config = join(home, "patroni.yaml");
  makeOwnDirectory(home, account);
  fillDeployFile(
    "patroni/patroni.yaml",
    {
      ...values,
      ...{ NODE_NAME: name, NODE_HOST: HOST, POSTGRES_PORT: postgresPort, PATRONI_PORT: patroniPort },
      ...{ DATA_DIR: dataDir, PGPASS_FILE: join(home, "pgpass"), SOCKET_DIR: home },
      ARCHIVE_COMMAND: archiving.archiveCommand(dataDir),
    },
    config,
  );
  makeReadable(config, account);
  /** PostgreSQL outlives its Patroni, and is found by its own file. The postmaster comes first: it makes the others. */
  const family = () => {
    const file = join(dataDir, "postmaster.pid");
    if (!existsSync(file)) return [];
    const postmaster = Number(readFileSync(file, "utf8").split("\n")[0]);
    return runsIn(postmaster, dataDir) ? [postmaster, ...childrenOf(postmaster)] : [];
  };
  let patroniProcess;
  return {
    ...{ name, config, dataDir, home, postgresPort, patroniPort },
    start: () => {
      const env = { ...process.env, ...archiving.env };
      patroniProcess = start(name, patroni, [config], {
        account,
        env,
        family,
        logFile: join(directory, `${name}.log`),
      });
    },
    stop: () => patroniProcess.end("SIGTERM"),
    /** As when the machine loses its power. */
    kill: () => patroniProcess.end("SIGKILL"),
    freeze: () => patroniProcess.signal("SIGSTOP"),
    thaw: () => patroniProcess.signal("SIGCONT"),
    empty: () => rmSync(dataDir, { recursive: true, force: true }),
    /** What Patroni says of its server, or of the cluster; undefined while it says nothing. */
    ask: async (what = "patroni") => {
      const signal = AbortSignal.timeout(ASK_WITHIN_MS);
      const answer = await fetch(`http://${HOST}:${patroniPort}/${what}`, { signal }).catch(() => undefined);
      return answer?.json().catch(() => undefined);
    },
  };
}

function makeReadable(path, { uid, gid }) {
  if (uid !== undefined) chownSync(path, uid, gid);
}

/** A file that a killed server left behind may name the number of another program by now. A server runs in its data directory. */
function runsIn(pid, dataDir) {
  try {
    return readlinkSync(`/proc/${pid}/cwd`) === dataDir;
  } catch {
    return false;
  }
}
