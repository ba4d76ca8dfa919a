import { expect, it } from "vitest";
import { newId } from "../../platform/new-id.ts";
import { useTestDatabase } from "../../testing/database/test-database.ts";
import { ACCEPT } from "../../testing/http/callback-receiver.ts";
import { openCommandLine, outcomesOf } from "../../testing/program/command-line.ts";
import { eventually, type Shop, useCallbackRig } from "../../testing/rigs/callback-rig.ts";

/** Callbacks that a runner really sent, to a receiver that really answered so. */
const database = useTestDatabase();
const rig = useCallbackRig(database);
const tillgate = openCommandLine(database.db);
const { print } = outcomesOf(tillgate);

async function tellOne(shop: Shop): Promise<void> {
  await rig.tell(shop, [{ requestId: newId(), states: ["processing:requisites"] }]);
}

function becomes({ projectId }: Shop, state: string): Promise<void> {
  return eventually(async () =>
    expect((await rig.callbacksOf(projectId)).map((callback) => callback.state)).toEqual([state]),
  );
}

const CALM = "Nothing needs attention.";

it("one that was given up is named until it was replayed and taken", async () => {
  const receiver = await rig.receiver(() => ({ status: 500 }));
  const shop = await rig.shop(receiver);
  rig.run({ schedule: { delaysS: [0.02] } });
  await tellOne(shop);
  await becomes(shop, "dead");
  expect(await print("attention")).toMatch(
    new RegExp(
      `^1 callback of project ${shop.projectId} \\(test\\) given up, the oldest written .* → tillgate callback list --state dead --project ${shop.projectId}$`,
    ),
  );
  receiver.answerWith(ACCEPT);
  await print("callback", "replay", "--project", shop.projectId);
  await becomes(shop, "delivered");
  expect(await print("attention")).toBe(CALM);
});

it("one whose URL is gone is named until the URL was enabled and took it", async () => {
  const receiver = await rig.receiver(() => ({ status: 410 }));
  const shop = await rig.shop(receiver);
  rig.run();
  await tellOne(shop);
  await eventually(async () =>
    expect(await print("attention")).toMatch(
      new RegExp(
        `^1 callback of project ${shop.projectId} \\(test\\) held, since 1 URL answered 410 Gone, .* → tillgate callback disabled --project ${shop.projectId}$`,
      ),
    ),
  );
  expect(await print("callback", "disabled", "--project", shop.projectId)).toContain(shop.url);
  receiver.answerWith(ACCEPT);
  await print("callback", "enable", shop.url, "--project", shop.projectId);
  await becomes(shop, "delivered");
  expect(await print("attention")).toBe(CALM);
});

it("one that was given up with its URL gone is named, and both are mended in turn", async () => {
  const receiver = await rig.receiver(() => ({ status: 410 }));
  const shop = await rig.shop(receiver);
  rig.run({ schedule: { delaysS: [] } });
  await tellOne(shop);
  await becomes(shop, "dead");
  expect(await print("attention")).toContain("1 callback of project");
  const replay = ["callback", "replay", "--project", shop.projectId];
  expect((await tillgate(...replay)).errors).toContain(`callback disabled --project ${shop.projectId}`);
  receiver.answerWith(ACCEPT);
  await print("callback", "enable", shop.url, "--project", shop.projectId);
  await print(...replay);
  await becomes(shop, "delivered");
  expect(await print("attention")).toBe(CALM);
});
