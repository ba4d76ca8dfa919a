import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import {
  createTillgate,
  credentialsFromSandboxFile,
  rsaAccessToken,
  signRequest,
  TillgateError,
} from "../src/index.ts";
import { newRsaPair } from "./reference.ts";

const pair = newRsaPair();
const file = {
  base_url: "http://127.0.0.1:1",
  merchant_id: "merchant-1",
  project_id: "project-1",
  rsa_private_key_pem: pair.privateKeyPem,
  rsa_access_token: rsaAccessToken(pair.publicKeyPem),
  hmac_key_id: "ak_00000000000000000000000000000001",
  hmac_secret: "a made-up secret",
  something_new: 1,
};
const keyLine = pair.privateKeyPem.split("\n")[1] ?? "";

describe("credentialsFromSandboxFile", () => {
  it("gives the RSA key, or the HMAC key when asked", () => {
    expect({ ...credentialsFromSandboxFile(file) }).toEqual({
      kind: "rsa",
      merchantId: "merchant-1",
      projectId: "project-1",
      privateKeyPem: pair.privateKeyPem,
      accessToken: file.rsa_access_token,
    });
    expect({ ...credentialsFromSandboxFile(file, "hmac") }).toEqual({
      kind: "hmac",
      merchantId: "merchant-1",
      projectId: "project-1",
      keyId: file.hmac_key_id,
      secret: file.hmac_secret,
    });
  });

  it("names the member that is missing", () => {
    expect(() => credentialsFromSandboxFile({ ...file, merchant_id: undefined })).toThrow(/merchant_id/);
    expect(() => credentialsFromSandboxFile("{}")).toThrow(TillgateError);
  });
});

describe("no secret shows", () => {
  const everyWayToPrint = (value: unknown) =>
    inspect(value, { depth: Number.POSITIVE_INFINITY, showHidden: true }) + JSON.stringify(value) + String(value);

  it.each(["rsa", "hmac"] as const)("in a client or its credentials: %s", (kind) => {
    const credentials = credentialsFromSandboxFile(file, kind);
    const client = createTillgate({ baseUrl: file.base_url, credentials });
    for (const printed of [inspect(credentials), JSON.stringify(credentials), everyWayToPrint(client)]) {
      expect(printed).not.toContain(keyLine);
      expect(printed).not.toContain(file.hmac_secret);
    }
  });

  it.each(["rsa", "hmac"] as const)("in the error of a call that failed: %s", async (kind) => {
    const credentials = credentialsFromSandboxFile(file, kind);
    const client = createTillgate({ baseUrl: file.base_url, credentials, retriesMax: 0 });
    const error = await client.balance.info().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(TillgateError);
    expect(everyWayToPrint(error)).not.toContain(keyLine);
    expect(everyWayToPrint(error)).not.toContain(file.hmac_secret);
  });

  it("in the headers of a request", () => {
    for (const kind of ["rsa", "hmac"] as const) {
      const credentials = credentialsFromSandboxFile(file, kind);
      const headers = signRequest({ credentials, path: "/api/v1/bank/all", body: {}, timestamp: 1706182847 });
      expect(JSON.stringify(headers)).not.toContain(file.hmac_secret);
      expect(JSON.stringify(headers)).not.toContain(keyLine);
    }
  });
});
