import { heading } from "./heading.ts";
import { literal, type Notation } from "./literal.ts";
import type { SampleCall } from "./sample.ts";

const PHP: Notation = {
  projectId: "$sandbox['project_id']",
  paymentId: "$paymentId",
  string: (text) => `'${text.replace(/[\\']/g, "\\$&")}'`,
  object: { open: "[", close: "]", member: (name, value) => `'${name}' => ${value}` },
  list: { open: "[", close: "]" },
  hasTrailingComma: true,
  indent: "    ",
  padding: "",
};

export function phpSample(call: SampleCall): string {
  const { path, body, paymentId } = call;
  const id =
    paymentId === undefined
      ? ""
      : paymentId.isNew
        ? `$paymentId = '${paymentId.text}-' . hrtime(true); // your id: store it first\n`
        : `$paymentId = '${paymentId.text}'; // the id that you gave the payment\n`;
  return `<?php
${heading(call, "//", { needs: "PHP 7.3 or later and no package", save: "Save as call.php, then: php call.php" })}
$file = getenv('TILLGATE_SANDBOX') ?: '.tillgate/sandbox.json';
$sandbox = json_decode(file_get_contents($file), true, 512, JSON_THROW_ON_ERROR);

$path = '${path}';
${id}$body = json_encode(${literal(body, PHP)}, JSON_THROW_ON_ERROR);

$timestamp = (string) time();
$message = "POST\\n$path\\n$timestamp\\n" . hash('sha256', $body);
$mac = hash_hmac('sha512', $message, $sandbox['hmac_secret'], true);
$signature = rtrim(strtr(base64_encode($mac), '+/', '-_'), '=');

$answer = file_get_contents($sandbox['base_url'] . $path, false, stream_context_create(['http' => [
    'method' => 'POST',
    'header' => [
        'content-type: application/json',
        "x-access-timestamp: $timestamp",
        "x-access-merchant-id: {$sandbox['merchant_id']}",
        "x-access-token: {$sandbox['hmac_key_id']}",
        'x-access-merchant-algorithm: HMAC-SHA512-V2',
        "x-access-signature: $signature",
    ],
    'content' => $body,
    'timeout' => 30,
    'ignore_errors' => true, // an error is an answer too: its body says what is wrong
]]));
echo $answer, "\\n", explode(' ', $http_response_header[0])[1], "\\n";
`;
}
