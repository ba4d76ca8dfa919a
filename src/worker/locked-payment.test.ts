import { expect, it, vi } from "vitest";
import type { RequisitesAnswer } from "../core/connector.ts";
import type { PaymentKey } from "../store/payments/payments.ts";
import { useTestDatabase } from "../testing/database/test-database.ts";
import { aFakeProvider, ISSUED } from "../testing/rigs/fake-provider.ts";
import { heldBack } from "../testing/rigs/held-back.ts";
import { useWorkerRig } from "../testing/rigs/worker-rig.ts";

const database = useTestDatabase();
const { db, openAnother } = database;
const rig = useWorkerRig(database);
const WAIT = { timeout: 60_000, interval: 10 };

async function leaseOf({ requestId }: PaymentKey): Promise<Date | null | undefined> {
  const rows = await db.run<{ lease: Date | null }>({
    text: "select lease_until as lease from payments where request_id = $1",
    values: [requestId],
  });
  return rows[0]?.lease;
}

it("while a payment is locked, the worker moves those of others on and gives them back", async () => {
  const held = heldBack<RequisitesAnswer>();
  const provider = aFakeProvider("first", { ask: held.answer });
  const [locked, free] = [await rig.aPayin([provider]), await rig.aPayin([provider])];
  rig.startWorker();
  await vi.waitFor(() => expect(provider.countOf("ask")).toBe(2), WAIT);
  const other = openAnother();
  try {
    await other.transaction(async (tx) => {
      await tx.run({ text: "select from payments where request_id = $1 for update", values: [locked.requestId] });
      held.letGo(ISSUED);
      await vi.waitFor(async () => {
        expect((await rig.find(free)).state).toBe("processing:awaiting_confirm");
        expect(await leaseOf(free)).toBeNull();
      }, WAIT);
      expect((await rig.find(locked)).state).toBe("processing:requisites");
    });
  } finally {
    await other.close();
  }
  await vi.waitFor(async () => expect((await rig.find(locked)).state).toBe("processing:awaiting_confirm"), WAIT);
});
