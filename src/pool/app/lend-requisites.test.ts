import { describe, expect, it } from "vitest";
import type { PayinRequest } from "../../core/connector.ts";
import type { Id } from "../../core/ids.ts";
import { newId } from "../../platform/new-id.ts";
import { ASKED_FOR } from "../../testing/builders/asked-for.ts";
import { aProject, minor, RUB, testKeyring } from "../../testing/builders/projects.ts";
import { aDesk, anAccount } from "../../testing/builders/receiving-accounts.ts";
import { useTestDatabase } from "../../testing/database/test-database.ts";
import { endLending } from "../store/lendings.ts";
import { listReceivingAccounts } from "../store/receiving-accounts.ts";

const { db, openAnother } = useTestDatabase();
const keyring = testKeyring();

function request(projectId: Id, amount: number, change: Partial<PayinRequest> = {}): PayinRequest {
  return {
    ...{ reference: newId(), projectId, method: "card-p2p", currency: RUB, bank: undefined },
    amount: minor(amount),
    expiresAt: new Date(),
    ...ASKED_FOR,
    ...change,
  };
}

/** Every test has its own accounts: those of the ones before it are switched off. */
async function freshPool(): Promise<{ projectId: Id; desk: ReturnType<typeof aDesk> }> {
  await db.run({ text: "update receiving_accounts set enabled = false" });
  return { projectId: (await aProject(db, "live")).projectId, desk: aDesk(db, keyring) };
}

async function secondsPass(seconds: number): Promise<void> {
  await db.run({
    text: `update lendings set held_until = held_until - make_interval(secs => $1) where held_until is not null and not freed`,
    values: [seconds],
  });
}

describe("lending", () => {
  it("64 lenders at once on 20 accounts: all are served, fairly, and no sum is lent twice on an account", async () => {
    const { projectId } = await freshPool();
    for (let index = 0; index < 20; index += 1) await anAccount(db, keyring, { settings: { parallelMax: 100 } });
    const another = openAnother();
    const desks = [aDesk(db, keyring), aDesk(another, keyring)];
    const rounds = 20;
    const lenders = Array.from({ length: 64 }, async (_, lender) => {
      const answers: string[] = [];
      for (let round = 0; round < rounds; round += 1) {
        const desk = desks[lender % 2] as (typeof desks)[number];
        const answer = await desk.lend(request(projectId, 10_000 + ((lender + round) % 64)));
        answers.push(answer === "other_request" ? answer : answer.kind);
      }
      return answers;
    });
    const answers = (await Promise.all(lenders)).flat();
    await another.close();
    expect(answers.filter((answer) => answer === "issued")).toHaveLength(64 * rounds);
    const spread = await db.run<{ lent: number }>({
      text: `select count(*)::int as lent from lendings l join receiving_accounts a on a.id = l.account_id
              where a.enabled group by a.id`,
    });
    const mean = (64 * rounds) / 20;
    for (const { lent } of spread) expect(Math.abs(lent - mean)).toBeLessThanOrEqual(mean * 0.2);
    expect(spread).toHaveLength(20);
  });

  it("never passes a limit: in parallel, per day, per operation, cool-down, hours, off", async () => {
    const { projectId, desk } = await freshPool();
    const account = await anAccount(db, keyring, {
      settings: { parallelMax: 3, dayCountMax: 5, daySumMax: minor(5_000) },
    });
    const lendMany = async (amounts: readonly number[]) => {
      const requests = amounts.map((amount) => request(projectId, amount));
      const answers = await Promise.all(requests.map((each) => desk.lend(each)));
      return requests.filter((_, index) => (answers[index] as { kind: string }).kind === "issued");
    };
    const first = await lendMany([1, 2, 3, 4, 5, 6, 7, 8]);
    expect(first).toHaveLength(3);
    for (const { reference } of first) await endLending(db, reference);
    // What ended without money gives its part of the day back.
    const second = await lendMany([1_000, 2_000]);
    expect(second).toHaveLength(2);
    expect(await lendMany([2_001])).toHaveLength(0);
    expect(await lendMany([2_000 - 1])).toHaveLength(1);
    const settings = async (change: string) =>
      db.run({
        text: `update receiving_accounts set parallel_max = null, day_count_max = null, day_sum_max = null, ${change} where id = $1`,
        values: [account.id],
      });
    await settings("max_amount = 50, min_amount = 40");
    expect(await lendMany([39, 51])).toHaveLength(0);
    expect(await lendMany([40])).toHaveLength(1);
    await settings("cool_down_s = 600");
    expect(await lendMany([41])).toHaveLength(0);
    await settings(
      "cool_down_s = 0, opens_at = (now() at time zone 'UTC' + interval '1 hour')::time, closes_at = (now() at time zone 'UTC' + interval '2 hours')::time",
    );
    expect(await lendMany([41])).toHaveLength(0);
    await settings(
      "opens_at = (now() at time zone 'UTC' - interval '1 hour')::time, closes_at = (now() at time zone 'UTC' + interval '1 hour')::time",
    );
    expect(await lendMany([41])).toHaveLength(1);
    await settings("enabled = false");
    expect(await lendMany([42])).toHaveLength(0);
  });

  it("keeps a sum reserved while its pay-in runs and during the quarantine after it, and not longer", async () => {
    const { projectId, desk } = await freshPool();
    await anAccount(db, keyring);
    const one = request(projectId, 500);
    expect(await desk.lend(one)).toMatchObject({ kind: "issued" });
    expect(await desk.lend(request(projectId, 500))).toEqual({ kind: "none" });
    expect(await desk.lend(request(projectId, 501))).toMatchObject({ kind: "issued" });
    await desk.endLending(one.reference);
    expect(await desk.lend(request(projectId, 500))).toEqual({ kind: "none" });
    await secondsPass(3_599);
    expect(await desk.lend(request(projectId, 500))).toEqual({ kind: "none" });
    await secondsPass(1);
    expect(await desk.lend(request(projectId, 500))).toMatchObject({ kind: "issued" });
    await expect(
      db.run({
        text: `insert into lendings (reference, project_id, account_id, requisite_id, method, currency, amount)
               select 'twin', project_id, account_id, requisite_id, method, currency, amount from lendings where amount = 500 and not freed`,
      }),
    ).rejects.toMatchObject({ constraint: "lendings_held" });
  });

  it("prefers the payer's bank, takes no other where the method needs it, and then the higher priority", async () => {
    const { projectId, desk } = await freshPool();
    const sber = await anAccount(db, keyring, { type: "phone" });
    const vtb = await anAccount(db, keyring, { type: "phone", settings: { bank: "vtb", priority: 5 } });
    const bankOf = async (bank: string | undefined, required: boolean) => {
      const wish = bank === undefined ? undefined : { symbol: bank, required };
      const answer = await desk.lend(
        request(projectId, 700 + Math.floor(Math.random() * 1e9), { method: "sbp-p2p", bank: wish }),
      );
      return answer !== "other_request" && answer.kind === "issued" ? answer.requisites.bank : answer;
    };
    expect(await bankOf("sberbank", true)).toBe("sberbank");
    expect(await bankOf("sberbank", true)).toBe("sberbank");
    expect(await bankOf("sberbank", false)).toBe("sberbank");
    expect(await bankOf("psb", true)).toEqual({ kind: "none" });
    expect(await bankOf("psb", false)).toBe("vtb");
    expect(await bankOf(undefined, false)).toBe("vtb");
    const counts = (await listReceivingAccounts(db)).filter(({ id }) => [sber.id, vtb.id].includes(id));
    expect(counts.map(({ liveCount }) => liveCount)).toEqual([3, 2]);
  });

  it("a requisite that was changed, or moved from another row, is never shown: it is switched off, loudly", async () => {
    const { projectId, desk } = await freshPool();
    const [one, two] = [await anAccount(db, keyring), await anAccount(db, keyring)];
    await db.run({
      text: `update requisites r set value = o.value from requisites o where r.account_id = $1 and o.account_id = $2`,
      values: [one.id, two.id],
    });
    await db.run({
      text: `update requisites set value = set_byte(value, length(value) - 1, get_byte(value, length(value) - 1) # 1) where account_id = $1`,
      values: [two.id],
    });
    expect(await desk.lend(request(projectId, 900))).toEqual({ kind: "none" });
    expect(desk.complaints).toHaveLength(2);
    const off = await db.run({ text: "select from requisites where not enabled and fault is not null" });
    expect(off).toHaveLength(2);
    const live = await db.run({ text: "select from lendings where amount = 900" });
    expect(live).toHaveLength(0);
  });

  it("a request that was over before anything was lent gets nothing", async () => {
    const { projectId, desk } = await freshPool();
    await anAccount(db, keyring);
    const late = request(projectId, 1_000);
    await desk.endLending(late.reference);
    expect(await desk.lend(late)).toEqual({ kind: "none" });
  });
});
