import { createPublicKey, generateKeyPairSync } from "node:crypto";
import { expect, test } from "vitest";
import { ALGORITHMS, type Algorithm, verifySignature } from "../../platform/signing.ts";
import { EXIT } from "../kit/command.ts";
import { exitCodeOf } from "./call.ts";
import { buildBody, readBaseUrl, readPath, signCall } from "./call-request.ts";
import { explainSilence } from "./call-send.ts";

const ids = { projectId: "p", paymentId: undefined };

test.each([
  [undefined, '{"general":{"project_id":"p"}}'],
  ["{}", '{"general":{"project_id":"p"}}'],
  ['{"general":{"payment_id":"o-1"},"payment":{}}', '{"general":{"project_id":"p","payment_id":"o-1"},"payment":{}}'],
])("%s is sent with the project filled in", (text, raw) => {
  expect(buildBody(text, ids)).toEqual({ raw, value: JSON.parse(raw) });
});

test.each(['{ "general" : {"project_id":"q"} }', '{"general":{"project_id":null}}', '{"general":[]}'])(
  "%s is sent as it was typed",
  (text) => expect(buildBody(text, ids)).toEqual({ raw: text, value: JSON.parse(text) }),
);

test.each([
  ["{general:{}}", "The JSON cannot be sent: not JSON at character 2. Quote it like this: '{"],
  ["", "The JSON cannot be sent: the body ends too early."],
  ['{"payment":{"amount":1.5}}', "The JSON cannot be sent: payment.amount must be a plain integer"],
  ["[]", "The JSON must be an object"],
])("%j is explained", (text, sentence) => expect(() => buildBody(text, ids)).toThrow(sentence));

test.each([
  [undefined, '{"general":{"project_id":"p","payment_id":"o-1"}}'],
  ['{"general":{"project_id":"q"}}', '{"general":{"project_id":"q","payment_id":"o-1"}}'],
  ['{"payment":{"amount":1}}', '{"payment":{"amount":1},"general":{"project_id":"p","payment_id":"o-1"}}'],
])("%s is sent with the payment_id that was given beside it", (text, raw) => {
  const { raw: sent, value } = buildBody(text, { projectId: "p", paymentId: "o-1" });
  expect(JSON.parse(sent)).toEqual(JSON.parse(raw));
  expect(value).toEqual(JSON.parse(raw));
});

test.each(['{"general":{"payment_id":"o-2"}}', '{"general":{"payment_id":"o-1"}}', '{"general":[]}'])(
  "%s does not go with a payment_id beside it",
  (text) => {
    expect(() => buildBody(text, { projectId: "p", paymentId: "o-1" })).toThrow(
      "--payment-id goes with JSON that has no general.payment_id.",
    );
  },
);

test("a payment_id is never made up", () => {
  expect(buildBody('{"payment":{}}', ids).raw).not.toContain("payment_id");
});

test("a path may come without its slash, and not with an address", () => {
  expect(readPath("api/v1/bank/all")).toBe("/api/v1/bank/all");
  expect(readPath("/api/v1/bank/all")).toBe("/api/v1/bank/all");
  expect(() => readPath("http://127.0.0.1:8080/api/v1/bank/all")).toThrow("The address goes into --base-url.");
  expect(() => readPath("/api v1")).toThrow("PATH must be like /api/v1/balance/info.");
});

test("the address is taken with or without a slash at its end", () => {
  expect(readBaseUrl("http://127.0.0.1:8080/", "--base-url")).toBe("http://127.0.0.1:8080");
  expect(readBaseUrl("https://pay.example/gate", "--base-url")).toBe("https://pay.example/gate");
  expect(() => readBaseUrl("127.0.0.1:8080", "--base-url")).toThrow("--base-url must be like http://127.0.0.1:8080.");
});

const pair = generateKeyPairSync("rsa", { modulusLength: 2048 });
const privateKeyPem = pair.privateKey.export({ type: "pkcs8", format: "pem" }).toString();
const credentials = {
  base_url: "http://127.0.0.1:8080",
  merchant_id: "m",
  project_id: "p",
  rsa_private_key_pem: privateKeyPem,
  rsa_access_token: "rsa-token",
  hmac_key_id: "ak_1",
  hmac_secret: "sk_1",
  callback_public_key_pem: "unused",
  webhook_secret: "unused",
};

function signed(algorithm: Algorithm) {
  const body = buildBody(undefined, ids);
  return signCall({ credentials, baseUrl: "http://h", path: "/a?b=1", body, algorithm, nowMs: 1_706_182_847_999 });
}

test("a call that wants a key which the credentials lack is not sent", () => {
  const command = { baseUrl: "http://h", path: "/a", body: buildBody(undefined, ids), nowMs: 0 };
  const without = { ...credentials, hmac_secret: "", rsa_private_key_pem: "" };
  expect(() => signCall({ ...command, credentials: without, algorithm: "HMAC-SHA512" })).toThrow(
    "There is no hmac_secret",
  );
  expect(() => signCall({ ...command, credentials: without, algorithm: "RSA-SHA256" })).toThrow(
    "not a private key in PEM",
  );
});

test.each(["RSA-SHA256", "RSA-SHA256-V2"] as const)("a call signed by %s verifies", async (algorithm) => {
  const { url, headers, message } = signed(algorithm);
  const signature = Buffer.from(headers["x-access-signature"] ?? "", "base64url");
  expect(
    await verifySignature(
      algorithm,
      createPublicKey(pair.publicKey.export({ type: "spki", format: "pem" })),
      message,
      signature,
    ),
  ).toBe(true);
  expect(url).toBe("http://h/a?b=1");
  expect(headers).toMatchObject({
    "content-type": "application/json",
    "x-access-timestamp": "1706182847",
    "x-access-merchant-id": "m",
    "x-access-token": "rsa-token",
    "x-access-merchant-algorithm": algorithm,
  });
});

test("the second scheme signs the path without its query, the first one the members", () => {
  expect(signed("RSA-SHA256-V2").message).toMatch(/^POST\n\/a\n1706182847\n[0-9a-f]{64}$/);
  expect(signed("HMAC-SHA512").normalised).toBe("general:project_id:p");
  expect(signed("HMAC-SHA512").headers["x-access-token"]).toBe("ak_1");
});

test.each(Object.keys(ALGORITHMS) as Algorithm[])("what %s shows holds no secret", (algorithm) => {
  const shown = JSON.stringify(signed(algorithm));
  expect(shown).not.toContain("PRIVATE KEY");
  expect(shown).not.toContain("sk_1");
});

test.each([
  [200, EXIT.done],
  [204, EXIT.done],
  [302, EXIT.refused],
  [400, EXIT.refused],
  [429, EXIT.refused],
  [500, EXIT.unavailable],
  [503, EXIT.unavailable],
])("status %i ends with exit code %i", (status, exitCode) => expect(exitCodeOf(status)).toBe(exitCode));

function failure(code: string): Error {
  return Object.assign(new Error("failed"), { code });
}

test("silence is explained", () => {
  const explain = (error: Error) => explainSilence(error, "http://127.0.0.1:8080", "npm start");
  expect(explain(failure("ECONNREFUSED"))).toBe(
    "Nothing answers at http://127.0.0.1:8080. Is the service running? Start it with: npm start",
  );
  expect(explain(failure("ENOTFOUND"))).toBe("The name in http://127.0.0.1:8080 cannot be found.");
  expect(explain(failure("UND_ERR_SOCKET"))).toContain(
    "The result of the call is unknown: repeat it with the same JSON and payment_id.",
  );
  expect(explain(new DOMException("", "TimeoutError"))).toContain("did not answer within 30 seconds.");
  expect(explain(failure("CERT_HAS_EXPIRED"))).toBe("http://127.0.0.1:8080 cannot be reached: CERT_HAS_EXPIRED.");
});
