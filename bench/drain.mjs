// How fast does work get done? Pay-ins that wait in the queue, with nobody else at work; and money that arrives for them.
import { openApplyPayments } from "../dist/app/payments/apply-payments.js";
import { openDatabase } from "../dist/store/db.js";
import { createRequests } from "./create-requests.mjs";
import { sleep } from "./load.mjs";
import { openLoad } from "./open-load.mjs";
import { addKey, addProjects, withDatabase } from "./projects.mjs";
import { startService } from "./service.mjs";

const PROJECTS = 100;
/** Half of them in one project, half spread over the others. */
const PAYINS = 5_000;
/** In the sandbox, money for a sum that ends in 02 never arrives: it comes from here, once everything waits for it. */
const AMOUNT = 250_002;
const DRAIN_MAX_S = 120;

export async function benchDrain() {
  const first = await startService({ role: "api" });
  const { stateDir } = first;
  let running = first;
  try {
    const [oneProject, ...others] = await addProjects(first, PROJECTS + 1);
    await fill(first, [oneProject], PAYINS / 2);
    await fill(first, others, PAYINS / 2);
    await first.stop({ keepData: true });
    running = await startService({ stateDir, role: "worker" });
    const issued = await drain(running);
    await running.stop({ keepData: true });
    running = await startService({ stateDir, role: "api" });
    const settled = { spread: await settle(running, others), oneProject: await settle(running, [oneProject]) };
    return report(issued, settled);
  } finally {
    await running.stop();
  }
}

async function fill(service, projectIds, count) {
  const requests = createRequests({ credentials: addKey(service, "hmac"), projectIds, count, amount: AMOUNT });
  const url = service.sandbox.base_url;
  await openLoad({ url, connections: 64, requests, seconds: DRAIN_MAX_S, warmupSeconds: 0 });
}

const ISSUED = `
  select count(*)::int as count, extract(epoch from max(created_at) - min(created_at))::float8 as seconds
    from payment_history where event = 'requisites_issued'`;

/** The database's own record says when each got its requisites; this only waits until all have. */
async function drain({ database }) {
  return withDatabase(database, async (client) => {
    for (let tries = 0; tries < DRAIN_MAX_S * 2; tries += 1) {
      const { count, seconds } = (await client.query(ISSUED)).rows[0];
      if (count === PAYINS) return count / seconds;
      await sleep(500);
    }
    throw new Error(`the worker did not get requisites for ${PAYINS} pay-ins within ${DRAIN_MAX_S} s`);
  });
}

const WAITING = `
  select replace(project_id::text, '-', '') as "projectId", replace(request_id::text, '-', '') as "requestId"
    from payments where state = 'processing:awaiting_confirm' and project_id = any($1::uuid[])`;

/** As the worker does it when a provider says that money came, without the provider: state, history, transfers, balance. */
async function settle({ database }, projectIds) {
  const { rows } = await withDatabase(database, (client) => client.query(WAITING, [projectIds]));
  const db = openDatabase({
    connection: database,
    connectionsMax: 10,
    applicationName: "bench",
    onIdleError: () => {},
  });
  const apply = openApplyPayments(db);
  const began = performance.now();
  const applied = await Promise.all(rows.map((row) => apply(moneyFor(row))));
  const seconds = (performance.now() - began) / 1000;
  await db.close();
  const settled = applied.filter((result) => result.ok && result.value.state === "success").length;
  if (settled !== PAYINS / 2) throw new Error(`${settled} of ${PAYINS / 2} pay-ins were settled`);
  return settled / seconds;
}

function moneyFor({ projectId, requestId }) {
  const amount = BigInt(AMOUNT);
  const receivedFrom = { provider: "sandbox", receiptReference: `bank-${requestId}`, amount, receivedAt: new Date() };
  const payin = { kind: "received", amount, clearing: "clearing:sandbox" };
  return { projectId, requestId, payin, receivedFrom, actor: "provider", byWorker: true };
}

function report(issued, settled) {
  return {
    question: `${PAYINS} pay-ins that wait: one worker process, then money for all of them at once`,
    rows: [
      { name: "requisites issued", perSecond: issued },
      { name: `settled, ${PROJECTS} projects`, perSecond: settled.spread },
      { name: "settled, one project", perSecond: settled.oneProject, ratio: settled.oneProject / settled.spread },
    ],
    notes: [
      "Requisites: the sandbox, which answers over HTTP, shares the worker's process, so this is mostly its own speed.",
      "Settled: the use case alone, in batches, with no provider in between.",
    ],
  };
}
