import pg from "pg";
import { expect, inject, it } from "vitest";
import { isReadOnly } from "../faults.ts";
import { openPool } from "./pool.ts";

const { host, port, user } = inject("postgres");

it("many writes that a standby refuses at once throw away each idle connection once, and make no others for it", async () => {
  let made = 0;
  const connect = async () => {
    made += 1;
    const client = new pg.Client({ host, port, user, database: "postgres" });
    await client.connect();
    return client;
  };
  const pool = openPool({ connect, connectionsMax: 10, connectMs: 30_000, onIdleError: () => undefined });
  try {
    const clients = await Promise.all(Array.from({ length: 10 }, () => pool.acquire()));
    const [busy, idle] = [clients.slice(0, 5), clients.slice(5)];
    for (const client of idle) pool.release(client);
    expect([made, pool.stats().idle]).toEqual([10, 5]);
    const refusals = await Promise.all(
      busy.map((client) => client.query("begin read only; create table never_made ()").catch((error: Error) => error)),
    );
    for (const [index, client] of busy.entries()) {
      const refusal = refusals[index] as Error;
      expect(isReadOnly(refusal)).toBe(true);
      pool.release(client, refusal);
    }
    await expect.poll(() => pool.stats()).toEqual({ total: 0, idle: 0, waiting: 0 });
    expect(made).toBe(10);
  } finally {
    await pool.close();
  }
});
