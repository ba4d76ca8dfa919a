import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { createTillgate, credentialsFromSandboxFile, verifyCallback } from "../../sdk/src/index.ts";
import { json, startServer } from "../../sdk/test/local-server.ts";
import { useTestDatabase } from "../../src/testing/database/test-database.ts";
import { startForTest, useTestService } from "../../src/testing/service/test-service.ts";

/** A shop written before there was a second header: it has one key, the one in sandbox.json, and looks at one signature. */
const PROGRAM = fileURLToPath(new URL("../../bin/tillgate.mjs", import.meta.url));
const database = useTestDatabase();
const service = useTestService(database);
let shop: Awaited<ReturnType<typeof startServer>>;
beforeAll(async () => {
  shop = await startServer(json(200, {}));
});
afterAll(() => shop.close());

async function tillgate(...words: string[]): Promise<string> {
  const env = { PATH: process.env.PATH, DATABASE_URL: database.url, TILLGATE_DATA_DIR: service.stateDir };
  return (await promisify(execFile)(process.execPath, [PROGRAM, ...words], { env })).stdout;
}

async function nextCallback(paymentId: string) {
  const { p2p } = createTillgate({
    baseUrl: service.url(),
    credentials: credentialsFromSandboxFile(service.sandbox()),
  });
  await p2p.payin.create({
    general: { payment_id: paymentId, merchant_callback_url: `${shop.url}/callbacks` },
    payment: { method: "card-p2p", amount: 250000, currency: "RUB" },
    customer: { id: "customer-1", ip_address: "192.0.2.1" },
  });
  return vi.waitFor(
    () => {
      const found = shop.received.find(({ rawBody }) => rawBody.includes(`"${paymentId}"`));
      expect(found).toBeDefined();
      return found as NonNullable<typeof found>;
    },
    { timeout: 60_000, interval: 20 },
  );
}

function isTakenByOldShop({ headers, rawBody }: Awaited<ReturnType<typeof nextCallback>>): boolean {
  const { callback_public_key_pem: publicKeyPem, project_id: projectId } = service.sandbox();
  const { "x-access-signature-next": _next, ...known } = headers;
  try {
    verifyCallback({ headers: known, rawBody, publicKeyPem, projectId });
    return true;
  } catch {
    return false;
  }
}

async function publishedKeys(): Promise<{ pem: string; token: string; signs: string }[]> {
  const answer = await fetch(`${service.url()}/.well-known/tillgate-keys.json`);
  return ((await answer.json()) as { keys: { pem: string; token: string; signs: string }[] }).keys;
}

it("sandbox.json and the published keys name the key that makes x-access-signature, before and after the switch", {
  timeout: 120_000,
}, async () => {
  const oldPem = service.sandbox().callback_public_key_pem;
  await tillgate("callback", "key", "rotate");
  await service.settled();
  const env = { TILLGATE_DATA_DIR: service.stateDir, TILLGATE_SANDBOX_DATABASE_URL: database.sandboxUrl };
  const restarted = await startForTest(database.url, env);
  await restarted.stop();
  expect(service.sandbox().callback_public_key_pem).toBe(oldPem);
  expect(isTakenByOldShop(await nextCallback("overlap-1"))).toBe(true);
  const [signing, next] = await publishedKeys();
  expect(signing).toMatchObject({ pem: oldPem, signs: "x-access-signature" });
  expect(next).toMatchObject({ signs: "x-access-signature-next" });

  expect(await tillgate("callback", "key", "promote")).toContain("The new key makes x-access-signature from now on");
  await service.settled();
  // The running service writes the file itself; nothing is started again.
  await vi.waitFor(() => expect(service.sandbox().callback_public_key_pem).toBe(next?.pem), { timeout: 60_000 });
  expect(await publishedKeys()).toMatchObject([
    { pem: next?.pem, signs: "x-access-signature" },
    { pem: oldPem, signs: "x-access-signature-next" },
  ]);
  const promoted = await nextCallback("overlap-2");
  expect(isTakenByOldShop(promoted)).toBe(true);
  expect(promoted.headers).toMatchObject({ "x-access-token": next?.token, "x-access-token-next": signing?.token });
});
