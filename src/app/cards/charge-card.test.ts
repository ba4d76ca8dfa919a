import { expect, it } from "vitest";
import type { CardAcquirer } from "../../core/card-acquirer.ts";
import { openLog } from "../../platform/log.ts";
import { findPayment } from "../../store/payments/payments.ts";
import { aNewPayin, BY_CARD } from "../../testing/builders/new-payments.ts";
import { referenceOf } from "../../testing/builders/payments.ts";
import { aProject, testKeyring } from "../../testing/builders/projects.ts";
import { useTestDatabase } from "../../testing/database/test-database.ts";
import { aFakeProvider } from "../../testing/rigs/fake-provider.ts";
import { loadDirectory } from "../merchants/directory.ts";
import { pausePart } from "../merchants/pauses.ts";
import { openApplyPayments } from "../payments/apply-payments.ts";
import { openCreatePayments } from "../payments/create-payments.ts";
import { openCardDesk } from "./charge-card.ts";

const { db } = useTestDatabase();
const CARD = { pan: "4242424242424242", cvv: "987", holder: "OLGA", expiryMonth: 12, expiryYear: 2041 };

it("a card that was accepted before its provider was paused is still sent, not declined", async () => {
  const { projectId } = await aProject(db);
  const payin = aNewPayin(projectId, BY_CARD);
  const { requestId } = payin;
  await openCreatePayments(db).payin(payin);
  const part = { kind: "provider", name: "sandbox" } as const;
  await pausePart(db, { part, reason: "test", actor: "test" });

  const charged: string[] = [];
  const never = () => Promise.reject(new Error("nothing but the charge is asked for"));
  const cards: CardAcquirer = {
    needsHolder: false,
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
  desk.charge({ projectId, requestId, card: CARD, browser: undefined, pageToken: "token" });
  await desk.drain();
  expect(charged).toEqual([await referenceOf(db, { projectId, requestId })]);
  expect(await findPayment(db, projectId, requestId)).toMatchObject({ state: "success" });
});

it("a card that no provider takes any more says so, and not that a provider declined it", async () => {
  const { projectId } = await aProject(db);
  const payin = aNewPayin(projectId, BY_CARD);
  const { requestId } = payin;
  await openCreatePayments(db).payin(payin);
  const keyring = testKeyring();
  const log = openLog({ level: "silent", destination: { write: () => undefined } });
  const directory = await loadDirectory(db, keyring, log, undefined);
  const desk = openCardDesk({
    ...{ db, keyring, log, apply: openApplyPayments(db), nowMs: Date.now, publicUrl: () => "http://127.0.0.1" },
    findConnector: () => undefined,
    currentDirectory: () => directory,
  });
  desk.charge({ projectId, requestId, card: CARD, browser: undefined, pageToken: "token" });
  await desk.drain();
  expect(await findPayment(db, projectId, requestId)).toMatchObject({
    ...{ state: "decline", declineCode: "no_provider", statusDescription: "No provider could take the payment." },
  });
});
