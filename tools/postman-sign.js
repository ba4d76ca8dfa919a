// Signs each request of the collection, before Postman sends it. See Authentication in the contract.
const hashes = require("crypto-js");

const path = pm.request.url.getPath();
const idVariable = NEW_IDS[path];
const isRepeated = pm.variables.get("repeat") === "yes";
if (idVariable !== undefined && !isRepeated) pm.collectionVariables.set(idVariable, `postman-${Date.now()}`);

// What is signed must be what is sent, so the variables in the body are filled in here, once.
const body = pm.variables.replaceIn(pm.request.body.raw);
pm.request.body.update({ mode: "raw", raw: body, options: { raw: { language: "json" } } });

const algorithm = pm.variables.get("algorithm");
const timestamp = String(Math.floor(Date.now() / 1000));
const isScheme1 = !algorithm.endsWith("-V2");
const message = isScheme1
  ? base64url(hashes.enc.Utf8.parse(normalise(JSON.parse(body)))) + timestamp
  : ["POST", path, timestamp, hashes.SHA256(body).toString()].join("\n");

const isHmac = algorithm.startsWith("HMAC");
const signature = isHmac ? hashes.HmacSHA512(message, pm.variables.get("hmac_secret")) : rsaSignature(message);
setHeaders(pm.variables.get(isHmac ? "hmac_key_id" : "rsa_access_token"), base64url(signature));

function setHeaders(token, signature) {
  const headers = {
    "x-access-timestamp": timestamp,
    "x-access-merchant-id": pm.variables.get("merchant_id"),
    "x-access-token": token,
    "x-access-merchant-algorithm": algorithm,
    "x-access-signature": signature,
  };
  for (const [key, value] of Object.entries(headers)) pm.request.headers.upsert({ key, value });
}

function base64url(words) {
  return words.toString(hashes.enc.Base64).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
}

// Scheme 1: each leaf as path:to:it:value, sorted by UTF-16 code unit, joined by semicolons.
function normalise(value) {
  const lines = [];
  const walk = (value, path) => {
    if (typeof value === "object" && value !== null) {
      for (const [name, member] of Object.entries(value)) walk(member, `${path}${name}:`);
    } else {
      lines.push(path + (value === null ? "None" : typeof value === "boolean" ? Number(value) : value));
    }
  };
  walk(value, "");
  return lines.sort().join(";");
}

// RSASSA-PKCS1-v1_5 with SHA-256. The library has no RSA, so the arithmetic is here; it is for tests, not for servers.
function rsaSignature(message) {
  // Scheme 1 signs the digest of the message, so SHA-256 runs twice.
  const digest = hashes.SHA256(isScheme1 ? hashes.SHA256(message) : message).toString();
  const pem = pm.variables
    .get("rsa_private_key_pem")
    .replace(/\\n/g, "")
    .replace(/-----[A-Z ]+-----|\s/g, "");
  // PKCS #8: the third element holds the key, whose second, third and fourth numbers are n, e and d.
  const octets = derParts(derParts(hashes.enc.Base64.parse(pem).toString())[0])[2];
  const [n, , d] = derParts(derParts(octets)[0]).slice(1, 4);
  const size = n.replace(/^00/, "").length;
  const info = `003031300d060960864801650304020105000420${digest}`;
  const padded = `0001${"f".repeat(size - 4 - info.length)}${info}`;
  const signature = power(BigInt(`0x${padded}`), BigInt(`0x${d}`), BigInt(`0x${n}`));
  return hashes.enc.Hex.parse(signature.toString(16).padStart(size, "0"));
}

// The elements of a DER value, one after the other, in hex.
function derParts(hex) {
  const parts = [];
  for (let at = 0; at < hex.length; ) {
    const first = parseInt(hex.substr(at + 2, 2), 16);
    const digits = first < 128 ? 0 : (first - 128) * 2;
    const start = at + 4 + digits;
    const length = first < 128 ? first : parseInt(hex.substr(at + 4, digits), 16);
    parts.push(hex.substr(start, length * 2));
    at = start + length * 2;
  }
  return parts;
}

function power(base, exponent, modulus) {
  let result = 1n;
  for (let square = base, rest = exponent; rest > 0n; rest >>= 1n, square = (square * square) % modulus) {
    if (rest & 1n) result = (result * square) % modulus;
  }
  return result;
}
