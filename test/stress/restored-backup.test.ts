import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { credentialsFromSandboxFile } from "../../sdk/src/index.ts";
import type { Id } from "../../src/core/ids.ts";
import { useTestDatabase } from "../../src/testing/database/test-database.ts";
import { type CallbackReceiver, openCallbackReceiver } from "../../src/testing/http/callback-receiver.ts";
import { type RunningProgram, startProgram } from "../../src/testing/program/program.ts";
import {
  type MerchantClient,
  openMerchantClient,
  payinBody,
  payoutBody,
  TEST_PAN,
} from "../../src/testing/service/merchant-client.ts";
import { openTestSandbox } from "../../src/testing/service/test-sandbox-control.ts";
import { type BackupServer, openBackupServer } from "./backup-server.ts";

/**
 * The built program on a PostgreSQL that is restored from an older backup. Its provider, the sandbox, has a database of its own and
 * forgets nothing: by its books each payout leaves once.
 */
const PROGRAM = fileURLToPath(new URL("../../bin/tillgate.mjs", import.meta.url));
const sandboxDatabase = useTestDatabase();
const stateDir = mkdtempSync(join(tmpdir(), "tillgate-program-"));
const WAIT = { timeout: 90_000, interval: 100 };
/** Long enough for the worker to have sent what it may send: it takes a payout from hand to hand, within milliseconds. */
const IDLE_MS = 5_000;
let server: BackupServer;
let receiver: CallbackReceiver;
let running: RunningProgram | undefined;
let client: MerchantClient;

beforeAll(async () => {
  await sandboxDatabase.createSandbox();
  server = await openBackupServer();
  receiver = await openCallbackReceiver();
}, 120_000);
afterAll(async () => {
  await running?.end("SIGKILL");
  await receiver.close();
  await server.close();
  rmSync(stateDir, { recursive: true, force: true });
});

const env = () => ({
  PATH: process.env.PATH ?? "",
  PORT: "0",
  DATABASE_URL: server.url,
  TILLGATE_SANDBOX_DATABASE_URL: sandboxDatabase.sandboxUrl,
  TILLGATE_DATA_DIR: stateDir,
});

async function start(): Promise<void> {
  running = await startProgram(["start"], env());
  const file = JSON.parse(readFileSync(join(stateDir, "sandbox.json"), "utf8"));
  client = openMerchantClient(() => running?.url ?? "", credentialsFromSandboxFile(file, "hmac"));
}

/** An operator's command by the same program. */
function tillgate(...words: string[]): Promise<{ code: number; printed: string; said: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [PROGRAM, ...words], { env: env() }, (error, printed, said) =>
      resolve({ code: typeof error?.code === "number" ? error.code : 0, printed, said }),
    );
  });
}

const aPayout = (paymentId: string) =>
  payoutBody(client.projectId, { general: { payment_id: paymentId, merchant_callback_url: receiver.url } });

async function payOut(ids: readonly string[]): Promise<void> {
  for (const id of ids) expect((await client.payout(aPayout(id))).status).toBe(200);
}

const statusesOf = async (ids: readonly string[]) =>
  Promise.all(ids.map(async (id) => (await client.payoutInfo(id)).json.status));

async function expectAll(ids: readonly string[], status: string): Promise<void> {
  await vi.waitFor(async () => expect(new Set(await statusesOf(ids))).toEqual(new Set([status])), WAIT);
}

/** How many payouts left, by the provider's own books. */
async function leftCount(): Promise<number> {
  const sandbox = await openTestSandbox(server.db, { stateDir } as Parameters<typeof openTestSandbox>[1]);
  const books = await sandbox.readBooks(client.projectId as Id);
  await sandbox.close();
  return (books?.left ?? []).reduce((sum, { entries }) => sum + entries, 0);
}

/** Nothing leaves and nobody is told, whatever the merchant repeats. */
async function expectPaused(ids: readonly string[], left: number): Promise<void> {
  await vi.waitFor(() => expect(running?.output()).toContain("the database was restored"), WAIT);
  const told = receiver.received.length;
  await payOut(ids);
  await sleep(IDLE_MS);
  expect(new Set(await statusesOf(ids))).toEqual(new Set(["processing"]));
  expect([await leftCount(), receiver.received.length]).toEqual([left, told]);
  const card = { pan: TEST_PAN, cvv: "123", card_holder: "IVAN IVANOV", expiry_month: 12, expiry_year: 2039 };
  const charge = { ...payinBody(client.projectId, { payment: { method: "card-ecom" } }), card };
  const refused = await client.post("/api/v1/payment/ecom/payin", charge);
  expect([refused.status, refused.json.code, refused.headers["retry-after"]]).toEqual([503, "unavailable", "60"]);
  expect((await fetch(`${running?.url}/readyz`)).status).toBe(200);
  expect((await tillgate("attention")).printed).toContain("The database was restored");
}

async function expectResumed(ids: readonly string[], left: number): Promise<void> {
  expect(await tillgate("restore", "resume")).toMatchObject({ code: 1, said: expect.stringContaining("not checked") });
  const checked = await tillgate("restore", "check");
  expect([checked.code, checked.said]).toEqual([0, ""]);
  expect(checked.printed).toContain("The books are right");
  expect((await tillgate("restore", "resume")).code).toBe(0);
  await expectAll(ids, "success");
  expect(await leftCount()).toBe(left);
  const told = () =>
    receiver.received.filter(({ body }) => ids.includes(body.general.payment_id) && body.status.status === "success");
  await vi.waitFor(
    () => expect(new Set(told().map(({ body }) => body.general.payment_id)).size).toBe(ids.length),
    WAIT,
  );
  expect((await tillgate("ledger", "check")).code).toBe(0);
}

const FIRST = Array.from({ length: 5 }, (_, n) => `first-${n}`);
const SECOND = Array.from({ length: 3 }, (_, n) => `second-${n}`);

it("five payouts that the backup does not have, repeated: each leaves once", { timeout: 300_000 }, async () => {
  await start();
  await server.backUp("monday");
  await payOut(FIRST);
  await expectAll(FIRST, "success");
  expect(await leftCount()).toBe(5);
  await running?.end("SIGKILL");
  await server.restore("monday");
  await start();
  expect((await client.payoutInfo("first-0")).status).toBe(404);
  await expectPaused(FIRST, 5);
  await expectResumed(FIRST, 5);
});

it("the same under a process that lives on while the database is restored", { timeout: 300_000 }, async () => {
  await server.backUp("tuesday");
  await payOut(SECOND);
  await expectAll(SECOND, "success");
  expect(await leftCount()).toBe(8);
  const noticed = running?.output().split("the database was restored").length;
  await server.restore("tuesday");
  await vi.waitFor(
    () => expect(running?.output().split("the database was restored").length).toBe((noticed ?? 0) + 1),
    WAIT,
  );
  await expectPaused(SECOND, 8);
  await expectResumed(SECOND, 8);
});

it("a restart is no restore", { timeout: 120_000 }, async () => {
  await running?.end("SIGTERM");
  await start();
  expect(running?.output()).not.toContain("restored");
  expect(JSON.parse((await tillgate("restore", "show", "--json")).printed).paused).toBe(false);
});
