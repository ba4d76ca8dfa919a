import { expect, it } from "vitest";
import { openApplyToChoice } from "../app/page/apply-to-choice.ts";
import { endedPayment } from "../app/page/ended-payment.ts";
import { finishedLook } from "../app/payments/finish-look.ts";
import type { CardAcquirer } from "../core/card-acquirer.ts";
import { newId } from "../platform/new-id.ts";
import { claimEndedChoices } from "../store/page/ended-choices.ts";
import { aProject } from "../testing/builders/projects.ts";
import { aTriedPage } from "../testing/builders/tried-page.ts";
import { useTestDatabase } from "../testing/database/test-database.ts";
import { aFakeProvider, NEVER_SEEN } from "../testing/rigs/fake-provider.ts";
import { useWorkerRig } from "../testing/rigs/worker-rig.ts";
import { clockFrom, JOBS } from "./jobs.ts";

/** A card that its acquirer never saw, left behind more than a day ago. */
const database = useTestDatabase();
const { db } = database;
const rig = useWorkerRig(database);

it("is asked for at the late looks, and then no more", async () => {
  const { projectId } = await aProject(db);
  const { requestId } = await aTriedPage(db, projectId);
  await db.run({
    text: `alter table page_choices disable trigger page_choices_identity`,
  });
  await db.run({
    text: `update page_choices set provider = 'sandbox', reference = $2, ended_at = now() - interval '86401 s', due_at = now()
            where request_id = $1 and number = 1`,
    values: [requestId, newId()],
  });
  await db.run({ text: `alter table page_choices enable trigger page_choices_identity` });
  const [claimed] = await claimEndedChoices(db, { countMax: 10, leaseS: 60 });
  if (claimed === undefined) throw new Error("the choice was not due");
  const { choice, payment, now, leaseUntil } = claimed;
  const { method, provider, reference } = choice;
  const cards = { needsHolder: false, askChargeState: async () => NEVER_SEEN } as unknown as CardAcquirer;
  const findConnector = () => ({ ...aFakeProvider("sandbox"), cards });
  const deps = { ...rig.deps, findConnector, apply: openApplyToChoice(db, choice), clock: clockFrom(now) };
  const ended = endedPayment({ ...payment, method, provider, reference }, choice);
  const look = await JOBS.card({ ...deps, lease: undefined }, ended);
  expect(finishedLook(look, leaseUntil, now)).toMatchObject({ dueAt: null });
});
