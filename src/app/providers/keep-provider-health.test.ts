import { expect, it } from "vitest";
import { openLog } from "../../platform/log.ts";
import { newId } from "../../platform/new-id.ts";
import { heartbeat, removeProcess } from "../../store/processes/processes.ts";
import { listOpenBreakers, listProviderHealth } from "../../store/providers/provider-health.ts";
import { aHandClock } from "../../testing/builders/hand-clock.ts";
import { useTestDatabase } from "../../testing/database/test-database.ts";
import { aFakeProvider, UNKNOWN } from "../../testing/rigs/fake-provider.ts";
import { openProviderHealth } from "./health-window.ts";
import { keepProviderHealth } from "./keep-provider-health.ts";
import { watchConnector } from "./provider-health.ts";

const { db } = useTestDatabase();

it("what a process sees of a provider is shown as long as the process lives", async () => {
  await db.run({
    text: `insert into providers (code, kind, book, base_url) values ('acme', 'upstream', 'live', 'https://acme.example')`,
  });
  const errors: string[] = [];
  const log = openLog({ level: "warn", destination: { write: (line: string) => void errors.push(line) } });
  const health = openProviderHealth(aHandClock());
  // One that has no row is not written, and stops nothing.
  watchConnector(aFakeProvider("unwritten"), health);
  const connector = watchConnector(aFakeProvider("acme", { ask: () => UNKNOWN }), health);
  const processId = newId();
  await heartbeat(db, processId, "worker");
  const kept = keepProviderHealth({ db, log, processId, health });
  await kept.write();
  expect(await listProviderHealth(db)).toMatchObject([{ provider: "acme", processId, state: "closed", calls: 0 }]);
  expect(await listOpenBreakers(db)).toEqual([]);
  const request = { reference: "r" } as Parameters<typeof connector.askForRequisites>[0];
  for (let count = 0; count < 5; count += 1) await connector.askForRequisites(request);
  await kept.write();
  expect(await listProviderHealth(db)).toMatchObject([{ state: "open", calls: 5, lost: 5, refused: 0 }]);
  expect(await listOpenBreakers(db)).toMatchObject([{ provider: "acme", openCount: 1, processCount: 1 }]);
  await removeProcess(db, processId);
  expect(await listProviderHealth(db)).toEqual([]);
  await kept.write();
  await kept.close();
  expect(errors).toEqual([]);
});
