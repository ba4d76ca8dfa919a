import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { CardAcquirer } from "../../core/card-acquirer.ts";
import { openLog } from "../../platform/log.ts";
import { findPayment } from "../../store/payments/payments.ts";
import { aNewPayin, BY_CARD } from "../../testing/builders/new-payments.ts";
import { aProject, testKeyring } from "../../testing/builders/projects.ts";
import { type DatabaseLine, openDatabaseLine } from "../../testing/database/database-line.ts";
import { useTestDatabase } from "../../testing/database/test-database.ts";
import { aFakeProvider } from "../../testing/rigs/fake-provider.ts";
import { loadDirectory } from "../merchants/directory.ts";
import { openApplyPayments } from "../payments/apply-payments.ts";
import { openCreatePayments } from "../payments/create-payments.ts";
import { openCardDesk } from "./charge-card.ts";

const { db } = useTestDatabase();
const CARD = { pan: "4242424242424242", cvv: "987", holder: "OLGA", expiryMonth: 12, expiryYear: 2041 };
let line: DatabaseLine;

beforeAll(async () => {
  line = await openDatabaseLine(db);
});
afterAll(() => line.close());

/** The acquirer's answer finds a database that is away, or one whose answer to the commit is lost. */
const TROUBLES: Record<string, () => void> = {
  "the database is away for a while": () => {
    line.cut();
    void sleep(700).then(line.mend);
  },
  "the commit's answer is lost": () => line.loseAnswerOfCommit(1),
};

it.each(Object.keys(TROUBLES))("a card that was charged while %s is charged and counted once", async (trouble) => {
  const { projectId } = await aProject(db);
  const payin = aNewPayin(projectId, BY_CARD);
  const { requestId } = payin;
  await openCreatePayments(db).payin(payin);
  const lines: string[] = [];
  let charges = 0;
  const never = () => Promise.reject(new Error("nothing but the charge is asked for"));
  const cards: CardAcquirer = {
    needsHolder: false,
    charge: async ({ amount }) => {
      charges += 1;
      TROUBLES[trouble]?.();
      return { kind: "approved", amount };
    },
    ...{ passAuthentication: never, askChargeState: never, reverse: never },
  };
  const keyring = testKeyring();
  const log = openLog({ level: "info", destination: { write: (text: string) => void lines.push(text) } });
  const directory = await loadDirectory(db, keyring, log, undefined);
  const desk = openCardDesk({
    ...{ db: line.db, keyring, log, apply: openApplyPayments(line.db), nowMs: Date.now },
    publicUrl: () => "http://127.0.0.1",
    findConnector: () => ({ ...aFakeProvider("sandbox"), cards }),
    currentDirectory: () => directory,
  });
  desk.charge({ projectId, requestId, card: CARD, browser: undefined, pageToken: "token" });
  await desk.drain();
  expect(charges).toBe(1);
  expect(await findPayment(db, projectId, requestId)).toMatchObject({ state: "success" });
  const [row] = await db.run({
    text: "select count(*)::int as count from receipts where request_id = $1",
    values: [requestId],
  });
  expect(row).toEqual({ count: 1 });
  expect(lines).toEqual([]);
});
