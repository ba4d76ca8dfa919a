import { expect, it } from "vitest";
import type { CardAcquirer, ChargeOutcome } from "../../core/card-acquirer.ts";
import type { Connector } from "../../core/connector.ts";
import { ZERO } from "../../core/money.ts";
import { openLog } from "../../platform/log.ts";
import { newId } from "../../platform/new-id.ts";
import type { Database } from "../../store/db.ts";
import { minor, RUB, testKeyring } from "../../testing/builders/projects.ts";
import { aFakeProvider } from "../../testing/rigs/fake-provider.ts";
import { heldBack } from "../../testing/rigs/held-back.ts";
import type { Directory } from "../merchants/directory.ts";
import { openCardDesk, type SentPayment } from "./charge-card.ts";

/** More than the desk sends to one acquirer at a time. */
const MANY = 100;
const AT_ONCE = 64;
const CARD = { pan: "4242424242424242", cvv: "987", holder: "OLGA", expiryMonth: 12, expiryYear: 2041 };

function anAcquirer(code: string, charge: CardAcquirer["charge"]): Connector {
  const never = () => Promise.reject(new Error("nothing but the charge is asked for"));
  return {
    ...aFakeProvider(code),
    cards: { needsHolder: false, charge, passAuthentication: never, askChargeState: never },
  };
}

function aSentPayment(provider: string): SentPayment {
  const [createdAt, expiresAt] = [new Date(), new Date(Date.now() + 600_000)];
  return {
    ...{ projectId: newId(), requestId: newId(), direction: "payin", method: "card-ecom", state: "processing:new" },
    ...{ provider, reference: newId(), requestedAmount: minor(1_000), receivedAmount: ZERO, currency: RUB },
    ...{ createdAt, expiresAt, customerId: "c", request: {}, confirmedAt: null, confirmTold: false },
    ...{ releasedAt: null, choiceCount: null },
  };
}

it("an acquirer that hangs keeps no other's cards back", async () => {
  const held = heldBack<ChargeOutcome>();
  const quick = heldBack<ChargeOutcome>();
  let hangingCount = 0;
  const connectors = new Map([
    [
      "hanging",
      anAcquirer("hanging", () => {
        hangingCount += 1;
        return held.answer();
      }),
    ],
    ["quick", anAcquirer("quick", quick.answer)],
  ]);
  const desk = openCardDesk({
    ...{ keyring: testKeyring(), nowMs: Date.now, publicUrl: () => "http://127.0.0.1" },
    db: undefined as unknown as Database,
    log: openLog({ level: "silent", destination: { write: () => undefined } }),
    apply: () => Promise.reject(new Error("an unknown outcome changes nothing")),
    findConnector: (code) => connectors.get(code),
    currentDirectory: () => ({ projects: new Map() }) as unknown as Directory,
  });
  const charge = (provider: string) => {
    const committed = aSentPayment(provider);
    const { projectId, requestId } = committed;
    desk.charge({ projectId, requestId, card: CARD, browser: undefined, pageToken: "token", committed });
  };
  for (let count = 0; count < MANY; count += 1) charge("hanging");
  await held.asked;
  charge("quick");
  await quick.asked;
  expect(hangingCount).toBe(AT_ONCE);
  for (const { letGo } of [held, quick]) letGo({ kind: "unknown" });
  await desk.drain();
  expect(hangingCount).toBe(MANY);
});
