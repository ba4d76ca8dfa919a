// Three database servers under Patroni, in strict synchronous mode, with HAProxy in front.
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { openEtcd } from "./etcd.mjs";
import { deployFile } from "./fill-template.mjs";
import { openNode } from "./node.mjs";
import { freePorts, HOST } from "./ports.mjs";
import { run, start } from "./processes.mjs";
import { until } from "./wait.mjs";

const SCOPE = "tillgate";
const NODES = ["node1", "node2", "node3"];
const START_WITHIN_MS = 90_000;
const HEALTHY_WITHIN_MS = 120_000;

export async function openCluster({ directory, account, programs, archiving }) {
  const [primaryPort, replicaPort, ...ports] = await freePorts(2 + 2 + 2 * NODES.length);
  const etcd = await openEtcd({ directory, account, ports: ports.slice(0, 2) });
  const passwords = { superuser: secret(), replication: secret(), rewind: secret() };
  const values = {
    ...{ SCOPE, ETCD_HOSTS: etcd.hosts, BIN_DIR: programs.postgres, NETWORK: `${HOST}/32`, WATCHDOG_MODE: "off" },
    ...{ SUPERUSER_PASSWORD: passwords.superuser, REPLICATION_PASSWORD: passwords.replication },
    REWIND_PASSWORD: passwords.rewind,
  };
  const nodes = NODES.map((name, place) => {
    const own = ports.slice(2 + 2 * place, 4 + 2 * place);
    return openNode({ name, directory, account, ports: own, values, archiving, patroni: programs.patroni });
  });
  const haproxy = startHaproxy({ directory, nodes, primaryPort, replicaPort });
  const cluster = {
    ...{ etcd, nodes, haproxy, primaryPort, passwords, scope: SCOPE },
    healthy: (withinMs = HEALTHY_WITHIN_MS) => untilHealthy(nodes, withinMs),
    primary: async () => {
      const { primary } = await until("there is a primary", () => rolesOf(nodes), HEALTHY_WITHIN_MS);
      return primary;
    },
    /** As `patronictl remove`, which asks at a terminal: the next server to start makes a new cluster. */
    forget: () => etcd.remove(`/service/${SCOPE}/`),
    switchover: async (from, to) => {
      const words = ["switchover", SCOPE, "--leader", from.name, "--candidate", to.name, "--force"];
      const said = await run(programs.patronictl, ["-c", from.config, ...words]);
      // It ends with 0 whatever happened.
      if (!said.includes("Successfully switched over")) throw new Error(`patronictl ${words.join(" ")}: ${said}`);
    },
  };
  for (const node of nodes) node.start();
  await cluster.healthy(START_WITHIN_MS);
  return cluster;
}

function secret() {
  return randomBytes(16).toString("hex");
}

function startHaproxy({ directory, nodes, primaryPort, replicaPort }) {
  const env = { HAPROXY_HOST: HOST, PRIMARY_PORT: String(primaryPort), REPLICA_PORT: String(replicaPort) };
  for (const { name, postgresPort, patroniPort } of nodes) {
    const prefix = name.toUpperCase();
    env[`${prefix}_HOST`] = HOST;
    env[`${prefix}_POSTGRES_PORT`] = String(postgresPort);
    env[`${prefix}_PATRONI_PORT`] = String(patroniPort);
  }
  const args = ["-db", "-f", deployFile("haproxy/postgres.cfg")];
  const logFile = join(directory, "haproxy-postgres.log");
  return start("haproxy", "haproxy", args, { env: { ...process.env, ...env }, logFile });
}

/** Who is what by Patroni's own list, while there is a primary; undefined while there is none. */
async function rolesOf(nodes) {
  const members = await firstList(nodes);
  const byRole = (role) => {
    const member = members?.find((each) => each.role === role && RUNS.includes(each.state));
    return nodes.find(({ name }) => name === member?.name);
  };
  const primary = byRole("leader");
  // The list is what is in etcd, and outlives a server by Patroni's TTL: the server itself is asked too.
  if (primary === undefined || (await primary.ask())?.role !== "primary") return undefined;
  return {
    primary,
    standby: byRole("sync_standby"),
    running: members.filter(({ state }) => RUNS.includes(state)).length,
  };
}

const RUNS = ["running", "streaming"];

async function firstList(nodes) {
  const lists = await Promise.all(nodes.map((node) => node.ask("cluster")));
  return lists.find((list) => list?.members?.some(({ role }) => role === "leader"))?.members;
}

function untilHealthy(nodes, withinMs) {
  const ask = async () => {
    const roles = await rolesOf(nodes);
    return roles?.standby !== undefined && roles.running === nodes.length ? roles : undefined;
  };
  return until("three servers run, one of them as the synchronous standby", ask, withinMs);
}
