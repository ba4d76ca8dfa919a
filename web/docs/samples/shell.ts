import { heading } from "./heading.ts";
import { literal, type Notation } from "./literal.ts";
import type { SampleCall } from "./sample.ts";

/** Inside a here-document, where the shell still looks for $, ` and \. */
const JSON_IN_SHELL: Notation = {
  projectId: '"$project_id"',
  paymentId: '"$payment_id"',
  string: (text) => JSON.stringify(text).replace(/[\\$`]/g, "\\$&"),
  object: { open: "{", close: "}", member: (name, value) => `"${name}": ${value}` },
  list: { open: "[", close: "]" },
  hasTrailingComma: false,
  indent: "  ",
  padding: " ",
};

export function shellSample(call: SampleCall): string {
  const { path, body, paymentId } = call;
  const id =
    paymentId === undefined
      ? ""
      : paymentId.isNew
        ? `payment_id=${paymentId.text}-$(date +%s) # your id: store it first\n`
        : `payment_id=${paymentId.text} # the id that you gave the payment\n`;
  return `#!/bin/sh
${heading(call, "#", { needs: "curl and openssl", save: "Save as call.sh, then: sh call.sh" })}
set -eu

file=\${TILLGATE_SANDBOX:-.tillgate/sandbox.json}
value() { sed -n "s/^ *\\"$1\\": \\"\\(.*\\)\\",\\{0,1\\}\\$/\\1/p" "$file"; }

path=${path}
project_id=$(value project_id)
${id}body=$(cat <<JSON
${literal(body, JSON_IN_SHELL)}
JSON
)

timestamp=$(date +%s)
body_hash=$(printf %s "$body" | openssl dgst -sha256 -r | cut -d' ' -f1)
# Other users of this machine can see a program's arguments: on a server, sign with a library.
signature=$(printf 'POST\\n%s\\n%s\\n%s' "$path" "$timestamp" "$body_hash" |
  openssl dgst -sha512 -hmac "$(value hmac_secret)" -binary | openssl base64 -A | tr '+/' '-_' | tr -d '=')

curl --silent --show-error --write-out '\\n%{http_code}\\n' "$(value base_url)$path" \\
  -H 'content-type: application/json' \\
  -H "x-access-timestamp: $timestamp" \\
  -H "x-access-merchant-id: $(value merchant_id)" \\
  -H "x-access-token: $(value hmac_key_id)" \\
  -H 'x-access-merchant-algorithm: HMAC-SHA512-V2' \\
  -H "x-access-signature: $signature" \\
  --data-binary "$body"
`;
}
