import { it } from "vitest";
import { useTestDatabase } from "../../src/testing/database/test-database.ts";
import { aClient } from "../../src/testing/service/merchant-client.ts";
import { openTestSandbox } from "../../src/testing/service/test-sandbox-control.ts";
import { useTestService } from "../../src/testing/service/test-service.ts";
import { addFaults, createCrowd, expectAllIsWell, letTimePass, playPayers } from "./p2p-endurance.ts";

const database = useTestDatabase();
const { db } = database;
const service = useTestService(database);
const COUNT = 1_000;
const ROUNDS = 8;

it(`${COUNT} payments with a provider that goes wrong in every way: each ends as it must, and the books agree`, async () => {
  const client = await aClient(db, service, { feeBp: 100 });
  const sandbox = await openTestSandbox(db, service);
  await addFaults(sandbox, client.projectId, ROUNDS);
  await createCrowd(db, client, COUNT);
  await playPayers(db, client);
  await letTimePass(sandbox, client.projectId);
  await expectAllIsWell(db, sandbox, client, COUNT);
  await sandbox.close();
}, 300_000);
