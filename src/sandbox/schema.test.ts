import pg from "pg";
import { expect, inject, it } from "vitest";
import { openSandboxDatabase } from "./database.ts";
import { makeSchema } from "./schema.ts";
import { useTestSandbox } from "./test-sandbox.ts";

const sandbox = useTestSandbox(inject("postgres"));

it("leaves tables alone that another sandbox works with", async () => {
  const atWork = new pg.Client(sandbox.connection);
  await atWork.connect();
  const watcher = new pg.Client(sandbox.connection);
  await watcher.connect();
  const second = openSandboxDatabase(sandbox.connection, () => undefined);
  try {
    await atWork.query("begin; lock table sandbox.payins, sandbox.payouts, sandbox.charges in row exclusive mode");
    const making = makeSchema(second);
    await expect(Promise.race([making, blockedIn(watcher)])).resolves.toBeUndefined();
  } finally {
    await atWork.end();
    await watcher.end().catch(() => undefined);
    await second.close();
  }
});

/** Fails as soon as a statement waits for a lock of this database. */
async function blockedIn(client: pg.Client): Promise<never> {
  for (let looks = 0; looks < 500; looks += 1) {
    const { rows } = await client.query(
      "select query from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    );
    if (rows.length > 0) throw new Error("it waits for a lock");
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error("it did not end");
}
