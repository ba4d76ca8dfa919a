import { heading } from "./heading.ts";
import { literal, type Notation } from "./literal.ts";
import type { SampleCall } from "./sample.ts";

const PYTHON: Notation = {
  projectId: 'sandbox["project_id"]',
  paymentId: "payment_id",
  // What JSON escapes, Python reads alike.
  string: (text) => JSON.stringify(text),
  words: { true: "True", false: "False", null: "None" },
  object: { open: "{", close: "}", member: (name, value) => `"${name}": ${value}` },
  list: { open: "[", close: "]" },
  hasTrailingComma: true,
  indent: "    ",
  padding: "",
};

export function pythonSample(call: SampleCall): string {
  const { path, body, paymentId } = call;
  const id =
    paymentId === undefined
      ? ""
      : paymentId.isNew
        ? `payment_id = f"${paymentId.text}-{time.time_ns()}"  # your id: store it first\n`
        : `payment_id = "${paymentId.text}"  # the id that you gave the payment\n`;
  return `${heading(call, "#", { needs: "Python 3.8 or later and no package", save: "Save as call.py, then: python3 call.py" })}
import base64
import hashlib
import hmac
import json
import os
import time
import urllib.error
import urllib.request

with open(os.environ.get("TILLGATE_SANDBOX", ".tillgate/sandbox.json"), encoding="utf-8") as file:
    sandbox = json.load(file)

path = "${path}"
${id}body = json.dumps(${literal(body, PYTHON)}).encode()

timestamp = str(int(time.time()))
message = f"POST\\n{path}\\n{timestamp}\\n{hashlib.sha256(body).hexdigest()}"
mac = hmac.new(sandbox["hmac_secret"].encode(), message.encode(), hashlib.sha512).digest()
signature = base64.urlsafe_b64encode(mac).rstrip(b"=").decode()

request = urllib.request.Request(
    sandbox["base_url"] + path,
    data=body,
    headers={
        "content-type": "application/json",
        "x-access-timestamp": timestamp,
        "x-access-merchant-id": sandbox["merchant_id"],
        "x-access-token": sandbox["hmac_key_id"],
        "x-access-merchant-algorithm": "HMAC-SHA512-V2",
        "x-access-signature": signature,
    },
)
try:
    answer = urllib.request.urlopen(request, timeout=30)
except urllib.error.HTTPError as error:  # an answer too: its body says what is wrong
    answer = error
print(answer.read().decode())
print(answer.status)
`;
}
