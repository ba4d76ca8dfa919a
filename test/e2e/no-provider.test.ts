import { describe, expect, it } from "vitest";
import { configureProject } from "../../src/app/merchants/merchants.ts";
import { type PausedPart, pausePart, resumePart } from "../../src/app/merchants/pauses.ts";
import type { RouteChange } from "../../src/app/merchants/project-rules.ts";
import type { Id } from "../../src/core/ids.ts";
import { newId } from "../../src/platform/new-id.ts";
import { credit } from "../../src/testing/builders/projects.ts";
import { useTestDatabase } from "../../src/testing/database/test-database.ts";
import { aClient, type MerchantClient, payinBody, payoutBody } from "../../src/testing/service/merchant-client.ts";
import { useTestService } from "../../src/testing/service/test-service.ts";
import { waitForState } from "../../src/testing/service/wait-for-payment.ts";

/** A payment that no provider can take is refused before anything of it is stored. */
const database = useTestDatabase();
const { db } = database;
const service = useTestService(database);

/** A Visa number that is none of the sandbox's. */
const LIVE_PAN = "4012888888881881";
const P2P_PAYIN = "/api/v1/payment/p2p/payin";
const P2P_PAYOUT = "/api/v1/payment/p2p/payout";
const CARD_PAYIN = "/api/v1/payment/ecom/payin";
const CARD_PAYOUT = "/api/v1/payment/ecom/payout";
const WIDGET = "/api/v1/widget/payin";
const REFUSED = { status: 422, json: { code: "no_provider" } };

function bodyOf(path: string, projectId: string, pan = LIVE_PAN): object {
  const ecom = { method: "card-ecom" };
  switch (path) {
    case P2P_PAYIN:
      return payinBody(projectId);
    case P2P_PAYOUT:
      return payoutBody(projectId, { receiver: { pan } });
    case CARD_PAYOUT:
      return payoutBody(projectId, { payment: ecom, receiver: { pan } });
    case CARD_PAYIN: {
      const card = { pan, cvv: "987", card_holder: "OLGA", expiry_month: 12, expiry_year: 2041 };
      return { ...payinBody(projectId, { payment: ecom }), card };
    }
    default:
      return {
        general: { project_id: projectId, payment_id: newId() },
        payment: { amount: 250_000, currency: "RUB" },
        customer: { id: "customer-1" },
      };
  }
}

async function countOf(projectId: Id): Promise<number> {
  const rows = await db.run<{ count: number }>({
    text: `select (select count(*) from payments where project_id = $1)::int
                + (select count(*) from card_payins where project_id = $1)::int as count`,
    values: [projectId],
  });
  return rows[0]?.count ?? -1;
}

async function setRoutes(client: MerchantClient, ...routes: readonly RouteChange[]): Promise<void> {
  expect(await configureProject(db, client.projectId, { routes })).toMatchObject({ ok: true });
  await service.settled();
}

async function offeredOn(form: unknown): Promise<readonly string[]> {
  const { form_url } = form as { form_url: string };
  const view = (await (await fetch(`${form_url}/state`)).json()) as { methods: { code: string }[] };
  return view.methods.map(({ code }) => code);
}

/** What a page that was opened before the pause would send. */
async function payByCard(form: unknown): Promise<number> {
  const { form_url } = form as { form_url: string };
  const card = { pan: "4242424242424242", cvv: "987", card_holder: "OLGA", expiry_month: 12, expiry_year: 2041 };
  const headers = { "content-type": "application/json" };
  return (await fetch(`${form_url}/card`, { method: "POST", headers, body: JSON.stringify(card) })).status;
}

describe("a live project without a provider", () => {
  it.each([
    ["a card", CARD_PAYIN],
    ["a transfer", P2P_PAYIN],
    ["a payout", P2P_PAYOUT],
    ["a payout to a card", CARD_PAYOUT],
    ["a page", WIDGET],
  ])("is refused %s, and nothing is stored", async (_, path) => {
    const live = await aClient(db, service, { book: "live" });
    await credit(db, live.projectId, 1_000_000);
    expect(await live.post(path, bodyOf(path, live.projectId))).toMatchObject(REFUSED);
    expect(await countOf(live.projectId)).toBe(0);
    expect((await live.available()).locked).toBe(0);
  });

  it("is served by the pool what the pool can do, which does not include cards", async () => {
    const live = await aClient(db, service, { book: "live" });
    await credit(db, live.projectId, 1_000_000);
    await setRoutes(
      live,
      { direction: "payin", method: "card-p2p", providers: ["pool"] },
      { direction: "payout", method: "card-ecom", providers: ["pool"] },
    );
    expect((await live.post(P2P_PAYIN, bodyOf(P2P_PAYIN, live.projectId))).status).toBe(200);
    expect((await live.post(CARD_PAYOUT, bodyOf(CARD_PAYOUT, live.projectId))).status).toBe(200);
    expect(await live.post(CARD_PAYIN, bodyOf(CARD_PAYIN, live.projectId))).toMatchObject(REFUSED);
    const page = await live.post(WIDGET, bodyOf(WIDGET, live.projectId));
    expect(await offeredOn(page.json.integration)).toEqual(["payin-p2p-card"]);
  });

  it("is answered what it created while it had one", async () => {
    const live = await aClient(db, service, { book: "live" });
    await setRoutes(live, { direction: "payin", method: "card-p2p", providers: ["pool"] });
    for (const path of [P2P_PAYIN, WIDGET]) {
      const body = bodyOf(path, live.projectId);
      const { json } = await live.post(path, body);
      await setRoutes(live, { direction: "payin", method: "card-p2p", providers: [] });
      expect(await live.post(path, bodyOf(path, live.projectId))).toMatchObject(REFUSED);
      const again = await live.post(path, body);
      expect(again).toMatchObject({ status: 200, replayed: true, json: { request_id: json.request_id } });
      await setRoutes(live, { direction: "payin", method: "card-p2p", providers: ["pool"] });
    }
  });
});

describe("while the provider is paused", () => {
  it("a card is refused, and what can wait waits", async () => {
    const client = await aClient(db, service);
    await credit(db, client.projectId, 1_000_000);
    const card = () => bodyOf(CARD_PAYIN, client.projectId, "4242424242424242");
    const earlier = card();
    expect((await client.post(CARD_PAYIN, earlier)).status).toBe(200);
    const part: PausedPart = { kind: "provider", name: "sandbox" };
    await pausePart(db, { part, reason: "test", actor: "test" });
    await service.settled();
    const before = await countOf(client.projectId);
    expect(await client.post(CARD_PAYIN, card())).toMatchObject(REFUSED);
    expect(await countOf(client.projectId)).toBe(before);
    expect(await client.post(CARD_PAYIN, earlier)).toMatchObject({ status: 200, replayed: true });
    const payin = await client.payin(payinBody(client.projectId));
    const payout = await client.payout(payoutBody(client.projectId));
    expect([payin.status, payout.status]).toEqual([200, 200]);
    const page = await client.post(WIDGET, bodyOf(WIDGET, client.projectId));
    expect(page.status).toBe(200);
    expect(await offeredOn(page.json.integration)).not.toContain("payin-ecom-card");
    expect(await payByCard(page.json.integration)).toBe(403);
    await resumePart(db, part, "test");
    await service.settled();
    await waitForState(() => client.payinInfo(payin.json.payment_id), "processing:awaiting_confirm");
    await waitForState(() => client.payoutInfo(payout.json.payment_id), "success");
    expect(await offeredOn(page.json.integration)).toContain("payin-ecom-card");
    expect((await client.post(CARD_PAYIN, card())).status).toBe(200);
  });
});
