import pg from "pg";
import { afterAll, expect, inject, it, vi } from "vitest";
import { newReference } from "../../connectors/conformance.ts";
import { openSandboxConnector } from "../../connectors/sandbox/connector.ts";
import { openSandboxControl } from "../../connectors/sandbox/control.ts";
import { openSandboxDesk } from "../../connectors/sandbox/desk.ts";
import type { Currency } from "../../core/currency.ts";
import type { Minor } from "../../core/money.ts";
import { ASKED_FOR } from "../../testing/builders/asked-for.ts";
import { useTestSandbox } from "../test-sandbox.ts";

/** A tester takes a pay-in over at the moment in which its confirm is being written: no money comes by itself. */
const sandbox = useTestSandbox(inject("postgres"));
const closers: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const close of closers) await close();
});

function lines() {
  const options = { baseUrl: sandbox.url(), secret: sandbox.secret, timeoutMs: 60_000 };
  const opened = [openSandboxConnector(options), openSandboxControl(options), openSandboxDesk(options)] as const;
  closers.push(...opened.map(({ close }) => close));
  return opened;
}

async function openClient(): Promise<pg.Client> {
  const client = new pg.Client(sandbox.connection);
  await client.connect();
  closers.push(() => client.end());
  return client;
}

it("money that a confirm is just setting on its way does not come", async () => {
  const [connector, control, desk] = lines();
  const [reference, projectId] = [newReference(), newReference()];
  await connector.askForRequisites({
    ...{ reference, projectId, method: "card-p2p", amount: 250_000n as Minor, currency: "RUB" as Currency },
    ...{ bank: undefined, expiresAt: new Date(Date.now() + 900_000), ...ASKED_FOR },
  });
  const confirming = await openClient();
  await confirming.query("begin");
  await confirming.query("update sandbox.payins set confirmed_at = now() where reference = $1", [reference]);
  await confirming.query(
    `insert into sandbox.expected_money (reference, project_id, cause, amount, due_at)
     values ($1, $2, 'confirm', 250000, now() + interval '2 seconds')`,
    [reference, projectId],
  );
  const takenOver = desk.takeOver("payin", reference);
  const watching = await openClient();
  await vi.waitFor(
    async () => {
      const { rows } = await watching.query(
        "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
      );
      expect(rows).toHaveLength(1);
    },
    { timeout: 60_000, interval: 5 },
  );
  await confirming.query("commit");
  expect(await takenOver).toBe("done");
  expect(await control.moveClock(projectId, 60)).toBe(true);
  expect(await control.readBooks(projectId)).toEqual({ arrived: [], left: [] });
  expect(await desk.sendMoney(reference, 1)).toBe("done");
  expect((await control.readBooks(projectId))?.arrived).toMatchObject([{ amount: "1" }]);
});

it("says of a reference that it does not know that it does not", async () => {
  const [, , desk] = lines();
  const reference = newReference();
  const answers = [
    await desk.takeOver("payin", reference),
    await desk.takeOver("payout", reference),
    await desk.sendMoney(reference, 1),
    await desk.takeMoneyBack(reference),
    await desk.cancelPayin(reference),
    await desk.endPayout(reference, "paid"),
    await desk.endCharge(reference, { status: "approved" }),
  ];
  expect(answers).toEqual(answers.map(() => "unknown"));
  expect(await desk.isHeld(reference)).toBeUndefined();
});
