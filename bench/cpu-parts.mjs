// Processor time by who took it: the service, its sandbox, and PostgreSQL for each of the two.
import { cpuSeconds, familyCpuSeconds, mainThreadSeconds, nodeChildrenOf } from "./cpu.mjs";

const BACKENDS = `
  select pid, datname from pg_stat_activity
   where backend_type = 'client backend' and pid <> pg_backend_pid()`;

const SANDBOX_DATABASE = "tillgate_sandbox";

/**
 * Seconds so far. `postgresShared` is what no single database can be charged with: the log, checkpoints, vacuum, and sessions
 * that have ended, this benchmark's own among them.
 */
export async function readCpuParts(client, service) {
  const { rows } = await client.query(BACKENDS);
  const sumOf = (ofSandbox) =>
    rows
      .filter(({ datname }) => (datname === SANDBOX_DATABASE) === ofSandbox)
      .reduce((sum, { pid }) => sum + cpuSeconds(pid), 0);
  const [postgres, postgresSandbox] = [sumOf(false), sumOf(true)];
  const main = mainThreadSeconds(service.pid);
  return {
    serviceMain: main,
    serviceOther: cpuSeconds(service.pid) - main,
    postgres,
    sandbox: nodeChildrenOf(service.pid).reduce((sum, pid) => sum + familyCpuSeconds(pid), 0),
    postgresSandbox,
    postgresShared: familyCpuSeconds(service.postmasterPid) - postgres - postgresSandbox,
  };
}

/** Milliseconds of each part for one of `count`. */
export function cpuOfEach(before, after, count) {
  return Object.fromEntries(
    Object.entries(after).map(([part, seconds]) => [part, ((seconds - before[part]) / count) * 1000]),
  );
}
