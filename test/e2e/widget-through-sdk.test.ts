import { describe, expect, it, vi } from "vitest";
import { createTillgate, credentialsFromSandboxFile, TillgateApiError } from "../../sdk/src/index.ts";
import { useTestDatabase } from "../../src/testing/database/test-database.ts";
import { useTestService } from "../../src/testing/service/test-service.ts";

const service = useTestService(useTestDatabase());

function client() {
  const credentials = credentialsFromSandboxFile(service.sandbox(), "hmac");
  return createTillgate({ baseUrl: service.url(), credentials, retriesMax: 0 });
}

let count = 0;
function aRequest(change: { readonly amount?: number; readonly widget_method?: "payin-p2p-sbp" } = {}) {
  count += 1;
  return {
    general: { payment_id: `widget-${count}` },
    payment: { amount: 250_000, currency: "RUB", ...change },
    customer: { id: "c1" },
  };
}

async function codeOf(call: Promise<unknown>): Promise<string> {
  return call.then(
    () => "ok",
    (error) => (error instanceof TillgateApiError ? error.code : "other"),
  );
}

/** What the page would ask the server for. */
async function page(formUrl: string, deed = "state", body?: object) {
  const answer = await fetch(`${formUrl}/${deed}`, {
    method: body === undefined ? "GET" : "POST",
    ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { "content-type": "application/json" } }),
  });
  return { status: answer.status, view: (await answer.json()) as Record<string, unknown> };
}

describe("a payment on the hosted page", () => {
  it("is created without a method, with the page's address, and repeats itself", async () => {
    const request = aRequest();
    const { payment, replayed } = await client().widget.payin.create(request);
    expect(replayed).toBe(false);
    expect(payment).toMatchObject({ status: "processing", sub_status: "new" });
    expect(payment.payment).toEqual({ amount: 250_000, requested_amount: 250_000, currency: "RUB" });
    expect(payment.integration?.form_url).toMatch(new RegExp(`^${service.url()}/pay/[0-9a-f]{40}$`));
    const again = await client().widget.payin.create(request);
    expect(again).toMatchObject({ replayed: true, payment: { request_id: payment.request_id } });
    expect(again.payment.integration).toEqual(payment.integration);
  });

  it("goes by the payer's choice to requisites, and by the merchant's confirm to success", async () => {
    const request = aRequest({ widget_method: "payin-p2p-sbp" });
    const { payment } = await client().widget.payin.create(request);
    const formUrl = payment.integration?.form_url ?? "";
    const { view } = await page(formUrl);
    expect(view).toMatchObject({ step: "choose", preselected: "payin-p2p-sbp", order: request.general.payment_id });
    const chosen = await page(formUrl, "choose", { method: "payin-p2p-sbp", bank: "sberbank" });
    expect(chosen.status).toBe(200);
    const { info, confirm } = client().widget.payin;
    await vi.waitFor(async () => expect((await info(request.general.payment_id)).sub_status).toBe("awaiting_confirm"), {
      timeout: 60_000,
      interval: 100,
    });
    expect(await info(request.general.payment_id)).toMatchObject({
      payment: { method: "sbp-p2p", fee: 6_250, net: 243_750 },
      requisites: { type: "phone", bank: "sberbank" },
    });
    expect(await confirm(request.general.payment_id)).toMatchObject({ sub_status: "paid" });
    await vi.waitFor(async () => expect((await info(request.general.payment_id)).status).toBe("success"), {
      timeout: 30_000,
      interval: 100,
    });
    expect((await page(formUrl)).view).toMatchObject({ step: "success", actions: [] });
    expect((await page(formUrl, "cancel", {})).status).toBe(409);
  });

  it("can be given up, and is not to be found on another product's path", async () => {
    const request = aRequest();
    await client().widget.payin.create(request);
    expect(await codeOf(client().p2p.payin.info(request.general.payment_id))).toBe("payment_not_found");
    expect(await codeOf(client().widget.payin.confirm(request.general.payment_id))).toBe("wrong_state");
    expect(await client().widget.payin.cancel(request.general.payment_id)).toMatchObject({
      status: "decline",
      decline_code: "cancelled",
    });
  });

  it.each([
    ["a bank outside the system", { method: "payin-p2p-sbp", bank: "kaspi-bank" }, "bank_not_sbp"],
    ["a bank of another country", { method: "payin-p2p-mobile", bank: "kaspi-bank" }, "bank_unknown"],
    ["no bank", { method: "payin-p2p-sbp" }, "bank_unknown"],
    ["a method of another currency", { method: "payin-p2p-phone" }, "method_not_enabled"],
    ["nonsense", { method: 7 }, "validation_failed"],
  ])("refuses %s, and changes nothing", async (_name, choice, code) => {
    const { payment } = await client().widget.payin.create(aRequest());
    const formUrl = payment.integration?.form_url ?? "";
    expect((await page(formUrl, "choose", choice)).view).toMatchObject({ code });
    expect((await page(formUrl)).view).toMatchObject({ step: "choose" });
  });

  it("is refused where no method of the page fits", async () => {
    const { widget } = client();
    const foreign = { ...aRequest(), payment: { amount: 100, currency: "USD" } };
    expect(await codeOf(widget.payin.create(foreign))).toBe("method_not_enabled");
    const unknown = { ...aRequest(), payment: { amount: 100, currency: "RUB", widget_method: "payin-cash" as never } };
    expect(await codeOf(widget.payin.create(unknown))).toBe("validation_failed");
  });
});
