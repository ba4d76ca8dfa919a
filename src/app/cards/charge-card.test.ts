import { expect, it } from "vitest";
import type { CardAcquirer } from "../../core/card-acquirer.ts";
import { openLog } from "../../platform/log.ts";
import { newId } from "../../platform/new-id.ts";
import { findPayment } from "../../store/payments/payments.ts";
import { referenceOf } from "../../testing/builders/payments.ts";
import { aProject, minor, RUB, testKeyring } from "../../testing/builders/projects.ts";
import { useTestDatabase } from "../../testing/database/test-database.ts";
import { aFakeProvider } from "../../testing/rigs/fake-provider.ts";
import { loadDirectory } from "../merchants/directory.ts";
import { pausePart } from "../merchants/pauses.ts";
import { openApplyPayments } from "../payments/apply-payments.ts";
import { openCreatePayments } from "../payments/create-payments.ts";
import { openCardDesk } from "./charge-card.ts";

const { db } = useTestDatabase();

it("a card that was accepted before its provider was paused is still sent, not declined", async () => {
  const { projectId } = await aProject(db);
  const requestId = newId();
  await openCreatePayments(db).payin({
    ...{
      projectId,
      requestId,
      product: "ecom",
      method: "card-ecom",
      paymentId: newId(),
      bodyHash: Buffer.from("body"),
    },
    ...{ currency: RUB, amount: minor(1_000), rates: { basisPoints: 0, fixed: minor(0) }, fee: minor(0) },
    ...{ customerId: "c1", request: {}, lifetimeS: 600 },
  });
  const part = { kind: "provider", name: "sandbox" } as const;
  await pausePart(db, { part, reason: "test", actor: "test" });

  const charged: string[] = [];
  const never = () => Promise.reject(new Error("nothing but the charge is asked for"));
  const cards: CardAcquirer = {
    charge: async ({ reference, amount }) => {
      charged.push(reference);
      return { kind: "approved", amount };
    },
    ...{ passAuthentication: never, askChargeState: never, reverse: never },
  };
  const keyring = testKeyring();
  const log = openLog({ level: "silent", destination: { write: () => undefined } });
  const directory = await loadDirectory(db, keyring, log, undefined);
  const desk = openCardDesk({
    ...{ db, keyring, log, apply: openApplyPayments(db), nowMs: Date.now, publicUrl: () => "http://127.0.0.1" },
    findConnector: () => ({ ...aFakeProvider("sandbox"), cards }),
    currentDirectory: () => directory,
  });
  const card = { pan: "4242424242424242", cvv: "987", holder: "OLGA", expiryMonth: 12, expiryYear: 2041 };
  desk.charge({ projectId, requestId, card, browser: undefined, pageToken: "token" });
  await desk.drain();
  expect(charged).toEqual([await referenceOf(db, { projectId, requestId })]);
  expect(await findPayment(db, projectId, requestId)).toMatchObject({ state: "success" });
});
