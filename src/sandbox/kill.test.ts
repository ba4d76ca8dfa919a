import { expect, inject, it } from "vitest";
import { newReference } from "../connectors/conformance.ts";
import { openSandboxConnector } from "../connectors/sandbox/connector.ts";
import { openSandboxControl } from "../connectors/sandbox/control.ts";
import type { PayinRequest } from "../core/connector.ts";
import type { Currency } from "../core/currency.ts";
import type { Minor } from "../core/money.ts";
import { ASKED_FOR } from "../testing/builders/asked-for.ts";
import { startSandboxProcess } from "./test-process.ts";
import { useTestSandbox } from "./test-sandbox.ts";

const sandbox = useTestSandbox(inject("postgres"));
const REQUESTS = 200;
const ANSWERED_BEFORE_DEATH = 60;

it("forgets nothing that it answered when it is killed, and does everything once", async () => {
  const { child, url } = await startSandboxProcess(sandbox);
  const projectId = newReference();
  const doomed = openSandboxConnector({ baseUrl: url, secret: sandbox.secret, timeoutMs: 10_000 });
  const requests = Array.from(
    { length: REQUESTS },
    (): PayinRequest => ({
      reference: newReference(),
      projectId,
      method: "sbp-p2p",
      amount: 700_01n as Minor,
      currency: "RUB" as Currency,
      bank: { symbol: "vtb", required: true },
      expiresAt: new Date(Date.now() + 900_000),
      ...ASKED_FOR,
    }),
  );
  let answered = 0;
  const before = await Promise.all(
    requests.map(async (request) => {
      const answer = await doomed.askForRequisites(request);
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
  const after = await Promise.all(requests.map((request) => connector.askForRequisites(request)));
  for (const [index, answer] of before.entries()) if (answer.kind === "issued") expect(after[index]).toEqual(answer);
  expect(new Set(after.map((answer) => answer.kind === "issued" && answer.requisites.value)).size).toBe(REQUESTS);
  await control.moveClock(projectId, 10);
  const expected = [{ currency: "RUB", amount: String(700_01n * BigInt(REQUESTS)), entries: REQUESTS }];
  expect(await control.readBooks(projectId)).toEqual({ arrived: expected, left: [] });
  await Promise.all([connector.close(), control.close()]);
});
