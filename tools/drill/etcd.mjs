// One etcd, where Patroni keeps who is the primary. In production there are three.
import { join } from "node:path";
import { makeOwnDirectory } from "./account.mjs";
import { HOST } from "./ports.mjs";
import { start } from "./processes.mjs";
import { until } from "./wait.mjs";

const START_WITHIN_MS = 20_000;

export async function openEtcd({ directory, account, ports: [clientPort, peerPort] }) {
  const home = join(directory, "etcd");
  makeOwnDirectory(home, account);
  const [client, peer] = [clientPort, peerPort].map((port) => `http://${HOST}:${port}`);
  const args = [
    ...["--name", "drill", "--data-dir", join(home, "data"), "--log-level", "warn"],
    ...["--listen-client-urls", client, "--advertise-client-urls", client],
    ...["--listen-peer-urls", peer, "--initial-advertise-peer-urls", peer, "--initial-cluster", `drill=${peer}`],
  ];
  let process;
  const etcd = {
    hosts: `${HOST}:${clientPort}`,
    start: async () => {
      process = start("etcd", "etcd", args, { account, logFile: join(directory, "etcd.log") });
      await until("etcd answers", async () => (await fetch(`${client}/health`)).ok, START_WITHIN_MS);
    },
    kill: () => process.end("SIGKILL"),
    /** All keys that begin with `prefix`. */
    remove: async (prefix) => {
      const body = JSON.stringify({ key: base64(prefix), range_end: base64(endOf(prefix)) });
      const answer = await fetch(`${client}/v3/kv/deleterange`, { method: "POST", body });
      if (!answer.ok) throw new Error(`etcd answers ${answer.status}`);
    },
  };
  await etcd.start();
  return etcd;
}

function base64(text) {
  return Buffer.from(text).toString("base64");
}

/** The first key that does not begin with it. */
function endOf(prefix) {
  return prefix.slice(0, -1) + String.fromCharCode(prefix.charCodeAt(prefix.length - 1) + 1);
}
