import { expect, it } from "vitest";
import type { CardAcquirer, ChargeState } from "../core/card-acquirer.ts";
import type { Id } from "../core/ids.ts";
import { newId } from "../platform/new-id.ts";
import { aProject } from "../testing/builders/projects.ts";
import { aTriedPage } from "../testing/builders/tried-page.ts";
import { useTestDatabase } from "../testing/database/test-database.ts";
import { aFakeProvider, NEVER_SEEN } from "../testing/rigs/fake-provider.ts";
import { heldBack } from "../testing/rigs/held-back.ts";
import { useWorkerRig } from "../testing/rigs/worker-rig.ts";
import { startChoiceWatch } from "./choice-watch.ts";

const database = useTestDatabase();
const { db } = database;
const rig = useWorkerRig(database);

/** More than are watched at a time. */
const MANY = 24;
const OF_ONE_PROVIDER = 8;

/** A payer left a card behind at this acquirer, and it is due. */
async function aLeftCard(projectId: Id, provider: string, dueAgoS: number): Promise<void> {
  const { requestId } = await aTriedPage(db, projectId);
  await db.run({ text: "alter table page_choices disable trigger page_choices_identity" });
  await db.run({
    text: `update page_choices set provider = $2, reference = $3, due_at = now() - make_interval(secs => $4)
            where request_id = $1 and number = 1`,
    values: [requestId, provider, newId(), dueAgoS],
  });
  await db.run({ text: "alter table page_choices enable trigger page_choices_identity" });
}

it("choices that were left at an acquirer that hangs keep those of others from no place", async () => {
  const { projectId } = await aProject(db);
  for (let count = 0; count < MANY; count += 1) await aLeftCard(projectId, "hanging", 100);
  await aLeftCard(projectId, "quick", 0);
  const [hanging, quick] = [heldBack<ChargeState>(), heldBack<ChargeState>()];
  let hangingCount = 0;
  const asks = {
    hanging: () => {
      hangingCount += 1;
      return hanging.answer();
    },
    quick: quick.answer,
  };
  const findConnector = (code: string) => {
    const askChargeState = asks[code as keyof typeof asks];
    return { ...aFakeProvider(code), cards: { needsHolder: false, askChargeState } as unknown as CardAcquirer };
  };
  const watching = startChoiceWatch({ ...rig.deps, findConnector });
  await quick.asked;
  expect(hangingCount).toBe(OF_ONE_PROVIDER);
  for (const { letGo } of [hanging, quick]) letGo(NEVER_SEEN);
  await watching.stop();
});
