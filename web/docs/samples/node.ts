import { heading } from "./heading.ts";
import { literal, type Notation } from "./literal.ts";
import type { SampleCall } from "./sample.ts";

const JAVASCRIPT: Notation = {
  projectId: "sandbox.project_id",
  paymentId: "paymentId",
  string: (text) => JSON.stringify(text),
  object: { open: "{", close: "}", member: (name, value) => `${name}: ${value}` },
  list: { open: "[", close: "]" },
  hasTrailingComma: true,
  indent: "  ",
  padding: " ",
};

export function nodeSample(call: SampleCall): string {
  const { path, body, paymentId } = call;
  const id =
    paymentId === undefined
      ? ""
      : paymentId.isNew
        ? `const paymentId = \`${paymentId.text}-\${Date.now()}\`; // your id: store it first\n`
        : `const paymentId = "${paymentId.text}"; // the id that you gave the payment\n`;
  return `${heading(call, "//", { needs: "Node 18 or later and no package", save: "Save as call.mjs, then: node call.mjs" })}
import { createHash, createHmac } from "node:crypto";
import { readFileSync } from "node:fs";

const sandbox = JSON.parse(readFileSync(process.env.TILLGATE_SANDBOX ?? ".tillgate/sandbox.json", "utf8"));

const path = "${path}";
${id}const body = JSON.stringify(${literal(body, JAVASCRIPT)});

const timestamp = String(Math.floor(Date.now() / 1000));
const bodyHash = createHash("sha256").update(body).digest("hex");
const message = \`POST\\n\${path}\\n\${timestamp}\\n\${bodyHash}\`;
const signature = createHmac("sha512", sandbox.hmac_secret).update(message).digest("base64url");

const answer = await fetch(sandbox.base_url + path, {
  method: "POST",
  headers: {
    "content-type": "application/json",
    "x-access-timestamp": timestamp,
    "x-access-merchant-id": sandbox.merchant_id,
    "x-access-token": sandbox.hmac_key_id,
    "x-access-merchant-algorithm": "HMAC-SHA512-V2",
    "x-access-signature": signature,
  },
  body,
});
console.log(await answer.text());
console.log(answer.status);
`;
}
