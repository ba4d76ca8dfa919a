// A backup from before five payouts is restored. The service must notice, send nothing until an operator resumes, and when the merchant
// repeats its payouts, none is paid again.
import { chownSync, readFileSync, writeFileSync } from "node:fs";
import { parse, stringify } from "yaml";
import { checkLedger, leftAmounts } from "./check.mjs";
import { doubledAmounts } from "./figures.mjs";
import { filledDeployFile } from "./fill-template.mjs";
import { startGateway, tillgate } from "./gateway.mjs";
import { PAYOUT_PATH, payoutBody } from "./load.mjs";
import { sleep, until } from "./wait.mjs";

const BEFORE = 10;
const AFTER = 5;
const FINAL_WITHIN_MS = 60_000;
const RESTORED_WITHIN_MS = 180_000;
/** Longer than a worker needs to send a payout that it may send. */
const WATCH_PAUSED_MS = 6_000;

export async function runRestore(world) {
  const { cluster, inbox, pgbackrest, say } = world;
  const { primary } = await cluster.healthy();
  await payOut(world, newPayouts(world, BEFORE));
  say("restore: a full backup");
  await pgbackrest.backUp(primary, cluster.passwords.superuser);
  const bodies = newPayouts(world, AFTER);
  const first = await payOut(world, bodies);
  say("restore: all is stopped, and the backup is restored");
  await restoreCluster(world);
  world.gateway = await startGateway({ directory: world.directory, env: world.env, ports: world.gatewayPorts });
  const { paused, restores } = JSON.parse(await tillgate(world.env, "restore", "show", "--json"));
  const repeats = await Promise.all(bodies.map((body) => create(world, body)));
  await sleep(WATCH_PAUSED_MS);
  const endedWhilePaused = repeats.filter(({ requestId }) => inbox.finals.has(requestId)).length;
  const checked = await tillgate(world.env, "restore", "check").then(
    () => "passed",
    (error) => error.message,
  );
  say(`restore: paused ${paused}, check ${checked.split("\n")[0]}; resumed`);
  if (paused) await tillgate(world.env, "restore", "resume");
  await untilFinal(inbox, repeats);
  const own = new Set(bodies.map(({ payment }) => String(payment.amount)));
  const left = (await leftAmounts(world.providerUrl)).filter((amount) => own.has(amount));
  return {
    ...{ name: "restore", acknowledged: first.length, repeated: repeats.length, paused, why: restores[0]?.why },
    ...{ endedWhilePaused, checked, paid: new Set(left).size, doubled: doubledAmounts(left).length },
    ledger: await checkLedger(world.env),
  };
}

function newPayouts({ projectId }, count) {
  return Array.from({ length: count }, () => payoutBody(projectId));
}

async function create({ merchant }, body) {
  const answer = await merchant.untilAnswered("create", PAYOUT_PATH, body);
  if (answer?.status !== 200) throw new Error(`a payout was answered ${answer?.status} ${answer?.json?.code}`);
  return { requestId: answer.json.request_id };
}

async function payOut(world, bodies) {
  const created = await Promise.all(bodies.map((body) => create(world, body)));
  await untilFinal(world.inbox, created);
  return created;
}

function untilFinal({ finals }, created) {
  const isOver = () => created.every(({ requestId }) => finals.has(requestId));
  return until("the payouts have ended", async () => isOver(), FINAL_WITHIN_MS);
}

/** As docs/operations.md has it: one server is made from the backup, the others from that one. */
async function restoreCluster({ gateway, cluster, pgbackrest, account }) {
  await gateway.stop();
  const { primary } = await cluster.healthy();
  for (const node of cluster.nodes) if (node !== primary) await node.stop();
  await primary.stop();
  await cluster.forget();
  for (const node of cluster.nodes) node.empty();
  const [first, ...others] = cluster.nodes;
  const plain = readFileSync(first.config, "utf8");
  const values = { PGBACKREST: pgbackrest.command, DATA_DIR: first.dataDir };
  const restore = parse(filledDeployFile("patroni/restore.yaml", values));
  const config = parse(plain);
  write(first.config, stringify({ ...config, bootstrap: { ...config.bootstrap, ...restore } }), account);
  first.start();
  await until("the restored server is the primary", cluster.primary, RESTORED_WITHIN_MS);
  for (const node of others) node.start();
  await cluster.healthy(RESTORED_WITHIN_MS);
  write(first.config, plain, account);
}

function write(path, text, { uid, gid }) {
  writeFileSync(path, text, { mode: 0o600 });
  if (uid !== undefined) chownSync(path, uid, gid);
}
