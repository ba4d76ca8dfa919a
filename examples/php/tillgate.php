<?php
/**
 * Tillgate from PHP 8.1 or newer, with nothing but what PHP itself has (json, hash, openssl). Copy this file and change it.
 *
 *   php tillgate.php call PATH [BODY]    makes one signed call; BODY is sent exactly as it is given
 *   php tillgate.php payin               makes a whole pay-in in the sandbox
 *   php tillgate.php verify KEY [FILE]   verifies a callback: its headers, an empty line, its body (FILE or stdin).
 *                                        KEY is webhook (Standard Webhooks), or rsa or hmac (the x-access-… headers)
 *   php tillgate.php vectors FILE        checks this program against docs/signing-vectors.json
 *
 * Credentials come from .tillgate/sandbox.json, or from the file that TILLGATE_SANDBOX names. TILLGATE_ALGORITHM is
 * RSA-SHA256 or HMAC-SHA512 (scheme 1), RSA-SHA256-V2 or HMAC-SHA512-V2 (scheme 2; the default is HMAC-SHA512-V2).
 */

declare(strict_types=1);

const ATTEMPTS = 3;
const TIMEOUT_S = 10;
const TOLERANCE_S = 300;
const WAIT_S = 60;
const DEPTH_MAX = 32;

/** A signature, a callback or an answer that must not be believed. */
final class Refused extends Exception
{
}

// --- What is signed

/** Objects stay objects: as arrays, {} and [] would be one, and the names "0" and "00" would change. */
function parse(string $rawBody): mixed
{
    try {
        return json_decode($rawBody, false, DEPTH_MAX, JSON_THROW_ON_ERROR | JSON_BIGINT_AS_STRING);
    } catch (JsonException) {
        throw new Refused('the body is not JSON in UTF-8');
    }
}

/** Scheme 1: each leaf as path:to:it:value, sorted by UTF-16 code unit, joined by semicolons. */
function normalise(mixed $value): string
{
    $lines = leaves($value, '');
    usort($lines, fn (string $a, string $b) => strcmp(utf16Order($a), utf16Order($b)));
    return implode(';', $lines);
}

/** @return list<string> */
function leaves(mixed $value, string $path): array
{
    if (is_object($value) || is_array($value)) {
        $lines = [];
        foreach ($value as $name => $member) {
            array_push($lines, ...leaves($member, "$path$name:"));
        }
        return $lines;
    }
    return [match (true) {
        $value === null => $path . 'None',
        is_bool($value) => $path . ($value ? '1' : '0'),
        is_float($value) => throw new Refused('a number is not whole'),
        default => $path . $value,
    }];
}

/**
 * UTF-8 and UTF-16 sort alike, except that UTF-16 puts U+E000 to U+FFFF, which begin with the bytes EE and EF, after the
 * characters beyond them, which begin with F0 to F4.
 */
function utf16Order(string $text): string
{
    return strtr($text, "\xEE\xEF", "\xF5\xF6");
}

function messageOf(int $scheme, string $method, string $path, string $timestamp, string $rawBody): string
{
    return $scheme === 1
        ? base64url(normalise(parse($rawBody))) . $timestamp
        : implode("\n", [$method, $path, $timestamp, hash('sha256', $rawBody)]);
}

function schemeOf(string $algorithm): int
{
    return str_ends_with($algorithm, '-V2') ? 2 : 1;
}

// --- Keys and encodings

/** Scheme 1 signs the digest of the message, so SHA-256 runs twice. */
function rsaInput(int $scheme, string $message): string
{
    return $scheme === 1 ? hash('sha256', $message, true) : $message;
}

function rsaSign(string $data, string $pem): string
{
    if (!openssl_sign($data, $signature, $pem, OPENSSL_ALGO_SHA256)) {
        throw new Refused('the private key cannot be used');
    }
    return $signature;
}

function rsaVerifies(string $data, string $pem, string $signature): bool
{
    return openssl_verify($data, $signature, $pem, OPENSSL_ALGO_SHA256) === 1;
}

function hmacSha512(string $secret, string $message): string
{
    return hash_hmac('sha512', $message, $secret, true);
}

function base64url(string $data): string
{
    return rtrim(strtr(base64_encode($data), '+/', '-_'), '=');
}

/** One text for each value: padding, the other alphabet and spare bits in the last character are refused. */
function decodeBase64url(string $text): string
{
    $data = base64_decode(strtr($text, '-_', '+/'), true);
    if ($data === false || $data === '' || base64url($data) !== $text) {
        throw new Refused('the signature is not base64url without padding');
    }
    return $data;
}

// --- Calls

function credentials(): object
{
    $file = getenv('TILLGATE_SANDBOX') ?: '.tillgate/sandbox.json';
    if (!is_readable($file)) {
        throw new Refused("there is no $file: start the service first (npm start)");
    }
    return parse(file_get_contents($file));
}

/** @return list<string> */
function signedHeaders(object $keys, string $path, string $rawBody, string $algorithm, int $now): array
{
    $scheme = schemeOf($algorithm);
    $message = messageOf($scheme, 'POST', $path, (string) $now, $rawBody);
    $isRsa = str_starts_with($algorithm, 'RSA');
    $token = $isRsa ? $keys->rsa_access_token : $keys->hmac_key_id;
    $signature = $isRsa
        ? rsaSign(rsaInput($scheme, $message), $keys->rsa_private_key_pem)
        : hmacSha512($keys->hmac_secret, $message);
    return [
        'content-type: application/json',
        "x-access-timestamp: $now",
        "x-access-merchant-id: $keys->merchant_id",
        "x-access-token: $token",
        "x-access-merchant-algorithm: $algorithm",
        'x-access-signature: ' . base64url($signature),
    ];
}

/**
 * One signed call -> [HTTP status, body]. After silence, 429 or 5xx the same bytes are sent again, signed again: the
 * service knows the payment by its payment_id, so repeating never pays twice. A new id would.
 *
 * @return array{int, string}
 */
function send(string $path, string $rawBody): array
{
    $keys = credentials();
    $algorithm = getenv('TILLGATE_ALGORITHM') ?: 'HMAC-SHA512-V2';
    for ($attempt = 1; ; $attempt++) {
        $options = [
            'method' => 'POST',
            'header' => signedHeaders($keys, $path, $rawBody, $algorithm, time()),
            'content' => $rawBody,
            'timeout' => TIMEOUT_S,
            'ignore_errors' => true, // an error's body is wanted too
            'follow_location' => 0, // a signed call goes where it was signed for, or nowhere
        ];
        $http_response_header = [];
        $text = @file_get_contents($keys->base_url . $path, false, stream_context_create(['http' => $options]));
        $status = (int) (explode(' ', $http_response_header[0] ?? '')[1] ?? 0);
        $isFinal = $text !== false && $status >= 200 && $status < 500 && $status !== 429;
        if ($isFinal || ($attempt === ATTEMPTS && $text !== false)) {
            return [$status, $text];
        }
        if ($attempt === ATTEMPTS) {
            throw new Refused('no answer came: the outcome is unknown, repeat the same body with the same id');
        }
        $asked = preg_grep('/^retry-after: *[0-9]+$/i', $http_response_header);
        sleep($asked ? (int) preg_replace('/[^0-9]/', '', reset($asked)) : 2 ** ($attempt - 1));
    }
}

function call(string $path, array $body): object
{
    [$status, $text] = send($path, json_encode($body, JSON_THROW_ON_ERROR));
    $answer = parse($text);
    if ($status !== 200) {
        throw new Refused("$path: $status $answer->code: $answer->status_description");
    }
    return $answer;
}

// --- Callbacks

/** By the Standard Webhooks signature, which covers the bytes of the body: prefer it. */
function verifyWebhook(array $headers, string $rawBody, string $secret, int $now): object
{
    $timestamp = requireHeader($headers, 'webhook-timestamp');
    requireFresh($timestamp, $now);
    $key = base64_decode(substr($secret, strlen('whsec_')), true);
    $signed = requireHeader($headers, 'webhook-id') . ".$timestamp.$rawBody";
    $expected = 'v1,' . base64_encode(hash_hmac('sha256', $signed, $key, true));
    $fits = false;
    // There are two entries while the secret is being replaced.
    foreach (explode(' ', requireHeader($headers, 'webhook-signature')) as $entry) {
        $fits = hash_equals($expected, $entry) || $fits; // takes the same time wherever they differ
    }
    if (!$fits) {
        throw new Refused('no signature fits');
    }
    return parse($rawBody);
}

/** By the x-access-… headers (scheme 1). The key is the one you were given; x-access-token is not looked at. */
function verifyCallback(array $headers, string $rawBody, bool $isRsa, object $keys, int $now): object
{
    $timestamp = requireHeader($headers, 'x-access-timestamp');
    requireFresh($timestamp, $now);
    $algorithm = $isRsa ? 'RSA-SHA256' : 'HMAC-SHA512';
    if (($headers['x-access-merchant-algorithm'] ?? 'RSA-SHA256') !== $algorithm) {
        throw new Refused("the callback is not signed with $algorithm");
    }
    $message = messageOf(1, 'POST', '', $timestamp, $rawBody);
    $given = [requireHeader($headers, 'x-access-signature'), $headers['x-access-signature-next'] ?? null];
    $fits = false;
    foreach (array_filter($given, is_string(...)) as $text) {
        $signature = decodeBase64url($text);
        $fits = ($isRsa
            ? rsaVerifies(rsaInput(1, $message), $keys->callback_public_key_pem, $signature)
            : hash_equals(hmacSha512($keys->callback_hmac_secret, $message), $signature)) || $fits;
    }
    if (!$fits) {
        throw new Refused('no signature fits');
    }
    $body = parse($rawBody);
    requireOneReading($body);
    // The service signs for all its merchants with one RSA key: without this, another merchant's callback would pass.
    if (($body->project_id ?? null) !== $keys->project_id) {
        throw new Refused('the callback is of another project');
    }
    return $body;
}

function requireHeader(array $headers, string $name): string
{
    return $headers[$name] ?? throw new Refused("the header $name is missing");
}

function requireFresh(string $timestamp, int $now): void
{
    if (preg_match('/\A[0-9]{10}\z/', $timestamp) !== 1) {
        throw new Refused('the timestamp is not Unix time in seconds');
    }
    if (abs($now - (int) $timestamp) > TOLERANCE_S) {
        throw new Refused('the timestamp is more than ' . TOLERANCE_S . ' s away');
    }
}

/** Scheme 1 signs text, so one signature fits several bodies. What only a forger would send is refused. */
function requireOneReading(mixed $body): void
{
    if (!is_object($body) || !is_object($body->status ?? null) || in_array('None', (array) $body->status, true)) {
        throw new Refused('the body is not an object whose status has real nulls');
    }
    $names = ['project_id', 'general', 'status', 'payment_info', 'requisites', 'integration', 'event'];
    refuseForgeries($body, array_merge($names, array_keys((array) $body)));
}

function refuseForgeries(mixed $value, array $names): void
{
    foreach (is_string($value) ? $names : [] as $name) {
        if (str_contains($value, ";$name:")) {
            throw new Refused('a string reads like further members');
        }
    }
    foreach (is_object($value) || is_array($value) ? $value : [] as $name => $member) {
        if (is_object($value) && preg_match('/\A[A-Za-z][A-Za-z0-9_-]*\z/', (string) $name) !== 1) {
            throw new Refused('a name is not a plain word');
        }
        refuseForgeries($member, $names);
    }
}

/**
 * Headers, an empty line, and the body byte for byte. In a web program: getallheaders() and
 * file_get_contents('php://input').
 *
 * @return array{array<string, string>, string}
 */
function readMessage(string $data): array
{
    $parts = preg_split('/\r?\n\r?\n/', $data, 2);
    if (count($parts) < 2) {
        throw new Refused('there is no empty line between the headers and the body');
    }
    $headers = [];
    foreach (preg_split('/\r?\n/', $parts[0]) as $line) {
        [$name, $value] = explode(':', $line, 2) + ['', ''];
        $name = strtolower($name);
        if (isset($headers[$name])) {
            throw new Refused("the header $name is there twice");
        }
        $headers[$name] = trim($value);
    }
    return [$headers, $parts[1]];
}

// --- Commands

function commandCall(string $path, ?string $body = null): int
{
    $body ??= json_encode(['general' => ['project_id' => credentials()->project_id]]);
    [$status, $text] = send($path, $body);
    echo $text, "\n";
    return $status === 200 ? 0 : 1;
}

function commandPayin(): int
{
    $paymentId = 'php-' . hrtime(true) . '-' . time(); // your own id: keep it before you send it
    $payment = ['general' => ['project_id' => credentials()->project_id, 'payment_id' => $paymentId]];
    call('/api/v1/payment/p2p/payin', $payment + [
        'payment' => ['method' => 'card-p2p', 'amount' => 250000, 'currency' => 'RUB'], // 2,500.00 roubles
        'customer' => ['id' => 'customer-1', 'ip_address' => '192.0.2.1'],
    ]);
    $requisites = until($payment, fn (object $found) => isset($found->requisites))->requisites;
    echo "The payer sends $requisites->amount to $requisites->pan\n";
    call('/api/v1/payment/p2p/payin/confirm', $payment); // the payer says that it is done
    $paid = until($payment, fn (object $found) => in_array($found->status, ['success', 'decline'], true));
    echo "Pay-in $paymentId: $paid->status, and {$paid->payment->net} of it is ours\n";
    return $paid->status === 'success' ? 0 : 1;
}

/** A shop waits for the callback instead. */
function until(array $payment, callable $isEnough): object
{
    for ($tries = 0; $tries < 2 * WAIT_S; $tries++) {
        $found = call('/api/v1/payment/p2p/payin/info', $payment);
        if ($isEnough($found)) {
            return $found;
        }
        usleep(500_000);
    }
    throw new Refused('nothing happened for ' . WAIT_S . ' s');
}

function commandVerify(string $kind, string $file = 'php://stdin'): int
{
    [$headers, $rawBody] = readMessage(file_get_contents($file));
    $keys = credentials();
    $callback = match ($kind) {
        'webhook' => verifyWebhook($headers, $rawBody, $keys->webhook_secret, time()),
        'rsa', 'hmac' => verifyCallback($headers, $rawBody, $kind === 'rsa', $keys, time()),
        default => throw new Refused('KEY is webhook, rsa or hmac'),
    };
    echo "Verified: {$callback->general->payment_id} {$callback->status->status}\n";
    return 0;
}

function isAccepted(object $vector, object $file): bool
{
    try {
        $signature = decodeBase64url($vector->signature);
    } catch (Refused) {
        return false;
    }
    return str_starts_with($vector->algorithm, 'RSA')
        ? rsaVerifies(rsaInput($vector->scheme, $vector->message), $file->rsa->public_key_pem, $signature)
        : hash_equals(hmacSha512($file->hmac->secret, $vector->message), $signature);
}

function commandVectors(string $name): int
{
    $file = parse(file_get_contents($name));
    $accepted = 0;
    $wrong = 0;
    foreach ($file->vectors as $vector) {
        $timestamp = (string) $vector->timestamp;
        $made = messageOf($vector->scheme, $vector->method, $vector->path, $timestamp, $vector->body);
        $isAccepted = $made === $vector->message && isAccepted($vector, $file);
        $accepted += (int) $isAccepted;
        if ($made !== $vector->message || $isAccepted !== $vector->valid) {
            $wrong++;
            fwrite(STDERR, "WRONG $vector->algorithm: $vector->name\n");
        }
    }
    $count = count($file->vectors);
    printf("%d vectors: %d accepted, %d refused, %d wrong\n", $count, $accepted, $count - $accepted, $wrong);
    return $wrong === 0 ? 0 : 1;
}

try {
    $command = $argv[1] ?? '';
    $arguments = array_slice($argv, 2);
    exit(match (true) {
        $command === 'call' && $arguments !== [] => commandCall(...$arguments),
        $command === 'payin' => commandPayin(),
        $command === 'verify' && $arguments !== [] => commandVerify(...$arguments),
        $command === 'vectors' && $arguments !== [] => commandVectors(...$arguments),
        default => throw new Refused('usage: see the first lines of tillgate.php'),
    });
} catch (Refused $refusal) {
    fwrite(STDERR, "Refused: {$refusal->getMessage()}\n");
    exit(1);
}
