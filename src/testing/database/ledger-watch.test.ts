import { expect, it } from "vitest";
import { aProject, credit } from "../builders/projects.ts";
import { checkLedger } from "../rigs/with-pool.ts";
import { openLedgerWatch } from "./ledger-watch.ts";
import { useTestDatabase } from "./test-database.ts";

const database = useTestDatabase();
const { db } = database;

it("sees what the ledger's check sees, with a plan that was made before", async () => {
  const watch = openLedgerWatch(db);
  const { projectId } = await aProject(db);
  await credit(db, projectId, 100);
  expect(await watch.listViolations()).toEqual([]);
  await db.run({ text: "update balances set available = available + 1 where project_id = $1", values: [projectId] });
  const seen = await watch.listViolations();
  expect(seen.map(({ rule }) => rule)).toEqual(["accounts_not_zero", "balance_differs"]);
  expect(seen).toEqual((await checkLedger(db)).violations);
  await db.run({ text: "update balances set available = available - 1 where project_id = $1", values: [projectId] });
  expect(await watch.listViolations()).toEqual([]);
  await watch.close();
});

it("goes on after its connection was ended", async () => {
  const watch = openLedgerWatch(db);
  expect(await watch.listViolations()).toEqual([]);
  const others = "select pg_terminate_backend(pid, 60000) from pg_stat_activity";
  await db.run({
    text: `${others} where datname = current_database() and query like '%ledger%' and pid <> pg_backend_pid()`,
  });
  await expect.poll(() => watch.listViolations().catch(String)).toEqual([]);
  await watch.close();
});
