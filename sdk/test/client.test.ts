import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { createTillgate, SDK_VERSION, TillgateError, type TillgateOptions } from "../src/index.ts";
import { json, startServer } from "./local-server.ts";
import { balance, bank, clientOf, hmac, rsa, signatureFits } from "./test-client.ts";

describe("a call", () => {
  it.each([
    { credentials: rsa, scheme: 1, algorithm: "RSA-SHA256" },
    { credentials: hmac, scheme: 1, algorithm: "HMAC-SHA512" },
    { credentials: rsa, scheme: 2, algorithm: "RSA-SHA256-V2" },
    { credentials: hmac, scheme: 2, algorithm: "HMAC-SHA512-V2" },
  ] as const)("is a signed POST of JSON: $algorithm", async ({ credentials, scheme, algorithm }) => {
    await using server = await startServer(json(200, balance));
    const { client } = clientOf(server.url, { credentials, scheme, now: () => 1706182847_999 });
    expect(await client.balance.info()).toEqual(balance);
    const [received] = server.received;
    expect(received).toMatchObject({
      method: "POST",
      path: "/api/v1/balance/info",
      headers: {
        "content-type": "application/json",
        "x-access-timestamp": "1706182847",
        "x-access-merchant-id": "merchant-1",
        "x-access-merchant-algorithm": algorithm,
      },
    });
    expect(received?.rawBody.toString()).toBe('{"general":{"project_id":"project-1"}}');
    expect(received !== undefined && signatureFits(received, scheme)).toBe(true);
  });

  it("lists the banks, unknown members included", async () => {
    await using server = await startServer(json(200, [{ ...bank, logo: "later" }]));
    expect(await clientOf(server.url).client.bank.all()).toEqual([{ ...bank, logo: "later" }]);
    expect(server.received[0]?.path).toBe("/api/v1/bank/all");
  });

  it("keeps a path before /api in the URL and leaves it out of the signature", async () => {
    await using server = await startServer(json(200, balance));
    await clientOf(`${server.url}/pay/`).client.balance.info();
    const [received] = server.received;
    expect(received?.path).toBe("/pay/api/v1/balance/info");
    expect(received !== undefined && signatureFits({ ...received, path: "/api/v1/balance/info" }, 2)).toBe(true);
  });

  it("reads the private key once, however many calls there are", async () => {
    let reads = 0;
    const credentials = {
      ...rsa,
      get privateKeyPem() {
        reads += 1;
        return rsa.privateKeyPem;
      },
    };
    await using server = await startServer(json(503, {}), json(200, balance));
    const { client } = clientOf(server.url, { credentials });
    await Promise.all([client.balance.info(), client.balance.info(), client.balance.info()]);
    expect(server.received.length).toBeGreaterThan(3);
    expect(reads).toBe(1);
  });

  it("names the version of package.json as its user agent", async () => {
    await using server = await startServer(json(200, balance));
    await clientOf(server.url).client.balance.info();
    const manifest = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
    expect(SDK_VERSION).toBe(manifest.version);
    expect(server.received[0]?.headers["user-agent"]).toBe(`tillgate-sdk/${manifest.version}`);
  });
});

describe("createTillgate", () => {
  it.each([
    ["baseUrl that is no URL", { baseUrl: "pay.example" }],
    ["baseUrl of another scheme", { baseUrl: "ftp://pay.example" }],
    ["baseUrl with a password", { baseUrl: "https://a:b@pay.example" }],
    ["baseUrl with a query", { baseUrl: "https://pay.example/?x=1" }],
    ["scheme 3", { scheme: 3 }],
    ["no time at all", { timeoutMs: 0 }],
    ["a time that no timer takes", { timeoutMs: 2 ** 31 }],
    ["fewer retries than none", { retriesMax: -1 }],
    ["a key that cannot be read", { credentials: { ...rsa, privateKeyPem: "no key" } }],
  ])("refuses %s", (_, changes) => {
    const options = { baseUrl: "https://pay.example", credentials: hmac, ...changes } as TillgateOptions;
    expect(() => createTillgate(options)).toThrow(TillgateError);
  });
});
