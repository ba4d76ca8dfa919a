import { describe, expect, it } from "vitest";
import { openApplyPayments } from "../../app/payments/apply-payments.ts";
import { openCreatePayments } from "../../app/payments/create-payments.ts";
import { sealRequisites } from "../../app/payments/payment-secrets.ts";
import type { Id } from "../../core/ids.ts";
import type { PayinHappening } from "../../core/payments/decide-payin.ts";
import { newId } from "../../platform/new-id.ts";
import { aNewPayin, ratesOf } from "../../testing/builders/new-payments.ts";
import { minor } from "../../testing/builders/projects.ts";
import { useTestDatabase } from "../../testing/database/test-database.ts";
import type { CallbackReceiver } from "../../testing/http/callback-receiver.ts";
import { eventually, type Shop, useCallbackRig } from "../../testing/rigs/callback-rig.ts";

const database = useTestDatabase();
const { db } = database;
const rig = useCallbackRig(database);
const applyByQueue = openApplyPayments(db);
const creates = openCreatePayments(db);

const PAN = "2200123412341234";
const MASKED = "220012******1234";

/** A pay-in as the service makes and moves it, to where requisites are out. */
async function aPayin(shop: Shop, { amount = 1000, apply = applyByQueue } = {}) {
  const requestId = newId();
  const terms = { ...ratesOf(250), amount: minor(amount) };
  const created = await creates.payin(
    aNewPayin(shop.projectId, { ...terms, requestId, paymentId: `ord-${requestId}` }),
  );
  if (!created.ok) throw new Error(created.error);
  const happen = async (payin: PayinHappening, extra = {}) => {
    const applied = await apply({ projectId: shop.projectId, requestId, payin, actor: "test", ...extra });
    if (!applied.ok) throw new Error(applied.error);
  };
  const issue = async () => {
    await happen({ kind: "submitted" });
    const details = { type: "card", value: PAN, holder: "IVAN I.", bank: "sberbank", bankName: undefined } as const;
    const requisites = sealRequisites(rig.keyring, requestId, details);
    await happen({ kind: "requisites_issued" }, { requisites });
  };
  const receive = () => {
    const receiptReference = newId();
    const receivedFrom = { provider: "sandbox", receiptReference, amount: minor(amount), receivedAt: new Date() };
    return happen({ kind: "received", amount: minor(amount), clearing: "clearing:sandbox" }, { receivedFrom });
  };
  return { requestId, happen, issue, receive };
}

function toldOf({ received }: CallbackReceiver, requestId: Id) {
  return received.filter(({ body }) => body.general.request_id === requestId).map(({ body }) => body);
}

describe("requisites in a callback", () => {
  it.each(["queue", "memory"])(
    "are in clear while the payment is open, and masked once it is final: from the %s",
    async (from) => {
      const receiver = await rig.receiver();
      const shop = await rig.shop(receiver, "rsa");
      const { outbox } = rig.run();
      const apply = from === "memory" ? openApplyPayments(db, outbox) : applyByQueue;
      const { requestId, happen, issue, receive } = await aPayin(shop, { apply });
      await issue();
      await happen({ kind: "confirmed" });
      await eventually(() => expect(toldOf(receiver, requestId)).toHaveLength(3));
      await receive();
      await eventually(() => expect(toldOf(receiver, requestId)).toHaveLength(4));
      const told = toldOf(receiver, requestId);
      expect(told.map(({ status }) => status.sub_status)).toEqual(["requisites", "awaiting_confirm", "paid", null]);
      expect(told[0]).not.toHaveProperty("requisites");
      const shown = { type: "card", holder: "IVAN I.", bank: "sberbank", bank_name: "Sberbank", amount: 1000 };
      expect(told[1]?.requisites).toMatchObject({ ...shown, pan: PAN });
      expect(told[2]?.requisites).toMatchObject({ pan: PAN });
      expect(told[3]?.requisites).toMatchObject({ pan: MASKED });
      expect(told[3]).toMatchObject({
        status: { status: "success", sub_status: null, status_description: null, decline_code: null },
        payment_info: { type: "payin", amount: 1000, received_amount: 1000, fee: 25, net: 975 },
      });
    },
  );

  it("are masked in what comes late, too", async () => {
    const receiver = await rig.receiver();
    const shop = await rig.shop(receiver);
    const { requestId, issue, receive } = await aPayin(shop);
    await issue();
    await receive();
    rig.run();
    await eventually(() => expect(toldOf(receiver, requestId)).toHaveLength(3));
    const [, awaiting, success] = toldOf(receiver, requestId);
    expect(awaiting).toMatchObject({ status: { sub_status: "awaiting_confirm" }, requisites: { pan: MASKED } });
    expect(success).toMatchObject({ status: { status: "success" }, requisites: { pan: MASKED } });
  });

  it("are nowhere in what is stored of it, nor in the log", async () => {
    const receiver = await rig.receiver();
    const shop = await rig.shop(receiver);
    const { requestId, issue } = await aPayin(shop);
    rig.run();
    await issue();
    await eventually(() => expect(toldOf(receiver, requestId)).toHaveLength(2));
    await eventually(async () => {
      const [row] = await db.run<{ text: string; done: boolean }>({
        text: `select string_agg(c::text, '') || coalesce(string_agg(a::text, ''), '') as text, bool_and(c.state = 'delivered') as done
                 from callbacks c left join callback_attempts a on a.callback_id = c.id where c.request_id = $1`,
        values: [requestId],
      });
      expect(row?.done).toBe(true);
      for (const secret of [PAN, MASKED, "IVAN", "sberbank"]) expect(row?.text).not.toContain(secret);
    });
    expect(rig.logLines().join("\n")).not.toContain(PAN);
  });
});

describe("a change of a payment and its callback", () => {
  it("are one commit", async () => {
    const shop = await rig.shop(await rig.receiver());
    const { requestId, issue } = await aPayin(shop);
    await issue();
    const rows = await db.run({
      text: `select c.sequence, c.xmin = p.xmin and h.xmin = p.xmin as together
               from payments p
               join callbacks c on c.request_id = p.request_id and c.sequence = p.sequence
               join payment_history h on h.request_id = p.request_id and h.number = p.sequence
              where p.request_id = $1`,
      values: [requestId],
    });
    expect(rows).toEqual([{ sequence: 3, together: true }]);
  });

  it("stand or fall together: a change that cannot be committed leaves no callback", async () => {
    const shop = await rig.shop(await rig.receiver());
    const { requestId, issue, receive } = await aPayin(shop);
    await issue();
    // The balance has no room: the money waits in suspense, and the payment in paid; nobody is told of a success.
    await db.run({
      text: `insert into balances (project_id, currency, available, locked) values ($1, 'RUB', 9999999999999, 0)
             on conflict (project_id, currency) do update set available = excluded.available`,
      values: [shop.projectId],
    });
    database.expectBroken();
    await receive();
    const told = await db.run<{ status: string }>({
      text: `select body->'status'->>'sub_status' as status from callbacks where request_id = $1 order by sequence`,
      values: [requestId],
    });
    expect(told.map(({ status }) => status)).toEqual(["requisites", "awaiting_confirm", "paid"]);
    await db.run({ text: "update balances set available = 0 where project_id = $1", values: [shop.projectId] });
  });

  it("whose payment has no URL tell nobody, and creation tells nobody either", async () => {
    const shop = await rig.shop(await rig.receiver());
    const { requestId, issue } = await aPayin(shop);
    await db.run({ text: "update projects set callback_url = null where id = $1", values: [shop.projectId] });
    await issue();
    expect(await db.run({ text: "select from callbacks where request_id = $1", values: [requestId] })).toEqual([]);
  });
});
