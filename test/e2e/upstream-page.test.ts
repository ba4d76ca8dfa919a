import { expect, it } from "vitest";
import { FEES_BP, type Line, useTwoGateways } from "../../src/testing/rigs/two-gateways.ts";
import { untilBooksAgree } from "../../src/testing/rigs/two-gateways-books.ts";
import { CARDS, deed, payByCard, payByTransfer, untilStep } from "./page-payer.ts";
import { authenticate, goToIssuer } from "./upstream-cardholder.ts";
import { counterOf, follow, useShopServer } from "./upstream-counters.ts";

/** A payer of A's hosted page, whose money goes through B. */
const gateways = useTwoGateways();
const shop = useShopServer();

const WIDGET = "/api/v1/widget/payin";
const AMOUNT = 250_033;

async function aPage(line: Line) {
  const { projectId } = line.shop;
  const paymentId = `page-${line.code}`;
  const { json } = await line.shop.post(WIDGET, {
    general: { project_id: projectId, payment_id: paymentId, ...shop.urls() },
    payment: { amount: AMOUNT, currency: "RUB" },
    customer: { id: "customer-1" },
  });
  const { form_url: url } = json.integration as { form_url: string };
  return { made: { url, paymentId }, payin: follow(counterOf(gateways, line), WIDGET, json) };
}

const NET = { RUB: BigInt(AMOUNT - Math.round((AMOUNT * FEES_BP.b) / 10_000)) };

it("pays by transfer, and confirms on the page", async () => {
  const line = await gateways.openLine();
  const { made, payin } = await aPage(line);
  expect((await payByTransfer(made)).status).toBe(200);
  await untilStep(made, "transfer");
  expect((await deed(made, "confirm")).status).toBe(200);
  await untilStep(made, "success");
  expect((await payin.reaches("success")).payment).toMatchObject({ method: "card-p2p", amount: AMOUNT });
  expect(await untilBooksAgree(gateways, line)).toEqual(NET);
});

it("pays by a card that the issuer asks a code for", async () => {
  const line = await gateways.openLine();
  const { made, payin } = await aPage(line);
  expect((await payByCard(made, CARDS.challenged)).status).toBe(200);
  const { challenge_url } = await untilStep(made, "challenge");
  const integration = { redirect_url: challenge_url ?? "" };
  // From the issuer the payer comes back to A, whose page is where the payment began.
  await authenticate(await goToIssuer({ ...payin.created, integration }), gateways.a.service.url(), "1234");
  await untilStep(made, "success");
  expect((await payin.reaches("success")).payment).toMatchObject({ method: "card-ecom", amount: AMOUNT });
  expect(await untilBooksAgree(gateways, line)).toEqual(NET);
});
