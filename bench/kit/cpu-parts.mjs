// Processor time by who took it: the service's processes, their sandbox, and PostgreSQL for each of the two.
import { cpuSeconds, familyCpuSeconds, helpersOf, mainThreadSeconds } from "./cpu.mjs";

const BACKENDS = `
  select pid, case when pid = pg_backend_pid() then 'own'
                   when datname = 'tillgate_sandbox' then 'postgresSandbox' else 'postgres' end as part
    from pg_stat_activity where backend_type = 'client backend'`;

/** Seconds so far. */
export async function readCpu(client, { postmasterPid, processes }, loadSeconds = 0) {
  const { rows } = await client.query(BACKENDS);
  const pids = processes();
  const main = sum(pids.map(mainThreadSeconds));
  return {
    parts: {
      serviceMain: main,
      serviceOther: sum(pids.map(cpuSeconds)) - main,
      sandbox: sum(pids.flatMap(helpersOf).map(familyCpuSeconds)),
      load: loadSeconds,
    },
    server: familyCpuSeconds(postmasterPid),
    sessions: new Map(rows.map(({ pid, part }) => [pid, { part, seconds: cpuSeconds(pid) }])),
  };
}

/**
 * Milliseconds of each part for one of `count`. Sessions come and go, so each is compared with itself. `postgresShared` is
 * what no database can be charged with: the log, checkpoints, vacuum, and sessions that ended meanwhile. The time of the
 * session that asked is left out.
 */
export function cpuOfEach(before, after, count) {
  const since = (part) =>
    sum(
      [...after.sessions]
        .filter(([, session]) => session.part === part)
        .map(([pid, { seconds }]) => seconds - (before.sessions.get(pid)?.seconds ?? 0)),
    );
  const [postgres, postgresSandbox, own] = [since("postgres"), since("postgresSandbox"), since("own")];
  const postgresShared = after.server - before.server - postgres - postgresSandbox - own;
  const ofProcesses = Object.entries(after.parts).map(([part, seconds]) => [part, seconds - before.parts[part]]);
  const all = { ...Object.fromEntries(ofProcesses), postgres, postgresSandbox, postgresShared };
  return Object.fromEntries(Object.entries(all).map(([part, seconds]) => [part, (seconds / count) * 1000]));
}

/** As the published tables have it: what both databases share is charged to the service's, which writes most of it. */
export function publishedCpu({ serviceMain, serviceOther, postgres, postgresShared, sandbox, postgresSandbox, load }) {
  return {
    serviceMs: serviceMain + serviceOther,
    postgresMs: postgres + postgresShared,
    sandboxMs: sandbox + postgresSandbox,
    loadMs: load,
  };
}

function sum(numbers) {
  return numbers.reduce((total, number) => total + number, 0);
}
