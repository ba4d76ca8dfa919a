import { spawn } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { useTestDatabase } from "../../src/testing/database/test-database.ts";
import { openCommandLine } from "../../src/testing/program/command-line.ts";
import { useTestService } from "../../src/testing/service/test-service.ts";
import { type Ended, useProgramHost } from "./program-host.ts";

/** The program as operators run it, against the database of a running service. */
const PROGRAM = fileURLToPath(new URL("../../bin/tillgate.mjs", import.meta.url));
const database = useTestDatabase();
const service = useTestService(database);
const home = mkdtempSync(join(tmpdir(), "tillgate-cli-"));
afterAll(() => rmSync(home, { recursive: true, force: true }));

const env = () => ({ PATH: process.env.PATH, DATABASE_URL: database.url, TILLGATE_DATA_DIR: service.stateDir });
const tillgate = useProgramHost(env, home);

/** A process for one command, of each kind at least once. Not waited for by blocking: this process has the service. */
function asProcess(...words: string[]): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [PROGRAM, ...words], { env: env(), cwd: home });
    let stdout = "";
    let stderr = "";
    child.stdout.on("data", (chunk) => {
      stdout += chunk;
    });
    child.stderr.on("data", (chunk) => {
      stderr += chunk;
    });
    child.on("error", reject);
    child.on("close", (status) => resolve({ status, stdout, stderr }));
  });
}

async function json(...words: string[]) {
  const { status, stdout, stderr } = await tillgate(...words, "--json");
  expect([status, stderr]).toEqual([0, ""]);
  return JSON.parse(stdout);
}

/** A program takes 0.8 s to start, and four times that on a busy machine; some tests start several. */
const MANY_PROGRAMS = { timeout: 120_000 };

describe("an operator", MANY_PROGRAMS, () => {
  let merchantId = "";
  let projectId = "";

  it("opens a merchant and a project, and switches methods on", async () => {
    merchantId = (await json("merchant", "create", "Shop Ltd")).merchant_id;
    expect(merchantId).toMatch(/^[0-9a-f]{32}$/);
    projectId = (await json("project", "create", "--merchant", merchantId, "--name", "Web", "--book", "test"))
      .project_id;
    const set = ["--method", "payin:card-p2p:RUB", "--enable", "--min", "100", "--fee-bp", "250"];
    const { methods } = await json("project", "set", projectId, ...set);
    expect(methods).toMatchObject([{ enabled: true }]);
    expect((await asProcess("project", "list")).stdout).toContain(projectId);
  });

  it("registers a merchant's key, makes an HMAC key, and calls with each", async () => {
    const { publicKey, privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
    const pem = join(home, "merchant.pem");
    writeFileSync(pem, publicKey.export({ type: "spki", format: "pem" }));
    const rsa = await json("key", "add", "--project", projectId, "--public-key", pem);
    const secretFile = join(home, "secret.txt");
    const hmac = await json("key", "add", "--project", projectId, "--generate", "hmac", "--out", secretFile);
    expect(statSync(secretFile).mode & 0o777).toBe(0o600);
    await service.settled();
    const credentials = join(home, "credentials.json");
    writeFileSync(
      credentials,
      JSON.stringify({
        base_url: service.url(),
        merchant_id: merchantId,
        project_id: projectId,
        rsa_private_key_pem: privateKey.export({ type: "pkcs8", format: "pem" }),
        rsa_access_token: rsa.token,
        hmac_key_id: hmac.token,
        hmac_secret: readFileSync(secretFile, "utf8").trim(),
      }),
    );
    for (const algorithm of ["RSA-SHA256", "HMAC-SHA512", "RSA-SHA256-V2", "HMAC-SHA512-V2"]) {
      const call = await tillgate(
        "call",
        "/api/v1/balance/info",
        "--credentials",
        credentials,
        "--algorithm",
        algorithm,
      );
      expect([algorithm, call.status, call.stderr]).toEqual([algorithm, 0, ""]);
      expect(JSON.parse(call.stdout)).toEqual({ balance: [{ currency: "RUB", amount: 0, locked_amount: 0 }] });
    }
    expect((await asProcess("key", "revoke", rsa.key_id)).status).toBe(0);
    await service.settled();
    expect((await asProcess("call", "/api/v1/balance/info", "--credentials", credentials)).status).toBe(1);
    const listed = (await tillgate("key", "list")).stdout;
    expect(listed).toContain("revoked");
    expect(listed).not.toContain(readFileSync(secretFile, "utf8").trim());
  });

  it("moves money by hand, once for each reference", async () => {
    const credit = ["balance", "credit", projectId, "5000", "RUB", "--reference", "wire-1", "--reason", "opening"];
    expect((await asProcess(...credit)).status).toBe(0);
    expect((await tillgate(...credit)).stdout).toContain("already done");
    expect(
      (await tillgate("balance", "credit", projectId, "5001", "RUB", "--reference", "wire-1", "--reason", "x")).status,
    ).toBe(1);
    expect(
      (await tillgate("balance", "debit", projectId, "5001", "RUB", "--reference", "wd-1", "--reason", "x")).status,
    ).toBe(1);
    expect(
      (await tillgate("balance", "debit", projectId, "2000", "RUB", "--reference", "wd-2", "--reason", "x")).status,
    ).toBe(0);
    expect((await json("balance", "show", projectId)).balance).toEqual([
      { currency: "RUB", amount: 3000, locked_amount: 0 },
    ]);
  });

  it("keeps the bank list", async () => {
    const file = join(home, "banks.csv");
    writeFileSync(file, "name,sbp_code,country_code\nTest Bank,100000009999,RU\n");
    expect(await json("bank", "import", file)).toMatchObject({ added: ["test-bank"] });
    writeFileSync(file, "name,sbp_code,country_code\nGood,,KZ\nBad,12,KZ\n");
    const refused = await asProcess("bank", "import", file);
    expect(refused.status).toBe(1);
    expect(refused.stderr).toContain("line 3");
    expect((await tillgate("bank", "add", "--name", "Other Bank", "--country", "UZ")).status).toBe(0);
    expect((await tillgate("bank", "disable", "other-bank")).status).toBe(0);
    expect((await tillgate("bank", "disable", "no-such-bank")).status).toBe(1);
  });

  it("stops payouts and lets them go on, and sees what needs a person", async () => {
    expect((await tillgate("attention")).stdout).toBe("Nothing needs attention.\n");
    expect(await json("pause", "payouts", projectId, "--reason", "night")).toMatchObject({ changed: true });
    expect((await json("attention")).pauses).toMatchObject([{ kind: "payouts", name: projectId, reason: "night" }]);
    expect(await json("resume", "payouts", projectId)).toMatchObject({ changed: true, woken: 0 });
    expect(await json("payment", "list", "--project", projectId)).toEqual({ payments: [], next_after: null });
    expect((await tillgate("suspense", "list")).stdout).toBe("Nothing is in suspense.\n");
  });

  it("proves the books", async () => {
    expect(await json("ledger", "check")).toMatchObject({ ok: true, violations: [] });
  });
});

describe("a payment by command line", MANY_PROGRAMS, () => {
  const body = {
    payment: { method: "card-p2p", amount: 100000, currency: "RUB" },
    receiver: { pan: "4242424242424242" },
    customer: { id: "customer-1", ip_address: "192.0.2.1" },
  };
  const create = (paymentId: string, ...options: string[]) =>
    asProcess("call", "/api/v1/payment/p2p/payout", JSON.stringify(body), "--payment-id", paymentId, ...options);

  it("is created once, and a repeat is told as one", async () => {
    const first = await create("cli-1");
    expect([first.status, first.stderr]).toEqual([0, ""]);
    expect(JSON.parse(first.stdout)).toMatchObject({ payment_id: "cli-1", status: "processing" });
    const again = await create("cli-1");
    expect(again.status).toBe(0);
    expect(again.stderr).toContain("idempotent-replayed: true");
    expect(JSON.parse(again.stdout).request_id).toBe(JSON.parse(first.stdout).request_id);
    const info = await tillgate("call", "/api/v1/payment/p2p/payout/info", "--payment-id", "cli-1");
    expect(JSON.parse(info.stdout).request_id).toBe(JSON.parse(first.stdout).request_id);
  });

  it.each(["HMAC-SHA512", "HMAC-SHA512-V2"])("shows no card number when it tells what was signed: %s", async (name) => {
    const { status, stdout, stderr } = await create(`cli-${name}`, "--algorithm", name, "--verbose");
    expect([status, stderr.includes("signed by")]).toEqual([0, true]);
    expect(stdout + stderr).not.toContain(body.receiver.pan);
    const base64 = [...stderr.matchAll(/[A-Za-z0-9_-]{40,}/g)].map(([text]) =>
      Buffer.from(text, "base64url").toString(),
    );
    expect(base64.join("\n")).not.toContain(body.receiver.pan);
  });
});

describe("wrong usage", () => {
  const REASONS = ["--reference", "r", "--reason", "t"];
  const NOBODY = "0".repeat(32);

  it.each([
    [["nonsense"], 2],
    [["balance", "credit", NOBODY, "1", "RUB", ...REASONS], 1],
    [["call", "/api/v1/balance/info", "{"], 2],
  ])("tillgate %j exits with %i, with a sentence and without a stack", async (words, status) => {
    const ended = await asProcess(...words);
    expect(ended.status).toBe(status);
    expect(ended.stderr).toMatch(/\S/);
    expect(ended.stderr).not.toMatch(/\bat .*\.js:\d+/);
  });

  // The same without a process for each, which takes half a second to start.
  it.each([
    [[], 2],
    [["project"], 2],
    [["project", "nonsense"], 2],
    [["merchant", "create"], 2],
    [["merchant", "create", "a", "b"], 2],
    [["balance", "credit", "x", "1", "RUB", ...REASONS], 2],
    [["balance", "credit", NOBODY, "1.5", "RUB", ...REASONS], 2],
    [["balance", "credit", NOBODY, "1", "RUR", ...REASONS], 2],
    [["key", "add", "--project", NOBODY, "--generate", "rsa"], 1],
    [["payment", "show", NOBODY], 1],
    [["payment", "settle", NOBODY, ...REASONS], 1],
    [["payment", "settle", NOBODY, "--reference", "r"], 2],
    [["suspense", "return", NOBODY, "--amount", "1", ...REASONS], 1],
    [["pause", "everything"], 2],
    [["ledger", "check", "--nonsense"], 2],
  ])("%j ends with %i and a sentence", async (words, status) => {
    const ended = await openCommandLine(database.db)(...words);
    expect(ended.exitCode).toBe(status);
    expect(ended.printed + ended.errors).toMatch(/\S/);
  });

  it("every command has help", async () => {
    const commands = [
      ...(await asProcess("--help")).stdout.matchAll(/^ {2}([a-z]+(?: [a-z]+)?)(?= {2,}| [A-Z[])/gm),
    ].map(([, name]) => name ?? "");
    expect(commands.length).toBeGreaterThan(20);
    for (const command of ["start", "call", "ledger check", "project set"]) {
      const help = await tillgate(...command.split(" "), "--help");
      expect([help.status, help.stdout.includes(`tillgate ${command}`)]).toEqual([0, true]);
    }
  });
});
