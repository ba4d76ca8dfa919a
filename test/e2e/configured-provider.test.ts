import { generateKeyPairSync, type KeyObject } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { EXIT } from "../../src/cli/kit/command.ts";
import { probeProvider } from "../../src/compose-providers.ts";
import { newId } from "../../src/platform/new-id.ts";
import { makeSignature, signedBody } from "../../src/platform/signing.ts";
import { useTestDatabase } from "../../src/testing/database/test-database.ts";
import { openCommandLine, outcomesOf } from "../../src/testing/program/command-line.ts";
import { aClient, type NewClient, payinBody } from "../../src/testing/service/merchant-client.ts";
import { serviceKeyring } from "../../src/testing/service/service-keyring.ts";
import { settled, useTestService } from "../../src/testing/service/test-service.ts";
import { waitForState } from "../../src/testing/service/wait-for-payment.ts";

/**
 * A provider that an operator adds while the service runs. The gateway behind it is the service itself: its sandbox project
 * is our account there.
 */
const database = useTestDatabase();
const { db } = database;
const service = useTestService(database);
const folder = mkdtempSync(join(tmpdir(), "tillgate-configured-"));
afterAll(() => rmSync(folder, { recursive: true }));

const tillgate = openCommandLine(db, undefined, {
  developmentMode: true,
  openKeyring: () => serviceKeyring(db, service),
  probeProvider: (provider) => probeProvider("development", provider),
});
const { print, json } = outcomesOf(tillgate);

function file(name: string, text: string): string {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
}

/** Adds a provider with the sandbox's own keys, but for what is changed. */
async function add(name: string, ...changes: string[]): Promise<void> {
  const { merchant_id, project_id, rsa_private_key_pem } = service.sandbox();
  const base = ["--kind", "upstream", "--book", "test", "--base-url", service.url()];
  const ids = ["--merchant-id", merchant_id, "--project-id", project_id];
  await print("provider", "add", name, ...base, ...ids, "--key", file("call.pem", rsa_private_key_pem));
  if (changes.length > 0) await print("provider", "set", name, ...changes);
  await service.settled();
}

describe("provider test", () => {
  beforeAll(() => add("tried"));
  const trial = async (...changes: string[]) => {
    if (changes.length > 0) await print("provider", "set", "tried", ...changes);
    return tillgate("provider", "test", "tried");
  };

  it("says what the provider answers", async () => {
    const { exitCode, printed, errors } = await trial();
    expect([exitCode, errors]).toEqual([EXIT.done, ""]);
    expect(printed).toMatch(/^tried answers, and accepts the key\. Your balance there:$/m);
    expect(printed).toMatch(/^ {2}[0-9]+\.[0-9]{2} RUB, and [0-9]+\.[0-9]{2} RUB locked$/m);
    expect(printed).toMatch(/^It lists [0-9]+ banks\.$/m);
    expect(printed).toContain("It has no callback key, so its callbacks are refused.");
    const answer = await json("provider", "test", "tried");
    expect(answer).toMatchObject({ provider: "tried", works: true, callback_keys: 0, problem: null });
    expect(answer.balance).toContainEqual({
      currency: "RUB",
      amount: expect.any(Number),
      locked_amount: expect.any(Number),
    });
  });

  it.each([
    [
      "--project-id",
      "0".repeat(32),
      EXIT.refused,
      "tried refuses our calls: HTTP 403 project_forbidden. Check --project-id",
    ],
    ["--merchant-id", "0".repeat(32), EXIT.refused, "tried refuses our calls: HTTP 401 signature_invalid. Check that"],
    [
      "--base-url",
      "http://127.0.0.1:9",
      EXIT.unavailable,
      "tried does not answer. It accepts no connection. Check --base-url",
    ],
  ])("says what to correct where %s is wrong", async (option, wrong, expectedCode, sentence) => {
    const before = await json("provider", "show", "tried");
    const { exitCode, printed, errors } = await trial(option, wrong);
    expect([exitCode, printed]).toEqual([expectedCode, ""]);
    expect(errors).toContain(sentence);
    await print("provider", "set", "tried", option, before[option.slice(2).replace("-", "_")]);
  });

  it("says that another server answers", async () => {
    const { exitCode, errors } = await trial("--base-url", `${service.url()}/docs`);
    expect([exitCode, errors]).toEqual([EXIT.refused, expect.stringContaining("it ends before /api/v1.")]);
  });
});

describe("payments", () => {
  let client: NewClient;
  beforeAll(async () => {
    client = await aClient(db, service);
    await add("gate");
    await print("project", "set", client.projectId, "--route", "payin:card-p2p=gate");
    await service.settled();
  });
  const create = async (payment: object = {}) => {
    const paymentId = newId();
    const answer = await client.payin(payinBody(client.projectId, { general: { payment_id: paymentId }, payment }));
    return { paymentId, ...answer };
  };
  /** What the gateway has of it: the reference of our attempt is its payment_id. */
  const stateThere = async (paymentId: string) => {
    const [row] = await db.run<{ state: string }>({
      text: `select there.state from payments ours
               join attempts a on a.project_id = ours.project_id and a.request_id = ours.request_id
               join payments there on there.payment_id = a.reference and there.project_id <> ours.project_id
              where ours.payment_id = $1 and a.provider = 'gate'`,
      values: [paymentId],
    });
    return row?.state;
  };

  it("go through it without a restart, and merchants may name it", async () => {
    const { paymentId, status } = await create({ payment_system: "gate" });
    expect(status).toBe(200);
    const { requisites } = await waitForState(() => client.payinInfo(paymentId), "processing:awaiting_confirm");
    expect(requisites).toMatchObject({ type: "card", amount: 250_000 });
    expect(await stateThere(paymentId)).toBe("processing:awaiting_confirm");
    expect(await create({ payment_system: "nobody" })).toMatchObject({
      status: 400,
      json: { code: "validation_failed" },
    });
  });

  it("that it has are followed after it was retired, and new ones pass it over", async () => {
    const { paymentId } = await create();
    await waitForState(() => client.payinInfo(paymentId), "processing:awaiting_confirm");
    await print("provider", "retire", "gate");
    await service.settled();
    expect(await create()).toMatchObject({ status: 422, json: { code: "no_provider" } });
    await client.payinCancel(paymentId);
    await expect.poll(() => stateThere(paymentId), { timeout: 60_000, interval: 50 }).toBe("decline");
  });
});

describe("callbacks", () => {
  const [first, second] = [1, 2].map(() => generateKeyPairSync("rsa", { modulusLength: 2048 }));
  const pemOf = (key: KeyObject | undefined) => String(key?.export({ type: "spki", format: "pem" }));
  const urls: string[] = [];
  beforeAll(async () => {
    for (const role of ["api", "worker"] as const) urls.push((await service.startSibling({}, role)).localUrl);
    await add("hinting");
    await print("provider", "key", "add", "hinting", "--callback-key", file("first.pem", pemOf(first?.publicKey)));
    await known();
  });
  const known = async () => {
    for (const url of [service.url(), ...urls]) await settled(database, url);
  };

  /** Signed by scheme 1, as gateways of this protocol do. */
  async function post(url: string, name: string, key: KeyObject | undefined, pad = ""): Promise<number> {
    const body = {
      project_id: service.sandbox().project_id,
      general: { request_id: newId(), payment_id: newId() },
      status: { status: "success", sub_status: null },
      payment_info: { type: "payin", method: "card-p2p", pad },
    };
    const timestamp = String(Math.floor(Date.now() / 1000));
    const signature = makeSignature("RSA-SHA256", key as KeyObject, signedBody(body, timestamp));
    const headers = {
      "content-type": "application/json",
      "x-access-timestamp": timestamp,
      "x-access-signature": signature,
    };
    const init = { method: "POST", body: JSON.stringify(body), headers };
    return (await fetch(`${url}/provider/${name}/callback`, init)).status;
  }

  it("are taken by processes of every role, and only from the provider", async () => {
    for (const url of [service.url(), ...urls]) {
      expect(await post(url, "hinting", first?.privateKey)).toBe(200);
      expect(await post(url, "hinting", second?.privateKey)).toBe(401);
      expect(await post(url, "unheard-of", first?.privateKey)).toBe(404);
      expect(await post(url, "hinting", first?.privateKey, "x".repeat(64 * 1024))).toBe(413);
    }
  });

  it("are verified by any key in force, and by none that is retired", async () => {
    await print("provider", "key", "add", "hinting", "--callback-key", file("second.pem", pemOf(second?.publicKey)));
    await known();
    const both = () => Promise.all([first, second].map((pair) => post(urls[0] ?? "", "hinting", pair?.privateKey)));
    expect(await both()).toEqual([200, 200]);
    const keys = (await json("provider", "key", "list", "hinting")) as { key_id: string; purpose: string }[];
    const oldest = keys.find(({ purpose }) => purpose === "callback")?.key_id ?? "";
    await print("provider", "key", "retire", "hinting", oldest);
    await known();
    expect(await both()).toEqual([401, 200]);
  });
});
