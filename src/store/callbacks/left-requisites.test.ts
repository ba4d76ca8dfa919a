import { expect, it } from "vitest";
import { openApplyPayments } from "../../app/payments/apply-payments.ts";
import { openCreatePayments } from "../../app/payments/create-payments.ts";
import type { PaymentEvent } from "../../app/payments/payment-event.ts";
import { newId } from "../../platform/new-id.ts";
import { aNewPayin } from "../../testing/builders/new-payments.ts";
import { aProject, minor } from "../../testing/builders/projects.ts";
import { useTestDatabase } from "../../testing/database/test-database.ts";
import { claimCallbacks } from "./callback-queue.ts";

/** A callback that is sent late, of requisites that the payer of a hosted page has left. */
const { db } = useTestDatabase();
const apply = openApplyPayments(db);

it("does not show the requisites of the next choice", async () => {
  const { projectId } = await aProject(db);
  const requestId = newId();
  const page = { projectId, requestId, token: Buffer.from("sealed"), tokenHash: Buffer.from(newId()) };
  const request = { callbackUrl: "https://shop.example/callbacks" };
  const terms = { product: "widget", method: null, rates: null, lifetimeS: 600, requestId, request } as const;
  expect(await openCreatePayments(db).widgetPayin({ ...aNewPayin(projectId, terms), page })).toMatchObject({
    ok: true,
  });
  const happen = async (event: Partial<PaymentEvent>) =>
    expect(await apply({ projectId, requestId, actor: "test", ...event } as PaymentEvent)).toMatchObject({ ok: true });
  const showTo = async (method: "sbp-p2p" | "card-p2p", requisites: string) => {
    const rates = { basisPoints: 100, fixed: minor(0) };
    const choice = { method, rates, lifetimeS: 900, bank: undefined, card: undefined };
    await happen({ payin: { kind: "chosen" }, choice });
    await happen({ payin: { kind: "submitted" }, nextProvider: "sandbox" });
    await happen({ payin: { kind: "requisites_issued" }, requisites: Buffer.from(requisites) });
  };
  await showTo("sbp-p2p", "first");
  await happen({ payin: { kind: "left" } });
  await showTo("card-p2p", "second");
  const claimed = await claimCallbacks(db, [{ projectId, origin: "https://shop.example", countMax: 100 }], 60);
  const shown = claimed
    .sort((one, other) => one.sequence - other.sequence)
    .map(({ body, requisites }) => [
      (body as { status: { sub_status: string } }).status.sub_status,
      requisites?.toString() ?? null,
    ]);
  expect(shown.filter(([state]) => state === "awaiting_confirm")).toEqual([
    ["awaiting_confirm", null],
    ["awaiting_confirm", "second"],
  ]);
});
