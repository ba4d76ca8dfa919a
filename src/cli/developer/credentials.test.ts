import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { recordingContext } from "../../testing/program/cli-context.ts";
import { findCredentials } from "./credentials.ts";

const home = mkdtempSync(join(tmpdir(), "tillgate-credentials-"));
afterAll(() => rmSync(home, { recursive: true, force: true }));
const file = join(home, "keys.json");
const NAMES = { base_url: "http://127.0.0.1:1", merchant_id: "m", project_id: "p" };

function read(text: string) {
  writeFileSync(file, text);
  return () => findCredentials(recordingContext().context, file);
}

test.each([
  ["{", "it is not JSON"],
  ["[]", "it is not a JSON object"],
  [JSON.stringify({ ...NAMES, merchant_id: 7 }), "merchant_id is missing, or not a text"],
  [JSON.stringify({ ...NAMES, hmac_key_id: "ak" }), "hmac_secret is missing, or not a text"],
  [JSON.stringify({ ...NAMES, rsa_private_key_pem: "sk-secret" }), "rsa_access_token is missing, or not a text"],
  [JSON.stringify(NAMES), "there is no key to sign with"],
  [
    JSON.stringify({ ...NAMES, hmac_key_id: "ak", hmac_secret: "sk", rsa_access_token: 7 }),
    "rsa_access_token is not a text",
  ],
])("%s is refused with the first fault, and no value of it", (text, reason) => {
  expect(read(text)).toThrow(`${file} does not hold credentials: ${reason}. It needs base_url,`);
  expect(read(text)).not.toThrow("sk-secret");
});

test("one pair of keys is enough", () => {
  expect(read(JSON.stringify({ ...NAMES, hmac_key_id: "ak", hmac_secret: "sk" }))()).toMatchObject({
    hmac_key_id: "ak",
  });
});
