import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTillgate, credentialsFromSandboxFile } from "../../sdk/src/index.ts";
import { webhookHeaders } from "../../sdk/test/reference.ts";
import { useTestDatabase } from "../../src/testing/database/test-database.ts";
import {
  type CallbackReceiver,
  openCallbackReceiver,
  type ReceivedCallback,
} from "../../src/testing/http/callback-receiver.ts";
import { useTestService } from "../../src/testing/service/test-service.ts";
import { runCommand } from "../browser/run-command.ts";

/** examples/shop, built and started as its README says, with the callbacks in the test's hands. */
const database = useTestDatabase();
const service = useTestService(database);
const directory = mkdtempSync(join(tmpdir(), "tillgate-shop-"));
const SHOP_ORDERS = join(directory, "orders.json");

type Order = {
  readonly id: string;
  readonly formUrl?: string;
  readonly state: string;
  readonly paidAmount?: number;
  readonly refund?: {
    readonly state: string;
    readonly amount: number;
    readonly attempt: number;
    readonly problem?: string;
  };
  readonly eventIds: readonly string[];
};
const orderOf = (id: string): Order | undefined =>
  (JSON.parse(readFileSync(SHOP_ORDERS, "utf8")) as Order[]).find((order) => order.id === id);

let shop: ChildProcess;
let shopUrl = "";
let callbacks: CallbackReceiver;

/** What the shop prints first says where it is. */
async function openShop(program: string, ...words: string[]): Promise<void> {
  shop = spawn(program, words, {
    cwd: fileURLToPath(new URL("../../examples/shop", import.meta.url)),
    env: {
      ...{ PATH: process.env.PATH, HOME: directory, PORT: "0", SHOP_URL: callbacks.url, SHOP_ORDERS },
      // npm asks its registry for a newer npm otherwise.
      ...{
        SHOP_RECONCILE_S: "3600",
        npm_config_update_notifier: "false",
        TILLGATE_SANDBOX: join(service.stateDir, "sandbox.json"),
      },
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  if (shop.stdout === null) throw new Error("the shop prints nothing");
  const lines = createInterface({ input: shop.stdout });
  for await (const line of lines) {
    shopUrl = /^The shop is open at (http:\S+)$/.exec(line)?.[1] ?? "";
    if (shopUrl !== "") break;
  }
  expect(shopUrl).not.toBe("");
}

async function closeShop(): Promise<void> {
  shop.kill("SIGTERM");
  if (shop.exitCode === null && shop.signalCode === null) await once(shop, "exit");
}

const forward = async ({ headers, rawBody }: ReceivedCallback) => {
  const signed = ["webhook-id", "webhook-timestamp", "webhook-signature"].map((name) => [name, String(headers[name])]);
  const { status } = await fetch(`${shopUrl}/callbacks`, {
    method: "POST",
    headers: Object.fromEntries(signed),
    body: new Uint8Array(rawBody),
  });
  return { status };
};

beforeAll(async () => {
  callbacks = await openCallbackReceiver(forward);
  await openShop("npm", "start");
});
afterAll(async () => {
  await closeShop();
  await callbacks.close();
  rmSync(directory, { recursive: true, force: true });
});

const post = (path: string, form: Record<string, string>) =>
  fetch(`${shopUrl}${path}`, { method: "POST", body: new URLSearchParams(form), redirect: "manual" });

/** Buys an item of the shop's list, chooses the transfer on the payment page, and says that it was made. */
async function buyAndPay(item: number): Promise<string> {
  const { status, headers } = await post("/buy", { item: String(item) });
  const formUrl = headers.get("location") ?? "";
  expect([status, formUrl]).toEqual([303, expect.stringMatching(/\/pay\/[0-9a-f]{40}$/)]);
  const page = (deed: string, body: object) =>
    fetch(`${formUrl}/${deed}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  expect((await page("choose", { method: "payin-p2p-sbp", bank: "sberbank" })).status).toBe(200);
  await expect.poll(async () => (await page("confirm", {})).status).toBe(200);
  const orders = JSON.parse(readFileSync(SHOP_ORDERS, "utf8")) as Order[];
  return orders.find((order) => order.formUrl === formUrl)?.id ?? "";
}

const tillgate = () =>
  createTillgate({ baseUrl: service.url(), credentials: credentialsFromSandboxFile(service.sandbox()) });
const pageOf = async (id: string) => (await fetch(`${shopUrl}/orders/${id}`)).text();

describe("the shop of the examples", () => {
  it("delivers an order that was paid, and takes each callback once", async () => {
    const id = await buyAndPay(0);
    await expect.poll(() => orderOf(id)?.state).toBe("paid");
    expect(orderOf(id)).toMatchObject({ paidAmount: 250_000, eventIds: { length: 4 } });
    expect(orderOf(id)?.refund).toBeUndefined();
    expect(await pageOf(id)).toContain("paid, on its way to you");
    expect(await (await fetch(shopUrl)).text()).toContain(`/orders/${id}`);

    const before = readFileSync(SHOP_ORDERS, "utf8");
    const sent = callbacks.received.filter(({ body }) => body.general.payment_id === id);
    for (const callback of sent) expect(await forward(callback)).toEqual({ status: 204 });
    expect(readFileSync(SHOP_ORDERS, "utf8")).toBe(before);
  });

  it("believes no callback that is forged, and ignores one of a payment that it does not know", async () => {
    const [genuine] = callbacks.received;
    if (genuine === undefined) throw new Error("no callback came");
    const before = readFileSync(SHOP_ORDERS, "utf8");
    const forged = Buffer.from(genuine.rawBody.toString().replace('"processing"', '"success"'));
    expect(await forward({ ...genuine, rawBody: forged })).toEqual({ status: 400 });
    const strange = Buffer.from(genuine.rawBody.toString().replace(genuine.body.general.payment_id, "strange"));
    const now = Math.floor(Date.now() / 1_000);
    const headers = webhookHeaders(strange.toString(), now, service.sandbox().webhook_secret);
    expect(await forward({ ...genuine, headers, rawBody: strange })).toEqual({ status: 204 });
    expect(readFileSync(SHOP_ORDERS, "utf8")).toBe(before);
  });

  it("answers bad requests with an error, and changes nothing", async () => {
    const before = readFileSync(SHOP_ORDERS, "utf8");
    const { status: ofItem } = await post("/buy", { item: "9" });
    const { status: ofOrder } = await post("/orders/none/refund", {});
    const { status: ofPath } = await fetch(`${shopUrl}//`);
    const { status: ofSize } = await post("/callbacks", { body: "x".repeat(70_000) });
    expect([ofItem, ofOrder, ofPath, ofSize]).toEqual([400, 404, 404, 413]);
    expect(readFileSync(SHOP_ORDERS, "utf8")).toBe(before);
  });

  it("sends the difference back when the payer transferred too much", async () => {
    const id = await buyAndPay(1);
    await expect.poll(() => orderOf(id)?.state).toBe("held");
    const { request_id } = await tillgate().widget.payin.info(id);
    await runCommand(database, ...["payment", "settle", request_id, "--reference", "bank-1", "--reason", "a gift"]);
    await expect.poll(() => orderOf(id)?.state).toBe("paid");
    expect(orderOf(id)).toMatchObject({ paidAmount: 250_103, refund: { state: "due", amount: 100, attempt: 1 } });
    expect(await pageOf(id)).toContain("We owe you 1.00 ₽");

    expect((await post(`/orders/${id}/refund`, { phone: "none", bank: "sberbank" })).status).toBe(303);
    expect(orderOf(id)?.refund).toMatchObject({ state: "due", attempt: 2, problem: expect.stringContaining("400") });
    expect(await pageOf(id)).toContain("That did not work.");

    const receiver = { phone: "+79001234567", bank: "sberbank" };
    expect((await post(`/orders/${id}/refund`, receiver)).status).toBe(303);
    await expect.poll(() => orderOf(id)?.refund?.state).toBe("paid");
    expect((await post(`/orders/${id}/refund`, receiver)).status).toBe(303);
    expect(await tillgate().p2p.payout.info(`${id}-refund-2`)).toMatchObject({
      status: "success",
      payment: { amount: 100 },
    });
    await expect(tillgate().p2p.payout.info(`${id}-refund-3`)).rejects.toMatchObject({ code: "payment_not_found" });
    expect(await pageOf(id)).toContain("We have sent you 1.00 ₽ back.");
  });

  it("finds by reconciliation what a lost callback would have said, and what was never asked for", async () => {
    callbacks.answerWith(() => ({ status: 204 }));
    const id = await buyAndPay(0);
    await expect.poll(async () => (await tillgate().widget.payin.info(id)).status).toBe("success");
    await expect.poll(() => callbacks.received.at(-1)?.body.status.status).toBe("success");
    expect(orderOf(id)?.state).toBe("placed");
    await closeShop();
    // As after a crash between the order and its request.
    const unasked = { ...orderOf(id), id: "order-unasked", formUrl: undefined };
    writeFileSync(SHOP_ORDERS, JSON.stringify([...JSON.parse(readFileSync(SHOP_ORDERS, "utf8")), unasked]));

    callbacks.answerWith(forward);
    await openShop(process.execPath, "build/main.js");
    await expect.poll(() => orderOf(id)?.state).toBe("paid");
    await expect.poll(() => orderOf("order-unasked")?.formUrl).toMatch(/\/pay\/[0-9a-f]{40}$/);
    expect(await tillgate().widget.payin.info("order-unasked")).toMatchObject({ status: "processing" });
  });
});
