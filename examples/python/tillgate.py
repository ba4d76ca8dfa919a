#!/usr/bin/env python3
"""Tillgate from Python 3.8 or newer, with nothing but the standard library. Copy this file and change it.

  python3 tillgate.py call PATH [BODY]    makes one signed call; BODY is sent exactly as it is given
  python3 tillgate.py payin               makes a whole pay-in in the sandbox
  python3 tillgate.py verify KEY [FILE]   verifies a callback: its headers, an empty line, its body (FILE or stdin).
                                          KEY is webhook (Standard Webhooks), or rsa or hmac (the x-access-… headers)
  python3 tillgate.py vectors FILE        checks this program against docs/signing-vectors.json

Credentials come from .tillgate/sandbox.json, or from the file that TILLGATE_SANDBOX names. TILLGATE_ALGORITHM is
RSA-SHA256 or HMAC-SHA512 (scheme 1), RSA-SHA256-V2 or HMAC-SHA512-V2 (scheme 2; the default is HMAC-SHA512-V2).
"""
import base64
import hashlib
import hmac
import json
import os
import re
import secrets
import sys
import time
import urllib.error
import urllib.request

ATTEMPTS = 3
TIMEOUT_S = 10
TOLERANCE_S = 300
WAIT_S = 60


class Refused(Exception):
    """A signature, a callback or an answer that must not be believed."""


# --- What is signed -------------------------------------------------------------------------------------------------


def parse(raw_body):
    """Strict: the two schemes agree on whole numbers only, so a fraction or an exponent is refused."""

    def refuse(text):
        raise Refused(f"{text} is not a whole number")

    try:
        return json.loads(raw_body.decode("utf-8"), parse_float=refuse, parse_constant=refuse)
    except (ValueError, RecursionError):
        raise Refused("the body is not JSON in UTF-8") from None


def normalise(value):
    """Scheme 1: each leaf as path:to:it:value, sorted by UTF-16 code unit, joined by semicolons."""
    lines = []

    def walk(value, path):
        if isinstance(value, dict):
            for name, member in value.items():
                walk(member, path + name + ":")
        elif isinstance(value, list):
            for index, member in enumerate(value):
                walk(member, f"{path}{index}:")
        else:
            lines.append(path + ("None" if value is None else str(int(value)) if isinstance(value, bool) else str(value)))

    walk(value, "")
    try:
        # Python compares code points, which puts an emoji after U+FF5E. UTF-16 puts it before.
        return ";".join(sorted(lines, key=lambda line: line.encode("utf-16-be")))
    except UnicodeEncodeError:
        raise Refused("the body holds half of a surrogate pair") from None


def message_of(scheme, method, path, timestamp, raw_body):
    if scheme == 1:
        return base64url(normalise(parse(raw_body)).encode("utf-8")) + str(timestamp)
    return "\n".join([method, path, str(timestamp), hashlib.sha256(raw_body).hexdigest()])


def scheme_of(algorithm):
    return 2 if algorithm.endswith("-V2") else 1


def rsa_input(scheme, message):
    """Scheme 1 signs the digest of the message, so SHA-256 runs twice."""
    return hashlib.sha256(message.encode()).digest() if scheme == 1 else message.encode()


# --- Keys and encodings ---------------------------------------------------------------------------------------------


def base64url(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def decode_base64url(text):
    """One text for each value: padding, the other alphabet and spare bits in the last character are refused."""
    try:
        data = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    except ValueError:
        data = b""
    if data == b"" or base64url(data) != text:
        raise Refused("the signature is not base64url without padding")
    return data


def der_parts(data):
    """The elements of a DER value, one after the other."""
    parts, at = [], 0
    while at < len(data):
        length, start = data[at + 1], at + 2
        if length & 0x80:
            start += length & 0x7F
            length = int.from_bytes(data[at + 2 : start], "big")
        parts.append(data[start : start + length])
        at = start + length
    return parts


def pem_bytes(pem):
    return base64.b64decode("".join(line for line in pem.splitlines() if not line.startswith("-----")))


def private_key(pem):
    """PKCS #8 -> (n, e, d)."""
    octets = der_parts(der_parts(pem_bytes(pem))[0])[2]
    _, n, e, d = der_parts(der_parts(octets)[0])[:4]
    return tuple(int.from_bytes(part, "big") for part in (n, e, d))


def public_key(pem):
    """SubjectPublicKeyInfo -> (n, e)."""
    bits = der_parts(der_parts(pem_bytes(pem))[0])[1]
    return tuple(int.from_bytes(part, "big") for part in der_parts(der_parts(bits[1:])[0]))


def pkcs1_padded(data, size):
    """EMSA-PKCS1-v1_5 with SHA-256."""
    info = bytes.fromhex("3031300d060960864801650304020105000420") + hashlib.sha256(data).digest()
    return b"\x00\x01" + b"\xff" * (size - len(info) - 3) + b"\x00" + info


def rsa_sign(data, pem):
    """The standard library has no RSA. pow() takes longer for some inputs than for others, so the input is blinded.
    If you may install a package, use `cryptography` here."""
    n, e, d = private_key(pem)
    size = (n.bit_length() + 7) // 8
    blind = secrets.randbelow(n - 2) + 2
    blinded = int.from_bytes(pkcs1_padded(data, size), "big") * pow(blind, e, n) % n
    return (pow(blinded, d, n) * pow(blind, -1, n) % n).to_bytes(size, "big")


def rsa_verifies(data, pem, signature):
    n, e = public_key(pem)
    size = (n.bit_length() + 7) // 8
    number = int.from_bytes(signature, "big")
    if len(signature) != size or number >= n:
        return False
    return hmac.compare_digest(pow(number, e, n).to_bytes(size, "big"), pkcs1_padded(data, size))


def hmac_sha512(secret, message):
    return hmac.new(secret.encode(), message.encode(), hashlib.sha512).digest()


# --- Calls ----------------------------------------------------------------------------------------------------------


def credentials():
    with open(os.environ.get("TILLGATE_SANDBOX", ".tillgate/sandbox.json"), encoding="utf-8") as file:
        return json.load(file)


def signed_headers(keys, path, raw_body, algorithm, timestamp):
    scheme = scheme_of(algorithm)
    message = message_of(scheme, "POST", path, timestamp, raw_body)
    if algorithm.startswith("RSA"):
        token, signature = keys["rsa_access_token"], rsa_sign(rsa_input(scheme, message), keys["rsa_private_key_pem"])
    else:
        token, signature = keys["hmac_key_id"], hmac_sha512(keys["hmac_secret"], message)
    return {
        "content-type": "application/json",
        "x-access-timestamp": str(timestamp),
        "x-access-merchant-id": keys["merchant_id"],
        "x-access-token": token,
        "x-access-merchant-algorithm": algorithm,
        "x-access-signature": base64url(signature),
    }


class NoRedirect(urllib.request.HTTPRedirectHandler):
    """A signed call goes where it was signed for, or nowhere."""

    def redirect_request(self, *_):
        return None


def send(path, raw_body):
    """One signed call -> (HTTP status, body). After silence, 429 or 5xx the same bytes are sent again, signed again:
    the service knows the payment by its payment_id, so repeating never pays twice. A new id would."""
    keys = credentials()
    algorithm = os.environ.get("TILLGATE_ALGORITHM", "HMAC-SHA512-V2")
    opener = urllib.request.build_opener(NoRedirect)
    for attempt in range(1, ATTEMPTS + 1):
        headers = signed_headers(keys, path, raw_body, algorithm, int(time.time()))
        request = urllib.request.Request(keys["base_url"] + path, raw_body, headers, method="POST")
        wait_s = 2 ** (attempt - 1) + secrets.randbelow(1000) / 1000
        try:
            with opener.open(request, timeout=TIMEOUT_S) as answer:
                return answer.status, answer.read().decode("utf-8")
        except urllib.error.HTTPError as error:
            status, text = error.code, error.read().decode("utf-8", "replace")
            if attempt == ATTEMPTS or (status != 429 and status < 500):
                return status, text
            wait_s = float(error.headers.get("retry-after") or wait_s)
        except OSError:
            if attempt == ATTEMPTS:
                raise
        time.sleep(wait_s)


def call(path, body):
    status, text = send(path, json.dumps(body).encode("utf-8"))
    answer = json.loads(text)
    if status != 200:
        raise Refused(f"{path}: {status} {answer.get('code')}: {answer.get('status_description')}")
    return answer


# --- Callbacks ------------------------------------------------------------------------------------------------------


def verify_webhook(headers, raw_body, secret, now):
    """By the Standard Webhooks signature, which covers the bytes of the body: prefer it."""
    event, timestamp = headers["webhook-id"], headers["webhook-timestamp"]
    require_fresh(timestamp, now)
    key = base64.b64decode(secret[len("whsec_") :])
    signed = f"{event}.{timestamp}.".encode() + raw_body
    expected = "v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    # There are two entries while the secret is being replaced.
    given = [entry.encode() for entry in headers["webhook-signature"].split(" ")]
    if not any([hmac.compare_digest(expected.encode(), entry) for entry in given]):
        raise Refused("no signature fits")
    return parse(raw_body)


def verify_callback(headers, raw_body, kind, key, project_id, now):
    """By the x-access-… headers (scheme 1). The key is the one you were given; x-access-token is not looked at."""
    timestamp = headers["x-access-timestamp"]
    require_fresh(timestamp, now)
    algorithm = "RSA-SHA256" if kind == "rsa" else "HMAC-SHA512"
    if headers.get("x-access-merchant-algorithm", "RSA-SHA256") != algorithm:
        raise Refused(f"the callback is not signed with {algorithm}")
    given = [headers["x-access-signature"], headers.get("x-access-signature-next")]
    signatures = [decode_base64url(text) for text in given if text is not None]
    message = message_of(1, "POST", "", timestamp, raw_body)
    if kind == "rsa":
        fits = [rsa_verifies(rsa_input(1, message), key, signature) for signature in signatures]
    else:
        fits = [hmac.compare_digest(hmac_sha512(key, message), signature) for signature in signatures]
    if not any(fits):
        raise Refused("no signature fits")
    body = parse(raw_body)
    require_one_reading(body)
    # The service signs for all its merchants with one RSA key: without this, another merchant's callback would pass.
    if body.get("project_id") != project_id:
        raise Refused("the callback is of another project")
    return body


def require_fresh(timestamp, now):
    if not re.fullmatch("[0-9]{10}", timestamp):
        raise Refused("the timestamp is not Unix time in seconds")
    if abs(now - int(timestamp)) > TOLERANCE_S:
        raise Refused(f"the timestamp is more than {TOLERANCE_S} s away")


def require_one_reading(body):
    """Scheme 1 signs text, so one signature fits several bodies. What only a forger would send is refused."""
    if not isinstance(body, dict):
        raise Refused("the body is not an object")
    known = {"project_id", "general", "status", "payment_info", "requisites", "integration", "event"}
    starts = [f";{name}:" for name in known.union(body)]

    def walk(value):
        if isinstance(value, str) and any(start in value for start in starts):
            raise Refused("a string reads like further members")
        if isinstance(value, dict):
            if not all(re.fullmatch("[A-Za-z][A-Za-z0-9_-]*", name) for name in value):
                raise Refused("a name is not a plain word")
            for member in value.values():
                walk(member)
        if isinstance(value, list):
            for member in value:
                walk(member)

    walk(body)
    status = body.get("status")
    if not isinstance(status, dict) or "None" in status.values():
        raise Refused("the status is not an object with real nulls")


def read_message(data):
    """Headers, an empty line, and the body byte for byte."""
    gap = re.search(rb"\r?\n\r?\n", data)
    if gap is None:
        raise Refused("there is no empty line between the headers and the body")
    headers = {}
    for line in data[: gap.start()].decode("latin-1").splitlines():
        name, _, value = line.partition(":")
        if name.lower() in headers:
            raise Refused(f"the header {name} is there twice")
        headers[name.lower()] = value.strip()
    return headers, data[gap.end() :]


# --- Commands -------------------------------------------------------------------------------------------------------


def command_call(path, body=None):
    if body is None:
        body = json.dumps({"general": {"project_id": credentials()["project_id"]}})
    status, text = send(path, body.encode("utf-8"))
    print(text)
    return 0 if status == 200 else 1


def command_payin():
    payment_id = f"python-{time.time_ns()}"  # your own id: keep it before you send it
    payment = {"general": {"project_id": credentials()["project_id"], "payment_id": payment_id}}
    terms = {"method": "card-p2p", "amount": 250000, "currency": "RUB"}  # 2,500.00 roubles
    customer = {"id": "customer-1", "ip_address": "192.0.2.1"}
    call("/api/v1/payment/p2p/payin", {**payment, "payment": terms, "customer": customer})
    requisites = until(payment, lambda found: "requisites" in found)["requisites"]
    print(f"The payer sends {requisites['amount']} to {requisites['pan']}")
    call("/api/v1/payment/p2p/payin/confirm", payment)  # the payer says that it is done
    paid = until(payment, lambda found: found["status"] in ("success", "decline"))
    print(f"Pay-in {payment_id}: {paid['status']}, and {paid['payment']['net']} of it is ours")
    return 0 if paid["status"] == "success" else 1


def until(payment, is_enough):
    """A shop waits for the callback instead."""
    deadline = time.monotonic() + WAIT_S
    while time.monotonic() < deadline:
        found = call("/api/v1/payment/p2p/payin/info", payment)
        if is_enough(found):
            return found
        time.sleep(0.5)
    raise Refused(f"nothing happened for {WAIT_S} s")


def command_verify(kind, file=None):
    if kind not in ("webhook", "rsa", "hmac"):
        raise Refused("KEY is webhook, rsa or hmac")
    with open(file, "rb") if file else sys.stdin.buffer as stream:
        headers, raw_body = read_message(stream.read())
    keys = credentials()
    try:
        if kind == "webhook":
            callback = verify_webhook(headers, raw_body, keys["webhook_secret"], time.time())
        else:
            key = keys["callback_public_key_pem" if kind == "rsa" else "callback_hmac_secret"]
            callback = verify_callback(headers, raw_body, kind, key, keys["project_id"], time.time())
        print(f"Verified: {callback['general']['payment_id']} {callback['status']['status']}")
    except KeyError as error:
        raise Refused(f"{error} is missing") from None
    return 0


def verifies(vector, keys):
    algorithm, scheme, message = vector["algorithm"], vector["scheme"], vector["message"]
    try:
        signature = decode_base64url(vector["signature"])
    except Refused:
        return False
    if algorithm.startswith("RSA"):
        return rsa_verifies(rsa_input(scheme, message), keys["rsa"]["public_key_pem"], signature)
    return hmac.compare_digest(hmac_sha512(keys["hmac"]["secret"], message), signature)


def command_vectors(file):
    with open(file, encoding="utf-8") as stream:
        keys = json.load(stream)
    counts = {True: 0, False: 0}
    wrong = 0
    for vector in keys["vectors"]:
        raw_body = vector["body"].encode("utf-8")
        made = message_of(vector["scheme"], vector["method"], vector["path"], vector["timestamp"], raw_body)
        accepted = made == vector["message"] and verifies(vector, keys)
        if made != vector["message"] or accepted != vector["valid"]:
            wrong += 1
            print(f"WRONG {vector['algorithm']}: {vector['name']}", file=sys.stderr)
        counts[accepted] += 1
    print(f"{len(keys['vectors'])} vectors: {counts[True]} accepted, {counts[False]} refused, {wrong} wrong")
    return 0 if wrong == 0 else 1


COMMANDS = {"call": command_call, "payin": command_payin, "verify": command_verify, "vectors": command_vectors}

if __name__ == "__main__":
    try:
        command, *arguments = sys.argv[1:]
        run = COMMANDS[command]
    except (ValueError, KeyError):
        sys.exit(__doc__)
    try:
        sys.exit(run(*arguments))
    except Refused as refusal:
        sys.exit(f"Refused: {refusal}")
