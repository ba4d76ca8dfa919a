import { describe, expect, it, vi } from "vitest";
import { useTestDatabase } from "../../src/testing/database/test-database.ts";
import { type CommandAnswer, openCommandLine, outcomesOf } from "../../src/testing/program/command-line.ts";
import { useTestService } from "../../src/testing/service/test-service.ts";

/** The operator's commands, while a service with its worker and the sandbox goes on beside them. */
const database = useTestDatabase();
const service = useTestService(database);
const tillgate = openCommandLine(database.db, service.stateDir);
const { print, json } = outcomesOf(tillgate);

const PATIENCE = { timeout: 60_000, interval: 50 };

/** As the seeded merchant. */
function call(path: string, payment: object, rest: object): Promise<CommandAnswer> {
  const { project_id } = service.sandbox();
  const general = { project_id, payment_id: `${path}-${performance.now()}` };
  const customer = { id: "c1", ip_address: "192.0.2.1" };
  return tillgate("call", `/api/v1/payment/p2p/${path}`, JSON.stringify({ general, payment, customer, ...rest }));
}

function payout(amount: number): Promise<CommandAnswer> {
  const payment = { method: "card-p2p", amount, currency: "RUB" };
  return call("payout", payment, { receiver: { pan: "4242424242424242" } });
}

async function created(answer: Promise<CommandAnswer>): Promise<string> {
  const { exitCode, printed, errors } = await answer;
  expect([exitCode, errors]).toEqual([0, ""]);
  return JSON.parse(printed).request_id;
}

async function statusOf(requestId: string): Promise<string> {
  const { status, sub_status } = await json("payment", "show", requestId);
  return sub_status === null ? status : `${status}:${sub_status}`;
}

function becomes(requestId: string, status: string): Promise<void> {
  return vi.waitFor(async () => expect(await statusOf(requestId)).toBe(status), PATIENCE);
}

describe("an operator at night", () => {
  it("holds payouts back, and lets them go on without waiting for the next look", async () => {
    expect(await print("attention")).toBe("Nothing needs attention.");
    expect(await print("pause", "payouts", "--reason", "the statement does not agree")).toContain(
      "They are accepted, their money is locked, and they wait.",
    );
    await service.settled();
    const requestId = await created(payout(5000));
    // The worker looked, and put it off.
    await vi.waitFor(async () => {
      const { due_at } = await json("payment", "show", requestId);
      expect(Date.parse(due_at)).toBeGreaterThan(Date.now());
    }, PATIENCE);
    expect(await statusOf(requestId)).toBe("processing:new");
    const lines = await print("attention");
    expect(lines).toContain("of payouts waiting because payouts are paused");
    expect(lines).toContain("tillgate resume payouts");
    expect(await print("payout", "list")).toContain(requestId);
    expect(await print("resume", "payouts")).toContain("1 that waited goes on at once.");
    // Far sooner than the half minute that it would have waited by itself.
    await becomes(requestId, "success");
    expect(await print("attention")).toBe("Nothing needs attention.");
  }, 240_000);

  it("settles a payout in dispute, with the bank's word for it", async () => {
    const requestId = await created(payout(5002));
    await becomes(requestId, "dispute:payout_failed");
    expect(await print("attention")).toContain("in dispute:payout_failed");
    const proof = ["--reference", "bank-5521", "--reason", "seen in the statement"];
    expect(await print("payment", "settle", requestId, ...proof)).toContain("is success now.");
    const again = await tillgate("payment", "settle", requestId, ...proof);
    expect([again.exitCode, again.printed]).toEqual([1, ""]);
    expect(again.errors).toContain("The payment is success, so this cannot be done.");
    const shown = await print("payment", "show", requestId);
    expect(shown).toContain("reference bank-5521: seen in the statement");
    expect(shown).not.toContain("4242424242424242");
  }, 240_000);

  it("stops a project and a method: creates are refused at once", async () => {
    const { project_id } = service.sandbox();
    const codeOf = async (answer: Promise<CommandAnswer>) =>
      /"code": ?"(\w+)"/.exec(Object.values(await answer).join("\n"))?.[1];
    await print("pause", "project", project_id, "--reason", "stolen keys");
    await service.settled();
    expect(await codeOf(payout(5000))).toBe("project_inactive");
    await print("resume", "project", project_id);
    await print("pause", "method", "card-p2p", "--reason", "cards are down");
    await service.settled();
    expect(await codeOf(payout(5000))).toBe("method_not_enabled");
    await print("resume", "method", "card-p2p");
    await service.settled();
    await becomes(await created(payout(5000)), "success");
  }, 240_000);
});
