import { afterAll, it } from "vitest";
import { useTestDatabase } from "../../src/testing/database/test-database.ts";
import { startWorkerProcess, type WorkerProcess } from "../../src/testing/program/worker-process.ts";
import { aClient } from "../../src/testing/service/merchant-client.ts";
import { openTestSandbox } from "../../src/testing/service/test-sandbox-control.ts";
import { useTestService } from "../../src/testing/service/test-service.ts";
import { addFaults, createCrowd, expectAllIsWell, letTimePass, playPayers } from "./p2p-endurance.ts";

/** Merchants are served here; payments are worked on, and the outside world lives, in processes that are killed. */
const database = useTestDatabase();
const { db } = database;
const service = useTestService(database, {}, "api");
const COUNT = 200;
const ROUNDS = 4;
const processes: WorkerProcess[] = [];

afterAll(async () => {
  for (const each of processes) await each.stop();
});

async function startWorker(): Promise<WorkerProcess> {
  const worker = await startWorkerProcess(database, service);
  processes.push(worker);
  return worker;
}

/** What it worked on is taken over when its leases end; nobody has to wait a minute for that here. */
async function kill(worker: WorkerProcess): Promise<void> {
  await worker.kill();
  await db.run({ text: "update payments set lease_until = now() where lease_until is not null" });
}

it("a worker that is killed twice, with a provider that goes wrong: each payment ends as it must", async () => {
  const first = await startWorker();
  const client = await aClient(db, service, { feeBp: 100 });
  const before = await openTestSandbox(db, service);
  await addFaults(before, client.projectId, ROUNDS);
  await before.close();
  await createCrowd(db, client, COUNT);
  await playPayers(db, client, COUNT * 0.7);
  await kill(first);
  const second = await startWorker();
  await playPayers(db, client, COUNT * 0.4);
  await kill(second);
  await startWorker();
  await playPayers(db, client);
  const sandbox = await openTestSandbox(db, service);
  await letTimePass(sandbox, client.projectId);
  await expectAllIsWell(db, sandbox, client, COUNT);
  await sandbox.close();
}, 300_000);
