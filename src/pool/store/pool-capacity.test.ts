import { randomInt } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import type { Currency } from "../../core/currency.ts";
import type { Method } from "../../core/merchants/methods.ts";
import { newId } from "../../platform/new-id.ts";
import { aProject, minor, RUB, testKeyring } from "../../testing/builders/projects.ts";
import { anAccount } from "../../testing/builders/receiving-accounts.ts";
import { useTestDatabase } from "../../testing/database/test-database.ts";
import { listMethodsOfRequisite, REQUISITE_TYPES, requisiteTypeOf } from "../core/requisite-value.ts";
import { type CapacityQuestion, listCapacity } from "./pool-capacity.ts";
import { listReceivingAccounts } from "./receiving-accounts.ts";

const { db, expectBroken } = useTestDatabase();
const keyring = testKeyring();
const KZT = "KZT" as Currency;
const BANKS = ["sberbank", "vtb", "psb"] as const;
const ACCOUNTS = 60;
const ROUNDS = 40;

function one<T>(choices: readonly T[]): T {
  return choices[randomInt(choices.length)] as T;
}

beforeAll(async () => {
  const { projectId } = await aProject(db, "live");
  for (let made = 0; made < ACCOUNTS; made += 1) {
    const account = await anAccount(db, keyring, {
      ...{ book: one(["live", "live", "test"] as const), type: one(["card", "phone", "account"] as const) },
      settings: { bank: one(BANKS) },
    });
    // Lent to somebody who still has it, or who had it until lately.
    for (const amount of [1, 2, 3, 4, 5, 6]) {
      if (randomInt(3) > 0) continue;
      const minutes = one([null, -5, 5]);
      await db.run({
        text: `insert into lendings (reference, project_id, account_id, requisite_id, method, currency, amount, ended_at, held_until)
               select $1, $2, r.account_id, r.id, 'card-p2p', 'RUB', $4, m.held_until - interval '1 hour', m.held_until
                 from requisites r, (select clock_timestamp() + make_interval(mins => $5) as held_until) m where r.account_id = $3`,
        values: [newId(), projectId, account.id, amount, minutes],
      });
    }
  }
});

/** Other settings, counts and times for every account; the lendings stay. */
async function shuffle(): Promise<void> {
  await db.run({
    text: `update receiving_accounts
              set enabled = random() < 0.9, priority = (random() * 2)::int,
                  min_amount = 1 + (random() * 2)::int, max_amount = 4 + (random() * 4)::int,
                  day_count_max = case when random() < 0.3 then (random() * 4)::int end,
                  day_sum_max = case when random() < 0.3 then (random() * 12)::int end,
                  parallel_max = case when random() < 0.3 then (random() * 3)::int end, live_count = (random() * 3)::int,
                  cool_down_s = case when random() < 0.5 then 600 else 0 end,
                  last_lent_at = case when random() < 0.8 then clock_timestamp() - make_interval(mins => (random() * 30)::int, secs => 5) end,
                  time_zone = (array['UTC', 'Asia/Vladivostok', 'America/New_York'])[1 + floor(random() * 3)::int]`,
  });
  await db.run({
    text: `update receiving_accounts
              set opens_at = case when h.is_set then make_time(h.opens, 0, 0) end, closes_at = case when h.is_set then make_time((h.opens + 14) % 24, 0, 0) end
             from (select id, random() < 0.4 as is_set, floor(random() * 24)::int as opens from receiving_accounts) h
            where h.id = receiving_accounts.id`,
  });
  await db.run({ text: "update requisites set enabled = random() < 0.9" });
  await db.run({
    text: `insert into account_days (account_id, day, count, sum)
           select id, (clock_timestamp() at time zone time_zone)::date + o, (random() * 3)::int, (random() * 8)::int
             from receiving_accounts, (values (-1), (0)) as v (o)
           on conflict (account_id, day) do update set count = excluded.count, sum = excluded.sum`,
  });
}

async function lenders(question: CapacityQuestion, method: Method): Promise<string[]> {
  const rows = await db.run<{ code: string }>({
    text: `select a.code from list_lenders($1, $2, $3, $4, $5, $6, $7) c join receiving_accounts a on a.id = c.account_id order by c.turn`,
    values: [
      ...[question.book, requisiteTypeOf(method), method, question.currency, question.amount],
      ...[question.bank, question.bankRequired],
    ],
  });
  return rows.map(({ code }) => code);
}

async function free(question: CapacityQuestion): Promise<string[]> {
  return (await listCapacity(db, question)).filter(({ obstacle }) => obstacle === null).map(({ code }) => code);
}

describe("what is said to be free", () => {
  it("is what would be lent, and in that order, whatever the settings", async () => {
    // How many are lent is invented here.
    expectBroken();
    const obstacles = new Set<string | null>();
    for (let round = 0; round < ROUNDS; round += 1) {
      await shuffle();
      const bank = one([null, ...BANKS]);
      const method = one(["card-p2p", "sbp-p2p", "account-number", "international-p2p"] as const);
      const question: CapacityQuestion = {
        ...{
          book: one(["live", "test"] as const),
          currency: one([RUB, RUB, RUB, KZT]),
          amount: minor(randomInt(1, 9)),
        },
        ...{ bank, bankRequired: bank !== null && randomInt(2) === 0 },
        method: { code: method, type: requisiteTypeOf(method) },
      };
      expect(await free(question)).toEqual(await lenders(question, method));
      for (const { obstacle } of await listCapacity(db, question)) obstacles.add(obstacle);

      // Whoever names no method asks for all of them.
      const ways = REQUISITE_TYPES.flatMap((type) => listMethodsOfRequisite(type, question.currency));
      const byAny = new Set((await Promise.all(ways.map((way) => lenders(question, way)))).flat());
      expect(new Set(await free({ ...question, method: null }))).toEqual(byAny);
    }
    expect([...obstacles].sort()).toEqual([
      ...["above_max", "below_min", "closed", "cooling_down", "day_count_limit", "day_sum_limit"],
      ...["no_requisite", null, "off", "other_bank", "parallel_limit", "sum_lent", "sum_reserved"],
    ]);
  });

  it("names every account of the book and currency, and no other", async () => {
    // How many are lent is invented here.
    expectBroken();
    const question = {
      book: "live",
      currency: RUB,
      amount: minor(1),
      method: null,
      bank: null,
      bankRequired: false,
    } as const;
    const expected = (await listReceivingAccounts(db)).filter(({ book }) => book === "live").map(({ code }) => code);
    expect((await listCapacity(db, question)).map(({ code }) => code).sort()).toEqual(expected.sort());
    expect(await listCapacity(db, { ...question, currency: KZT })).toEqual([]);
  });
});
