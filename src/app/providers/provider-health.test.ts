import { describe, expect, it } from "vitest";
import type { ChargeOutcome } from "../../core/card-acquirer.ts";
import type { Connector, RequisitesAnswer } from "../../core/connector.ts";
import { aHandClock } from "../../testing/builders/hand-clock.ts";
import { aFakeProvider, ISSUED, NONE, open, UNKNOWN } from "../../testing/rigs/fake-provider.ts";
import { heldBack } from "../../testing/rigs/held-back.ts";
import { openProviderHealth } from "./health-window.ts";
import { watchConnector } from "./provider-health.ts";

const REQUEST = { reference: "r" } as Parameters<Connector["askForRequisites"]>[0];
const LOST_IN_A_ROW = 5;

function aWatched(callsMax?: number) {
  const clock = aHandClock();
  const health = openProviderHealth(clock, 1);
  const fake = aFakeProvider("acme");
  const connector = watchConnector(fake, health, callsMax);
  const state = () => health.list()[0]?.state;
  const lose = async (times: number) => {
    fake.answers.ask = () => UNKNOWN;
    for (let time = 0; time < times; time += 1) await connector.askForRequisites(REQUEST);
  };
  return { clock, health, fake, connector, state, lose, admits: (key?: string) => connector.health?.admits(key) };
}

describe("the breaker of a provider", () => {
  it("opens after five lost in a row, and refusals and answers keep it closed", async () => {
    const { connector, fake, lose, state, admits } = aWatched();
    await lose(LOST_IN_A_ROW - 1);
    fake.answers.ask = () => NONE;
    await connector.askForRequisites(REQUEST);
    await lose(LOST_IN_A_ROW - 1);
    expect([state(), admits("a")]).toEqual(["closed", true]);
    await lose(1);
    expect([state(), admits("a"), admits()]).toEqual(["open", false, false]);
  });

  it("opens when half of the new payments of a minute are lost, and not when questions are", async () => {
    const { clock, connector, fake, lose, state } = aWatched();
    fake.answers.payin = () => UNKNOWN;
    for (let time = 0; time < 40; time += 1) await connector.askPayinState("r");
    expect(state()).toBe("closed");
    const turns = async (count: number) => {
      for (let turn = 0; turn < count; turn += 1) {
        fake.answers.ask = () => ISSUED;
        await connector.askForRequisites(REQUEST);
        await lose(1);
      }
    };
    await turns(9);
    clock.pass(60_000);
    await turns(9);
    expect(state()).toBe("closed");
    await turns(1);
    expect(state()).toBe("open");
  });

  it("lets one payment at a time through, after a while, and closes when that is answered", async () => {
    const { clock, connector, fake, lose, state, admits } = aWatched();
    await lose(LOST_IN_A_ROW);
    clock.pass(5_000);
    expect([state(), admits()]).toEqual(["half_open", true]);
    expect([admits("a"), admits("b"), admits(), admits("a")]).toEqual([true, false, false, true]);
    const held = heldBack<RequisitesAnswer>();
    fake.answers.ask = held.answer;
    const trying = connector.askForRequisites(REQUEST);
    await held.asked;
    clock.pass(20_000);
    expect([state(), admits("a"), admits("b")]).toEqual(["half_open", true, false]);
    held.letGo(ISSUED);
    await trying;
    expect([state(), admits("b")]).toEqual(["closed", true]);
  });

  it("stays open for longer when that is lost too, whatever is sent again meanwhile", async () => {
    const { clock, lose, state, admits } = aWatched();
    await lose(LOST_IN_A_ROW);
    await lose(3);
    clock.pass(5_000);
    expect(admits("a")).toBe(true);
    await lose(1);
    clock.pass(14_999);
    expect([state(), admits("a")]).toEqual(["open", false]);
    clock.pass(1);
    expect([state(), admits("b")]).toEqual(["half_open", true]);
  });

  it("lets another one through when the first was never sent", async () => {
    const { clock, lose, admits } = aWatched();
    await lose(LOST_IN_A_ROW);
    clock.pass(5_000);
    expect([admits("a"), admits("b")]).toEqual([true, false]);
    clock.pass(10_000);
    expect([admits("b"), admits("a")]).toEqual([true, false]);
  });

  it("is the same for a connector that is opened again", async () => {
    const { health, lose, fake } = aWatched();
    await lose(LOST_IN_A_ROW);
    expect(watchConnector(fake, health).health?.admits("a")).toBe(false);
    expect(health.list()).toHaveLength(1);
  });
});

it("a provider that does not answer is asked about its payments now and then", async () => {
  const { clock, connector, fake, lose } = aWatched();
  await lose(LOST_IN_A_ROW);
  const mayAsk = () => connector.health?.mayAsk();
  expect([mayAsk(), mayAsk()]).toEqual([true, false]);
  clock.pass(1_000);
  expect([mayAsk(), mayAsk()]).toEqual([true, false]);
  // It answers questions, though new payments are still not sent to it.
  fake.answers.payin = () => open();
  await connector.askPayinState("r");
  expect([mayAsk(), mayAsk(), connector.health?.admits("a")]).toEqual([true, true, false]);
});

it("counts answers, refusals and losses, and how long they took", async () => {
  const { clock, connector, fake, health } = aWatched();
  const took = [10, 20, 30, 40];
  const answers = [ISSUED, NONE, UNKNOWN, ISSUED];
  for (const [index, answer] of answers.entries()) {
    fake.answers.ask = async () => {
      clock.pass(took[index] ?? 0);
      return answer;
    };
    await connector.askForRequisites(REQUEST);
  }
  fake.answers.ask = async () => Promise.reject(new Error("broken"));
  await expect(connector.askForRequisites(REQUEST)).rejects.toThrow("broken");
  const totals = { answered: 2, refused: 1, lost: 2 };
  const figures = { calls: 5, refused: 1, lost: 2, p50Ms: 20, p95Ms: 40, state: "closed", totals };
  expect(health.list()).toMatchObject([{ provider: "acme", ...figures }]);
  clock.pass(60_000);
  expect(health.list()).toMatchObject([{ calls: 0, p50Ms: null, totals }]);
});

it("a call beyond the cap is not made, and its outcome is unknown", async () => {
  const { connector, fake, health } = aWatched(1);
  const held = heldBack<RequisitesAnswer>();
  fake.answers.ask = held.answer;
  const first = connector.askForRequisites(REQUEST);
  await held.asked;
  expect(await connector.askPayinState("other")).toEqual(UNKNOWN);
  expect(fake.countOf("payin")).toBe(0);
  held.letGo(ISSUED);
  expect(await first).toEqual(ISSUED);
  expect(await connector.askPayinState("other")).toEqual(open());
  // What was not sent says nothing of the provider.
  expect(health.list()).toMatchObject([{ calls: 2, lost: 0 }]);
});

it("an acquirer is watched too, and has no more calls than it had", async () => {
  const health = openProviderHealth(aHandClock());
  const outcome: ChargeOutcome = { kind: "declined", reason: "card_declined" };
  const cards = {
    needsHolder: true,
    charge: async () => outcome,
    passAuthentication: async () => outcome,
    askChargeState: async () => outcome,
  };
  const watched = watchConnector({ ...aFakeProvider("acme"), cards }, health);
  expect(Object.keys(watched.cards)).toEqual(Object.keys(cards));
  expect(watched).not.toHaveProperty("freePlace");
  await watched.cards.charge();
  await watched.cards.askChargeState();
  expect(health.list()).toMatchObject([{ totals: { refused: 1, answered: 1 } }]);
});
