import type { AddressInfo } from "node:net";
import express from "express";
import fastify from "fastify";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import {
  type CallbackHandlerOptions,
  createTillgate,
  credentialsFromSandboxFile,
  expressCallbackHandler,
  fastifyCallbackPlugin,
  isFinal,
  type TillgateCallback,
  TillgateSignatureError,
  verifyCallback,
  verifyStandardWebhook,
} from "../../sdk/src/index.ts";
import { json, startServer } from "../../sdk/test/local-server.ts";
import { useTestDatabase } from "../../src/testing/database/test-database.ts";
import { useTestService } from "../../src/testing/service/test-service.ts";

/** A shop that takes the service's callbacks, and believes them only after the SDK has verified them. */
const service = useTestService(useTestDatabase());
let shop: Awaited<ReturnType<typeof startServer>>;
beforeAll(async () => {
  shop = await startServer(json(200, {}));
});
afterAll(() => shop.close());

/** Both signatures are checked, with the keys of the sandbox file; both must give the same callback. */
function readCallbacks(): TillgateCallback[] {
  const { callback_public_key_pem, webhook_secret, project_id } = service.sandbox();
  return shop.received.map(({ headers, rawBody }) => {
    const byWebhook = verifyStandardWebhook({ headers, rawBody, secret: webhook_secret });
    const byScheme1 = { headers, rawBody, publicKeyPem: callback_public_key_pem, projectId: project_id };
    expect(verifyCallback(byScheme1)).toEqual(byWebhook);
    return byWebhook;
  });
}

it("a pay-in is told step by step, signed so that the SDK believes it", { timeout: 240_000 }, async () => {
  const credentials = credentialsFromSandboxFile(service.sandbox());
  const { p2p } = createTillgate({ baseUrl: service.url(), credentials });
  await p2p.payin.create({
    general: { payment_id: "told-1", merchant_callback_url: `${shop.url}/callbacks` },
    payment: { method: "card-p2p", amount: 250000, currency: "RUB" },
    customer: { id: "customer-1", ip_address: "192.0.2.1" },
  });
  const callbackOf = (subStatus: string | null) =>
    vi.waitFor(
      () => {
        const found = readCallbacks().find(({ status }) => status.sub_status === subStatus);
        expect(found).toBeDefined();
        return found;
      },
      { timeout: 60_000, interval: 50 },
    );
  const awaiting = await callbackOf("awaiting_confirm");
  expect(awaiting?.requisites).toMatchObject({ type: "card", pan: expect.stringMatching(/^\d{16}$/) });
  await p2p.payin.confirm("told-1");
  const success = await callbackOf(null);
  expect(success).toMatchObject({
    general: { payment_id: "told-1" },
    status: { status: "success", decline_code: null },
    payment_info: { amount: 250000, received_amount: 250000, fee: 6250, net: 243750 },
    requisites: { pan: expect.stringMatching(/^\d{6}\*{6}\d{4}$/) },
  });
  const told = readCallbacks();
  expect(told.map(({ status }) => status.sub_status)).toEqual(["requisites", "awaiting_confirm", "paid", null]);
  expect(told.map(({ event }) => event.sequence)).toEqual([2, 3, 4, 5]);
  expect(told.map(({ status }) => isFinal(status))).toEqual([false, false, false, true]);
});

it("the key that the service publishes verifies them too, and a change of one byte does not pass", async () => {
  const [callback] = shop.received;
  if (callback === undefined) throw new Error("no callback came");
  const answer = await fetch(`${service.url()}/.well-known/tillgate-keys.json`);
  const { keys } = (await answer.json()) as { keys: { pem: string }[] };
  const publicKeyPem = keys.map(({ pem }) => pem);
  const projectId = service.sandbox().project_id;
  const { headers, rawBody } = callback;
  expect(verifyCallback({ headers, rawBody, publicKeyPem, projectId }).general.payment_id).toBe("told-1");
  const forged = Buffer.from(rawBody.toString().replace("told-1", "told-2"));
  const { webhook_secret: secret } = service.sandbox();
  expect(() => verifyCallback({ headers, rawBody: forged, publicKeyPem, projectId })).toThrow(TillgateSignatureError);
  expect(() => verifyStandardWebhook({ headers, rawBody: forged, secret })).toThrow(TillgateSignatureError);
});

type Handled = { readonly url: string; readonly close: () => unknown };
const shops: [string, (options: CallbackHandlerOptions) => Promise<Handled>][] = [
  [
    "Express",
    async (options) => {
      const server = express().post("/callbacks", expressCallbackHandler(options)).listen(0, "127.0.0.1");
      await new Promise((resolve) => server.once("listening", resolve));
      const { port } = server.address() as AddressInfo;
      return { url: `http://127.0.0.1:${port}`, close: () => server.close().closeAllConnections() };
    },
  ],
  [
    "Fastify",
    async (options) => {
      const app = fastify().register(fastifyCallbackPlugin({ ...options, path: "/callbacks" }));
      return { url: await app.listen({ host: "127.0.0.1", port: 0 }), close: () => app.close() };
    },
  ],
];

it.each(shops)("a shop on %s takes them with the SDK's handler", async (name, open) => {
  const statuses: string[] = [];
  const refused: unknown[] = [];
  const { url, close } = await open({
    webhookSecret: service.sandbox().webhook_secret,
    onCallback: ({ status }) => void statuses.push(status.sub_status ?? status.status),
    onRefused: (error) => void refused.push(error),
  });
  const credentials = credentialsFromSandboxFile(service.sandbox());
  const { p2p } = createTillgate({ baseUrl: service.url(), credentials });
  await p2p.payin.create({
    general: { payment_id: `by-${name}`, merchant_callback_url: `${url}/callbacks` },
    payment: { method: "card-p2p", amount: 250000, currency: "RUB" },
    customer: { id: "customer-1", ip_address: "192.0.2.1" },
  });
  await expect.poll(() => statuses).toContain("awaiting_confirm");
  await p2p.payin.cancel(`by-${name}`);
  await expect.poll(() => statuses).toEqual(["requisites", "awaiting_confirm", "decline"]);
  expect(refused).toEqual([]);
  await close();
});
