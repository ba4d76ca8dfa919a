import { expect, it } from "vitest";
import { aPayin, ISSUED } from "../../testing/builders/payments.ts";
import { aProject } from "../../testing/builders/projects.ts";
import { aTriedPage } from "../../testing/builders/tried-page.ts";
import { useTestDatabase } from "../../testing/database/test-database.ts";
import { findPayment } from "./payments.ts";
import { listShownPayments } from "./shown-payments.ts";

const { db } = useTestDatabase();

it("reads the payer's choices together with the payment, in one statement for all that are asked for", async () => {
  const { projectId } = await aProject(db);
  const page = await aTriedPage(db, projectId);
  const other = await aPayin(db, ISSUED, { projectId, paymentId: "by-transfer" });
  const { paymentId = "" } = (await findPayment(db, projectId, page.requestId)) ?? {};
  const statements: string[] = [];
  const counting: Pick<typeof db, "run"> = {
    run: (statement) => {
      statements.push(statement.text);
      return db.run(statement);
    },
  };
  const names = ["by-transfer", paymentId, "unknown"].map((name) => ({
    ...{ projectId, direction: "payin" as const, paymentId: name },
  }));
  const [transfer, tried, unknown] = await listShownPayments(counting, names);
  expect(statements).toHaveLength(1);
  expect([transfer?.requestId, transfer?.choices, unknown]).toEqual([other.requestId, null, undefined]);
  const { createdAt } = tried ?? {};
  expect(tried?.choices).toEqual([
    {
      ...{ number: 1, method: "card-ecom", bank: null, mask: "400000******9995", brand: "visa" },
      ...{ chosenAt: expect.any(String), endedAt: expect.any(String), declineCode: "insufficient_funds" },
    },
    {
      ...{ number: 2, method: "sbp-p2p", bank: "sberbank", mask: null, brand: null },
      ...{ chosenAt: expect.any(String), endedAt: null, declineCode: null },
    },
  ]);
  // The text is an instant of UTC to the millisecond, whatever the connection's time zone is.
  const [first] = tried?.choices ?? [];
  expect(new Date(String(first?.chosenAt)).toISOString()).toBe(first?.chosenAt);
  expect(Math.abs(new Date(String(first?.chosenAt)).getTime() - (createdAt?.getTime() ?? 0))).toBeLessThan(60_000);
});
