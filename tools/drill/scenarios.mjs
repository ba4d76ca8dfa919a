// What is broken, one after the other. Each breaks one thing while the load goes on; `mend` brings it back when the service has recovered.
import { runRestore } from "./restore.mjs";
import { sleep } from "./wait.mjs";

/** As deploy/patroni/patroni.yaml has it. */
const TTL_S = 20;
const AIM_S = 15;
const AFTER_TTL_S = TTL_S + AIM_S;
const ETCD_AWAY_MS = 40_000;
const FROZEN_FOR_MS = 40_000;
const PGBOUNCER_AWAY_MS = 1_000;

/** `door` is how the service reaches the database. */
export const SCENARIOS = [
  {
    name: "kill-primary",
    title: "kill -9 of the primary",
    aimS: AFTER_TTL_S,
    begin: killPrimary,
  },
  {
    name: "switchover",
    title: "switchover",
    aimS: AIM_S,
    begin: async ({ cluster }) => {
      const { primary, standby } = await cluster.healthy();
      await cluster.switchover(primary, standby);
    },
  },
  {
    name: "freeze-primary",
    title: "a frozen primary (SIGSTOP for 40 s)",
    aimS: AFTER_TTL_S,
    begin: async ({ cluster }) => {
      const { primary } = await cluster.healthy();
      primary.freeze();
      return async () => primary.thaw();
    },
    leastMs: FROZEN_FOR_MS,
  },
  {
    name: "lose-standby",
    title: "kill -9 of the synchronous standby",
    aimS: AIM_S,
    begin: async ({ cluster }) => {
      const { standby } = await cluster.healthy();
      await standby.kill();
      return async () => standby.start();
    },
  },
  {
    name: "etcd-away",
    title: "etcd away for 40 s (failsafe mode)",
    aimS: 1,
    begin: async ({ cluster }) => {
      await cluster.etcd.kill();
      return cluster.etcd.start;
    },
    leastMs: ETCD_AWAY_MS,
  },
  {
    name: "kill-api",
    title: "kill -9 of an api process",
    aimS: 5,
    begin: ({ gateway }) => gateway.processes.find(({ role }) => role === "api").kill(),
  },
  {
    name: "kill-worker",
    title: "kill -9 of a worker process",
    aimS: 5,
    begin: ({ gateway }) => gateway.processes.find(({ role }) => role === "worker").kill(),
  },
  {
    name: "kill-primary-hosts",
    title: "kill -9 of the primary, `DATABASE_URL` with three hosts",
    door: "hosts",
    aimS: AFTER_TTL_S,
    begin: killPrimary,
  },
  {
    name: "restart-pgbouncer",
    title: "kill -9 of PgBouncer, started again after 1 s",
    door: "pgbouncer",
    aimS: 5,
    begin: async ({ pgbouncer }) => {
      await pgbouncer.kill();
      await sleep(PGBOUNCER_AWAY_MS);
      await pgbouncer.start();
    },
  },
  // Not under load, and last: afterwards the cluster is another one.
  { name: "restore", run: runRestore },
];

/** In this order no scenario waits until a killed server follows again. */
export const SHORT = ["kill-worker", "kill-primary"];

async function killPrimary({ cluster }) {
  const { primary } = await cluster.healthy();
  await primary.kill();
  return async () => primary.start();
}
