import { expect, inject, it } from "vitest";
import { openSandboxConnector } from "../../connectors/sandbox/connector.ts";
import { openSandboxControl } from "../../connectors/sandbox/control.ts";
import type { ChargeRequest } from "../../core/card-acquirer.ts";
import type { Currency } from "../../core/currency.ts";
import type { Minor } from "../../core/money.ts";
import { ASKED_FOR } from "../../testing/builders/asked-for.ts";
import { CARDS, newCharge } from "../test-charge.ts";
import { startSandboxProcess } from "../test-process.ts";
import { useTestSandbox } from "../test-sandbox.ts";

const sandbox = useTestSandbox(inject("postgres"));
const REQUESTS = 200;
const ANSWERED_BEFORE_DEATH = 60;

function chargeOf(projectId: string, pan: string): ChargeRequest {
  return {
    reference: newCharge(pan).reference,
    projectId,
    merchantName: undefined,
    amount: 700_00n as Minor,
    currency: "RUB" as Currency,
    card: { pan, cvv: "123", holder: "A B", expiryMonth: 12, expiryYear: 2040 },
    returnUrl: "https://gateway.invalid/",
    browser: undefined,
    expiresAt: new Date(Date.now() + 600_000),
    ...ASKED_FOR,
  };
}

it("forgets no charge that it answered when it is killed, and charges everything once", async () => {
  const { child, url } = await startSandboxProcess(sandbox);
  const { project_id: projectId } = newCharge(CARDS.approved);
  const doomed = openSandboxConnector({ baseUrl: url, secret: sandbox.secret, timeoutMs: 10_000 });
  const pans = [CARDS.approved, CARDS.challenge];
  const requests = Array.from({ length: REQUESTS }, (_, index) => chargeOf(projectId, pans[index % 2] ?? ""));
  let answered = 0;
  const before = await Promise.all(
    requests.map(async (request) => {
      const answer = await doomed.cards.charge(request);
      answered += 1;
      if (answered === ANSWERED_BEFORE_DEATH) child.kill("SIGKILL");
      return answer;
    }),
  );
  expect(before.filter(({ kind }) => kind !== "unknown").length).toBeGreaterThanOrEqual(ANSWERED_BEFORE_DEATH);
  expect(before.filter(({ kind }) => kind === "unknown").length).toBeGreaterThan(0);
  await doomed.close();

  const options = { baseUrl: sandbox.url(), secret: sandbox.secret, timeoutMs: 10_000 };
  const [connector, control] = [openSandboxConnector(options), openSandboxControl(options)];
  const after = await Promise.all(requests.map((request) => connector.cards.charge(request)));
  for (const [index, answer] of before.entries()) {
    const again = after[index];
    expect(again?.kind).toBe(index % 2 === 0 ? "approved" : "challenge");
    if (answer.kind === "challenge" && again?.kind === "challenge")
      // The sandbox listens on another port now; the request is the same.
      expect({ ...again.challenge, acsUrl: "" }).toEqual({ ...answer.challenge, acsUrl: "" });
  }
  const expected = [{ currency: "RUB", amount: String(700_00n * BigInt(REQUESTS / 2)), entries: REQUESTS / 2 }];
  expect(await control.readBooks(projectId)).toEqual({ arrived: expected, left: [] });
  await Promise.all([connector.close(), control.close()]);
});
