import { expect, inject, it } from "vitest";
import { newReference } from "../connectors/conformance.ts";
import { openSandboxConnector } from "../connectors/sandbox/connector.ts";
import { openSandboxControl } from "../connectors/sandbox/control.ts";
import type { PayinOrder } from "../core/connector.ts";
import type { Currency } from "../core/currency.ts";
import type { Minor } from "../core/money.ts";
import { startSandboxProcess } from "./test-process.ts";
import { useTestSandbox } from "./test-sandbox.ts";

const sandbox = useTestSandbox(inject("postgres"));
const ORDERS = 200;
const ANSWERED_BEFORE_DEATH = 60;

it("forgets nothing that it answered when it is killed, and does everything once", async () => {
  const { child, url } = await startSandboxProcess(sandbox);
  const projectId = newReference();
  const doomed = openSandboxConnector({ baseUrl: url, secret: sandbox.secret, timeoutMs: 10_000 });
  const orders = Array.from(
    { length: ORDERS },
    (): PayinOrder => ({
      reference: newReference(),
      projectId,
      method: "sbp-p2p",
      amount: 700_01n as Minor,
      currency: "RUB" as Currency,
      bank: { symbol: "vtb", required: true },
      expiresAt: new Date(Date.now() + 900_000),
    }),
  );
  let answered = 0;
  const before = await Promise.all(
    orders.map(async (order) => {
      const answer = await doomed.askForRequisites(order);
      answered += 1;
      if (answered === ANSWERED_BEFORE_DEATH) child.kill("SIGKILL");
      return answer;
    }),
  );
  expect(before.filter(({ kind }) => kind === "issued").length).toBeGreaterThanOrEqual(ANSWERED_BEFORE_DEATH);
  expect(before.filter(({ kind }) => kind === "unknown").length).toBeGreaterThan(0);
  await doomed.close();

  const options = { baseUrl: sandbox.url(), secret: sandbox.secret, timeoutMs: 10_000 };
  const [connector, control] = [openSandboxConnector(options), openSandboxControl(options)];
  const after = await Promise.all(orders.map((order) => connector.askForRequisites(order)));
  for (const [index, answer] of before.entries()) if (answer.kind === "issued") expect(after[index]).toEqual(answer);
  expect(new Set(after.map((answer) => answer.kind === "issued" && answer.requisites.value)).size).toBe(ORDERS);
  await control.moveClock(projectId, 10);
  const expected = [{ currency: "RUB", amount: String(700_01n * BigInt(ORDERS)), entries: ORDERS }];
  expect(await control.readBooks(projectId)).toEqual({ arrived: expected, left: [] });
  await Promise.all([connector.close(), control.close()]);
});
