import { expect, it } from "vitest";
import { minor, RUB, testKeyring } from "../../testing/builders/projects.ts";
import { anAccount } from "../../testing/builders/receiving-accounts.ts";
import { useTestDatabase } from "../../testing/database/test-database.ts";
import { listCapacity } from "./pool-capacity.ts";
import { countPoolRoom } from "./pool-room.ts";

const { db } = useTestDatabase();

const OUTSIDE_HOURS = `opens_at = (clock_timestamp() at time zone time_zone)::time + interval '2 hours',
                       closes_at = (clock_timestamp() at time zone time_zone)::time + interval '3 hours'`;

it.each([
  ["free", "parallel_max = 1, day_count_max = 1, day_sum_max = min_amount"],
  ["full", "parallel_max = 0"],
  ["full", "day_count_max = 0"],
  ["full", "day_sum_max = min_amount - 1"],
  ["full", "cool_down_s = 600, last_lent_at = now()"],
  ["closed", OUTSIDE_HOURS],
  ["off", "enabled = false"],
])("a requisite is %s where its account has %s, and lending says the same", async (room, change) => {
  await db.run({ text: "update receiving_accounts set enabled = false" });
  const { id } = await anAccount(db, testKeyring(), { book: "test" });
  await db.run({ text: `update receiving_accounts set ${change} where id = $1`, values: [id] });
  const all = await countPoolRoom(db);
  const found = all.filter((each) => each.book === "test" && each.method === "card-p2p" && each.room === room);
  expect(found.length).toBe(1);
  const [account] = await db.run<{ code: string; amount: bigint }>({
    text: "select code, min_amount as amount from receiving_accounts where id = $1",
    values: [id],
  });
  const question = { book: "test", currency: RUB, amount: minor(Number(account?.amount)) } as const;
  const lenders = await listCapacity(db, { ...question, method: null, bank: null, bankRequired: false });
  expect(lenders.find(({ code }) => code === account?.code)?.obstacle === null).toBe(room === "free");
});

it("a requisite that is switched off counts as off, whatever its account has", async () => {
  await db.run({ text: "update receiving_accounts set enabled = false" });
  const { id } = await anAccount(db, testKeyring(), { book: "live" });
  const before = (await countPoolRoom(db)).filter(({ room }) => room === "free");
  expect(before.find(({ method }) => method === "card-p2p")).toMatchObject({ book: "live", count: 1 });
  await db.run({ text: "update requisites set enabled = false where account_id = $1", values: [id] });
  expect((await countPoolRoom(db)).filter(({ room }) => room === "free")).toEqual([]);
});
