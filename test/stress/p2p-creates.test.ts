import { describe, expect, it, vi } from "vitest";
import { setBankAvailability } from "../../src/app/merchants/banks.ts";
import { configureProject } from "../../src/app/merchants/merchants.ts";
import { newId } from "../../src/platform/new-id.ts";
import { credit, RUB } from "../../src/testing/builders/projects.ts";
import { useTestDatabase } from "../../src/testing/database/test-database.ts";
import {
  aClient,
  type MerchantAnswer,
  type MerchantClient,
  openMerchantClient,
  payinBody,
  payoutBody,
} from "../../src/testing/service/merchant-client.ts";
import { settled, useTestService } from "../../src/testing/service/test-service.ts";

/** Many at once: nobody is paid twice, and nothing is spent twice. */

// A busy machine is no fault.
vi.setConfig({ testTimeout: 180_000 });

const database = useTestDatabase();
const { db } = database;
const service = useTestService(database);
const IDS = 50;
const REPEATS = 200;

async function countPayments({ projectId }: MerchantClient): Promise<number> {
  const [row] = await db.run<{ count: number }>({
    text: "select count(*)::int as count from payments where project_id = $1",
    values: [projectId],
  });
  return row?.count ?? 0;
}

function countByStatus(answers: readonly MerchantAnswer[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

it(`${REPEATS} identical creates at once for each of ${IDS} ids make ${IDS} payments, and every answer names the one of its id`, async () => {
  const client = await aClient(db, service);
  const bodies = Array.from({ length: IDS }, () => payinBody(client.projectId, { payment: { amount: 250_001 } }));
  const calls = Array.from({ length: REPEATS }, () => bodies.map((body) => client.payin(body))).flat();
  const answers = await Promise.all(calls);
  expect(countByStatus(answers)).toEqual({ 200: IDS * REPEATS });
  const requestIds = new Map<string, Set<string>>();
  for (const { json } of answers) {
    const known = requestIds.get(json.payment_id) ?? new Set();
    requestIds.set(json.payment_id, known.add(json.request_id));
  }
  expect(requestIds.size).toBe(IDS);
  expect([...requestIds.values()].every((ids) => ids.size === 1)).toBe(true);
  expect(answers.filter(({ replayed }) => !replayed)).toHaveLength(IDS);
  expect(await countPayments(client)).toBe(IDS);
});

describe("double spending", () => {
  const B = 1_000_000;

  it.each(["one process", "two processes"])("64 callers with 3 payouts each of a tenth, at %s", async (processes) => {
    const client = await aClient(db, service);
    await credit(db, client.projectId, B);
    const doors: MerchantClient[] = [client];
    if (processes === "two processes") {
      const sibling = await service.startSibling({}, "api");
      await settled(database, sibling.localUrl);
      doors.push(openMerchantClient(() => sibling.localUrl, client.credentials));
    }
    const callers = Array.from({ length: 64 }, async (_, caller) => {
      const answers: MerchantAnswer[] = [];
      for (let turn = 0; turn < 3; turn += 1) {
        const body = payoutBody(client.projectId, { payment: { amount: B / 10 } });
        const door = doors[(caller + turn) % doors.length] as MerchantClient;
        answers.push(await door.payout(body));
      }
      return answers;
    });
    const answers = (await Promise.all(callers)).flat();
    expect(countByStatus(answers)).toEqual({ 200: 10, 422: 182 });
    const refused = answers.filter(({ status }) => status === 422);
    expect(new Set(refused.map(({ json }) => json.code))).toEqual(new Set(["insufficient_balance"]));
    expect(await countPayments(client)).toBe(10);
    expect((await client.available()).amount).toBe(0);
  });
});

describe("a repeat answers the first result, whatever has changed since", () => {
  it("the method was switched off, the bank disabled, the balance spent, the project paused", async () => {
    const client = await aClient(db, service);
    await credit(db, client.projectId, 300_000);
    const general = { payment_id: newId() };
    const ofMethod = payinBody(client.projectId, { payment: { method: "sbp-p2p" }, sender: { bank: "vtb" } });
    const ofBalance = payoutBody(client.projectId, { general, payment: { amount: 300_000 } });
    const first = [await client.payin(ofMethod), await client.payout(ofBalance)] as const;
    expect(first.map(({ status }) => status)).toEqual([200, 200]);
    const repeats = async () => {
      const again = [await client.payin(ofMethod), await client.payout(ofBalance)] as const;
      expect(again.map(({ status, replayed }) => [status, replayed])).toEqual([
        [200, true],
        [200, true],
      ]);
      expect(again.map(({ json }) => json.request_id)).toEqual(first.map(({ json }) => json.request_id));
    };
    // Spent: there is nothing left for another one.
    expect((await client.payout(payoutBody(client.projectId))).status).toBe(422);
    await repeats();
    await setBankAvailability(db, "vtb", "disabled");
    await service.settled();
    await repeats();
    await configureProject(db, client.projectId, {
      offers: [
        { direction: "payin", method: "sbp-p2p", currency: RUB },
        { direction: "payout", method: "card-p2p", currency: RUB },
      ],
      methods: { enabled: false },
    });
    await service.settled();
    await repeats();
    await configureProject(db, client.projectId, { settings: { status: "paused" } });
    await service.settled();
    await repeats();
    // Another body under the id is a conflict, though it would be refused for itself too.
    const other = payoutBody(client.projectId, { general, payment: { amount: 299_999 } });
    expect(await client.payout(other)).toMatchObject({ status: 409, json: { code: "payment_id_conflict" } });
    expect((await client.payout(payoutBody(client.projectId))).json.code).toBe("project_inactive");
    await setBankAvailability(db, "vtb", "enabled");
  });
});
