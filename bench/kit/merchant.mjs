// Whole payments: a merchant's process, projects whose callbacks come to it, and what each run of it costs.
import { cpuOfEach, readCpu } from "./cpu-parts.mjs";
import { sleep } from "./http.mjs";
import { startProgram } from "./programs.mjs";
import { addKey, addProjects, untilKnown, withDatabase } from "./projects.mjs";

/** A payment that succeeded is over for the merchant before the service has marked its last callback. */
const SETTLE_MS = 1_000;
/** Even a slow machine does so many in a second. */
const SLOWEST_PER_SECOND = 10;
const FUNDS = "1000000000000";

export async function openMerchant(service) {
  const program = startProgram("merchant.mjs");
  const { port } = await program.ask({ listen: true });
  const callbackUrl = `http://127.0.0.1:${port}/callbacks`;
  const shared = { url: service.sandbox.base_url, credentials: addKey(service, "hmac") };
  const work = (load) =>
    program.ask({ work: { withinS: 60 + load.count / (load.perSecond ?? SLOWEST_PER_SECOND), ...shared, ...load } });
  const cpu = (client) => readCpu(client, service, program.cpuSeconds());
  return {
    /** Projects whose callbacks are signed in one way; with funds where payouts are to be made. */
    addProjects: async (count, options) => {
      const projectIds = await addShops(service, callbackUrl, count, options);
      await untilKnown(service, shared.credentials, projectIds);
      return projectIds;
    },
    work,
    /** With the processor time of each part, in milliseconds for one payment. */
    measure: async (client, load) => {
      const before = await cpu(client);
      const result = await work(load);
      await sleep(SETTLE_MS);
      return { ...result, cpuMs: cpuOfEach(before, await cpu(client), load.count) };
    },
    cpuSeconds: program.cpuSeconds,
    stop: program.stop,
  };
}

async function addShops(service, callbackUrl, count, { signing, funded = false }) {
  const projectIds = await addProjects(service, count);
  await withDatabase(service.database, (client) =>
    client.query("update projects set callback_url = $1, callback_signing = $2 where id = any($3::uuid[])", [
      callbackUrl,
      signing,
      projectIds,
    ]),
  );
  if (funded) for (const projectId of projectIds) credit(service, projectId);
  return projectIds;
}

/** Enough for any number of payouts. */
export function credit({ cli }, projectId) {
  cli("balance", "credit", projectId, FUNDS, "RUB", "--reference", `bench-${projectId}`, "--reason", "bench");
}
