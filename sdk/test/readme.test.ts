import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { request } from "node:http";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import * as exported from "../src/index.ts";
import { json, startServer } from "./local-server.ts";
import { callbackBody, callbackHeaders, messageFor, newRsaPair, rsaVerifies, webhookHeaders } from "./reference.ts";
import { paymentObject, REQUISITES_PAN } from "./test-payments.ts";

const home = process.cwd();
const pair = newRsaPair();
const source = fileURLToPath(new URL("../src/index.ts", import.meta.url));
const readme = await readFile(new URL("../README.md", import.meta.url), "utf8");
const examples = [...readme.matchAll(/```js\n(.*?)```/gs)].map((match) => match[1] ?? "");
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "tillgate-sdk-"));
  process.chdir(folder);
});

afterEach(async () => {
  process.chdir(home);
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true });
});

/** Runs an example as it stands, with the package's name leading to its source. */
async function run(name: string, ...texts: string[]): Promise<Record<string, unknown>> {
  const file = join(folder, `${name}.mjs`);
  const text = texts.join("\n").replaceAll('"@tillgate/sdk"', JSON.stringify(source));
  await writeFile(
    file,
    text.replaceAll(/from "(express|fastify)"/g, (_, name) => `from ${moduleOf(name)}`),
  );
  return import(pathToFileURL(file).href);
}

function moduleOf(name: string): string {
  return JSON.stringify(createRequire(import.meta.url).resolve(name));
}

function example(containing: string): string {
  const found = examples.filter((text) => text.includes(containing));
  expect(found).toHaveLength(1);
  return found[0] ?? "";
}

/** The lines of the first call that make the client. */
function opening(): string {
  return example("readFile").split("\n\n").slice(0, 2).join("\n");
}

async function writeSandboxFile(base_url: string): Promise<void> {
  const keys = {
    rsa_private_key_pem: pair.privateKeyPem,
    rsa_access_token: exported.rsaAccessToken(pair.publicKeyPem),
  };
  const file = { base_url, merchant_id: "m", project_id: "p", ...keys, hmac_key_id: "ak_1", hmac_secret: "s" };
  await mkdir(".tillgate");
  await writeFile(".tillgate/sandbox.json", JSON.stringify(file));
}

it("the first call of the README works, in ten lines", async () => {
  const balance = [{ currency: "RUB", amount: 98000, locked_amount: 45000 }];
  const bank = { id: "b", name: "B", symbol: "b", sbp_code: "100000000111", is_sbp_bank: true, country_code: "RU" };
  await using server = await startServer(json(200, { balance }), json(200, [bank]));
  await writeSandboxFile(server.url);
  const log = vi.spyOn(console, "log").mockImplementation(() => {});
  const text = example("readFile");
  await run("first-call", text);
  expect(text.split("\n").filter((line) => line !== "").length).toBeLessThanOrEqual(10);
  expect(log.mock.calls).toEqual([[balance], [1]]);
  for (const { method, path, headers, rawBody } of server.received) {
    const timestamp = String(headers["x-access-timestamp"]);
    const message = messageFor(2, { method, path, timestamp, rawBody: rawBody.toString() });
    expect(rsaVerifies(2, pair.publicKeyPem, message, String(headers["x-access-signature"]))).toBe(true);
  }
});

it("the payments of the README are created, shown, confirmed and paid out", async () => {
  const created = json(200, paymentObject({ sub_status: "new", requisites: undefined }));
  await using server = await startServer(created, json(200, paymentObject()));
  await writeSandboxFile(server.url);
  const log = vi.spyOn(console, "log").mockImplementation(() => {});
  await run("payments", opening(), example("p2p.payout.create"));
  expect(log.mock.calls).toEqual([["processing", "new", false], [REQUISITES_PAN], [false]]);
  expect(server.received.map(({ path }) => path.replace("/api/v1/payment/p2p/", ""))).toEqual([
    "payin",
    "payin/info",
    "payin/confirm",
    "payout",
  ]);
});

it("the card of the README is charged, its payer sent on, and the result passed on", async () => {
  const redirect_url = "https://pay.example/3ds/token";
  const three_ds = { version: "2.2.0", acs_url: "https://issuer.example", creq: "c", three_ds_session_data: "s" };
  const card = { pan: "400000******3220", brand: "visa" };
  const awaiting = paymentObject({ sub_status: "awaiting_3ds_result", card, integration: { redirect_url, three_ds } });
  const success = paymentObject({ status: "success", sub_status: null, card });
  await using server = await startServer(json(200, paymentObject()), json(200, awaiting), json(200, success));
  await writeSandboxFile(server.url);
  const log = vi.spyOn(console, "log").mockImplementation(() => {});
  await run("cards", opening(), example("ecom.payin.create"));
  const form = { action: "https://issuer.example", fields: { creq: "c", threeDSSessionData: "s" } };
  expect(log.mock.calls).toEqual([["400000******3220", "visa"], [redirect_url], [form], ["success"]]);
  expect(server.received.map(({ path }) => path.replace("/api/v1/payment/ecom/", ""))).toEqual([
    "payin",
    "payin/info",
    "payin/confirm-3ds-result",
  ]);
});

it("the error example of the README tells what happened", async () => {
  const fault = { status: "error", code: "project_forbidden", status_description: "not yours", errors: [] };
  await using server = await startServer(json(403, fault));
  await writeSandboxFile(server.url);
  const error = vi.spyOn(console, "error").mockImplementation(() => {});
  await run("errors", opening(), example("hasCode, TillgateApiError"));
  const advice = expect.stringContaining("Use a key of this project");
  expect(error.mock.calls).toEqual([
    ["403 project_forbidden: not yours", advice],
    [403, "project_forbidden", [], "req-1"],
  ]);
});

it("the call of the README that can be cancelled is made", async () => {
  await using server = await startServer(json(200, paymentObject()));
  await writeSandboxFile(server.url);
  const log = vi.spyOn(console, "log").mockImplementation(() => {});
  await run("cancelling", opening(), example("new AbortController"));
  expect(log.mock.calls).toEqual([["processing"]]);
});

it("the automated test of the README drives a payment", async () => {
  const sandboxPayment = (changes: object) => ({
    ...{ direction: "payin", payment_id: "test-1", id: "0", kind: "transfer", method: "card-p2p", sub_status: null },
    ...{ amount: 250000, currency: "RUB", received_amount: 0, created_at: "", status: "processing", actions: [] },
    ...changes,
  });
  await using server = await startServer(
    json(200, { echo_url: "https://pay.example/sandbox/echo/x", callbacks: [] }),
    json(200, paymentObject()),
    json(200, sandboxPayment({})),
    json(200, sandboxPayment({ actions: ["arrive"] })),
    json(200, sandboxPayment({ status: "dispute", sub_status: "different_amount" })),
    json(200, sandboxPayment({ status: "success" })),
  );
  await writeSandboxFile(server.url);
  const log = vi.spyOn(console, "log").mockImplementation(() => {});
  await run("automated", opening(), example("tillgate.sandbox"));
  expect(log.mock.calls).toEqual([["dispute", "different_amount"], ["success"]]);
  expect(server.received).toHaveLength(6);
});

it("the README's lines for require name what the package exports", () => {
  const [, names = ""] = readme.match(/```js\nconst \{ (.*) \} = require\("@tillgate\/sdk"\);\n```/) ?? [];
  for (const name of names.split(", ")) expect(Object.keys(exported)).toContain(name);
});

it("the credentials of the README are those that the client takes", async () => {
  vi.stubEnv("TILLGATE_MERCHANT_ID", "m").stubEnv("TILLGATE_PROJECT_ID", "p");
  vi.stubEnv("TILLGATE_PRIVATE_KEY", pair.privateKeyPem)
    .stubEnv("TILLGATE_KEY_ID", "ak_1")
    .stubEnv("TILLGATE_SECRET", "s");
  const use = `import { createTillgate } from "@tillgate/sdk";
    export const clients = [byRsa, byHmac].map((credentials) => createTillgate({ baseUrl: "https://pay.example", credentials }));`;
  expect((await run("credentials", example("byHmac"), use)).clients).toHaveLength(2);
});

it("the callback server of the README takes a genuine callback and refuses a forged one", async () => {
  const secret = `whsec_${Buffer.alloc(32, "made-up ").toString("base64")}`;
  vi.stubEnv("TILLGATE_WEBHOOK_SECRET", secret).stubEnv("PORT", "0");
  const log = vi.spyOn(console, "log").mockImplementation(() => {});
  const { server } = await run("callbacks", example("createServer"), "export { server };");
  const { address, close } = server as { address: () => { port: number }; close: () => void };
  const post = (headers: Record<string, string>, body: string) =>
    new Promise<number | undefined>((resolve, reject) => {
      const { port } = address.call(server);
      const sent = request({ host: "127.0.0.1", port, method: "POST", headers }, (response) => {
        resolve(response.resume().statusCode);
      });
      sent.on("error", reject).end(body);
    });
  const rawBody = JSON.stringify(callbackBody());
  const headers = webhookHeaders(rawBody, Math.floor(Date.now() / 1_000), secret);
  expect(await post(headers, rawBody)).toBe(204);
  expect(log.mock.calls).toEqual([["evt-1", "ord-771", "processing"]]);
  expect(await post(headers, rawBody.replace("processing", "success"))).toBe(400);
  close.call(server);
});

const webhookSecret = `whsec_${Buffer.alloc(32, "made-up ").toString("base64")}`;
const genuine = JSON.stringify(callbackBody());
const signed = () => webhookHeaders(genuine, Math.floor(Date.now() / 1_000), webhookSecret);

it("the handler of the README takes a genuine callback and refuses a forged one", async () => {
  vi.stubEnv("TILLGATE_WEBHOOK_SECRET", webhookSecret);
  const log = vi.spyOn(console, "log").mockImplementation(() => {});
  const error = vi.spyOn(console, "error").mockImplementation(() => {});
  const { POST } = await run("request", example("createCallbackHandler"));
  const handle = POST as (request: Request) => Promise<Response>;
  const post = (body: string) =>
    handle(new Request("https://shop.example", { method: "POST", headers: signed(), body }));
  expect((await post(genuine)).status).toBe(204);
  expect((await post(genuine.replace("processing", "success"))).status).toBe(400);
  expect(log.mock.calls).toEqual([["evt-1", "ord-771", "processing"]]);
  expect(error.mock.calls).toEqual([["signature_mismatch", expect.stringContaining("as it was received")]]);
});

it("the Express and Fastify examples of the README take a genuine callback", async () => {
  vi.stubEnv("TILLGATE_WEBHOOK_SECRET", webhookSecret);
  const log = vi.spyOn(console, "log").mockImplementation(() => {});
  const listening = (name: string) => `const url = await app.listen({ host: "127.0.0.1", port: 0 });
    export const ${name} = { url, close: () => app.close() };`;
  const express = `const server = app.listen(0, "127.0.0.1");
    await new Promise((resolve) => server.once("listening", resolve));
    export const shop = { url: "http://127.0.0.1:" + server.address().port, close: () => server.close().closeAllConnections() };`;
  for (const modules of [
    await run("express", example("expressCallbackHandler"), express),
    await run("fastify", example("fastifyCallbackPlugin"), listening("shop")),
  ]) {
    const shop = modules.shop as { url: string; close: () => void };
    const headers = { ...signed(), "content-type": "application/json" };
    const answer = await fetch(`${shop.url}/callbacks`, { method: "POST", headers, body: genuine });
    expect(answer.status).toBe(204);
    shop.close();
  }
  expect(log.mock.calls.map(([status]) => status.status)).toEqual(["processing", "processing"]);
});

it("the scheme 1 example of the README verifies", async () => {
  vi.stubEnv("TILLGATE_PROJECT_ID", "project-1");
  const { readCallback } = await run("scheme-1", example("readCallback"));
  const rawBody = JSON.stringify(callbackBody());
  const key = { kind: "rsa", privateKeyPem: pair.privateKeyPem } as const;
  const headers = callbackHeaders(rawBody, Math.floor(Date.now() / 1_000), key);
  const read = readCallback as (headers: object, rawBody: string, publicKeyPem: string) => exported.TillgateCallback;
  expect(read(headers, rawBody, pair.publicKeyPem)).toEqual(callbackBody());
});
