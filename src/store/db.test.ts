import { describe, expect, it } from "vitest";
import { useTestDatabase } from "../testing/database/test-database.ts";
import { allSent, type Transaction } from "./db.ts";
import { brokenConstraint } from "./faults.ts";

const { db } = useTestDatabase();

const write = (tx: Transaction, name: string) =>
  tx.run({ text: "insert into settings (name, value) values ($1, '1')", values: [name] });
const count = async () =>
  (await db.run<{ count: number }>({ text: "select count(*)::int as count from settings where name like 'sent %'" }))[0]
    ?.count;

/** The same, heard of later than what was sent after it. */
async function writeSlowly(tx: Transaction, name: string): Promise<void> {
  await write(tx, name).finally(() => new Promise((resolve) => setTimeout(resolve, 20)));
}

describe("statements that are sent together", () => {
  it("are done in the order in which they were sent", async () => {
    const rows = await db.transaction(async (tx) => {
      const read = tx.run({ text: "select from settings where name = 'sent in order'" });
      const written = write(tx, "sent in order");
      const readAgain = tx.run({ text: "select from settings where name = 'sent in order'" });
      await allSent([read, written, readAgain]);
      return [(await read).length, (await readAgain).length];
    });
    expect(rows).toEqual([0, 1]);
  });

  it("fail with the first one's error, though those after it are heard of first, and nothing is written", async () => {
    const before = await count();
    const failed = db.transaction(async (tx) => {
      await write(tx, "sent twice");
      await allSent([write(tx, "sent before"), writeSlowly(tx, "sent twice"), write(tx, "sent after")]);
    });
    expect(brokenConstraint(await failed.catch((error: unknown) => error))).toBe("settings_pkey");
    expect(await count()).toBe(before);
    // The connection is as good as before.
    await db.transaction(async (tx) => allSent([write(tx, "sent again"), write(tx, "sent once more")]));
    expect(await count()).toBe((before ?? 0) + 2);
  });
});
