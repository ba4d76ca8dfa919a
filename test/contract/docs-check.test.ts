import { constants, createHash, createHmac, generateKeyPairSync, sign } from "node:crypto";
import { describe, expect, it } from "vitest";
import { normalise, rsaAccessToken, signRequest } from "../../sdk/src/index.ts";
import { checkCallback } from "../../web/docs/console/check/check-callback.ts";
import { checkRequest, type RequestToCheck } from "../../web/docs/console/check/check-request.ts";
import { readRequest } from "../../web/docs/console/check/read-request.ts";
import { firstFault, type Report } from "../../web/docs/console/check/report.ts";

/** "Check my signature": each mistake is made here by plain code of Node, as a merchant's program would make it. */
const pair = generateKeyPairSync("rsa", { modulusLength: 2048 });
const PRIVATE = pair.privateKey.export({ type: "pkcs8", format: "pem" }).toString();
const PUBLIC = pair.publicKey.export({ type: "spki", format: "pem" }).toString();
const SECRET = `sk_${"0123456789abcdef".repeat(4)}`;
const KEY_ID = `ak_${"0".repeat(32)}`;
const NOW_MS = 1_706_182_900_000;
const TIME = "1706182847";
const PATH = "/api/v1/payment/p2p/payin";
const BODY = JSON.stringify({
  general: { project_id: "0190f3c2a7b47c1e8d5f6a7b8c9d0e1f", payment_id: "ord-1" },
  payment: { amount: 250000, currency: "RUB", description: "Чай / <tea>" },
  customer: { id: "Z", browser: { java_enabled: false } },
});

const sha256 = (text: string | Buffer) => createHash("sha256").update(text).digest();
const hmac = (message: string | Buffer, secret: string | Buffer = SECRET, hash = "sha512") =>
  createHmac(hash, secret).update(message).digest("base64url");
const rsa = (input: string | Buffer) => sign("sha256", Buffer.from(input), pair.privateKey).toString("base64url");
const message1 = (body = BODY, time = TIME) => Buffer.from(normalise(JSON.parse(body))).toString("base64url") + time;
const message2 = ({ method = "POST", path = PATH, time = TIME, body = BODY } = {}) =>
  `${method}\n${path}\n${time}\n${sha256(body).toString("hex")}`;

function request(algorithm: string, signature: string, change: Partial<RequestToCheck> = {}): RequestToCheck {
  const isRsa = algorithm.startsWith("RSA");
  return {
    method: "POST",
    target: `https://pay.example${PATH}`,
    headers: [
      ["content-type", "application/json"],
      ["x-access-timestamp", TIME],
      ["x-access-merchant-id", "m"],
      ["x-access-token", isRsa ? rsaAccessToken(PRIVATE) : KEY_ID],
      ["x-access-merchant-algorithm", algorithm],
      ["x-access-signature", signature],
    ],
    body: BODY,
    key: isRsa ? PUBLIC : SECRET,
    nowMs: NOW_MS,
    paths: [PATH, "/api/v1/balance/info"],
    ...change,
  };
}

async function faultOf(report: Report | Promise<Report>): Promise<string> {
  const fault = firstFault(await report);
  return fault === undefined ? "none" : `${fault.name}: ${fault.detail}`;
}

describe("a request that is right", () => {
  it.each([
    ["RSA-SHA256", rsa(sha256(message1()))],
    ["HMAC-SHA512", hmac(message1())],
    ["RSA-SHA256-V2", rsa(message2())],
    ["HMAC-SHA512-V2", hmac(message2())],
  ])("%s", async (algorithm, signature) => {
    const report = await checkRequest(request(algorithm, signature));
    expect(report.steps.map(({ state }) => state)).not.toContain("fault");
    expect(report.steps.at(-1)?.detail).toBe("It fits. The service accepts it.");
    expect(report.values.find(({ name }) => name === "Message")?.text).toBe(
      algorithm.endsWith("V2") ? message2() : message1(),
    );
  });

  it("is accepted with a note when it is old", async () => {
    const report = await checkRequest(request("HMAC-SHA512-V2", hmac(message2()), { nowMs: NOW_MS + 3_600_000 }));
    expect(report.steps.find(({ state }) => state === "note")?.detail).toMatch(/3653 seconds ago/);
    expect(firstFault(report)).toBeUndefined();
  });
});

const V2 = "HMAC-SHA512-V2";
const parsed = JSON.parse(BODY);
const python = BODY.replace(/":/g, '": ')
  .replace(/,"/g, ', "')
  .replace(/[\u0080-\uffff]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`);

describe("the mistake is named", () => {
  it.each<[string, string, string, RegExp]>([
    ["secret decoded from hex", V2, hmac(message2(), Buffer.from(SECRET.slice(3), "hex")), /decoded from hex/],
    ["secret without prefix", V2, hmac(message2(), SECRET.slice(3)), /the secret without sk_/],
    ["secret with a line feed", V2, hmac(message2(), `${SECRET}\n`), /line feed at its end\. The key is/],
    ["empty secret", V2, hmac(message2(), ""), /an empty secret/],
    ["key id as secret", V2, hmac(message2(), KEY_ID), /key's id in place of its secret/],
    ["HMAC-SHA256", V2, hmac(message2(), SECRET, "sha256"), /HMAC-SHA256\. Use HMAC-SHA512/],
    ["HMAC of a digest", V2, hmac(sha256(message2())), /over the message's SHA-256/],
    ["scheme 1 under a name of scheme 2", V2, hmac(message1()), /scheme 1, but the header names/],
    ["scheme 2 under a name of scheme 1", "HMAC-SHA512", hmac(message2()), /scheme 2, but the header names/],
    ["body as Python writes it", V2, hmac(message2({ body: python })), /Python's json\.dumps/],
    ["body indented", V2, hmac(message2({ body: JSON.stringify(parsed, null, 2) })), /indented by two spaces/],
    ["body with a line feed", V2, hmac(message2({ body: `${BODY}\n` })), /the body with a line feed/],
    ["body not there yet", V2, hmac(message2({ body: "" })), /an empty text/],
    ["no line feed but its name", V2, hmac(message2().replaceAll("\n", "\\n")), /a backslash and an n/],
    ["line feed at the end", V2, hmac(`${message2()}\n`), /a message with a line feed at its end/],
    ["CR LF", V2, hmac(message2().replaceAll("\n", "\r\n")), /CR LF/],
    ["small method", V2, hmac(message2({ method: "post" })), /method in small letters/],
    ["whole address", V2, hmac(message2({ path: `https://pay.example${PATH}` })), /the whole address/],
    ["slash at the end", V2, hmac(message2({ path: `${PATH}/` })), /a slash at its end/],
    ["another path", V2, hmac(message2({ path: "/api/v1/balance/info" })), /another call, \/api\/v1\/balance\/info/],
    ["milliseconds", V2, hmac(message2({ time: `${TIME}123` })), /in milliseconds \(1706182847123\)/],
    ["clock read twice", V2, hmac(message2({ time: "1706182846" })), /Read the clock once/],
    ["hash in capitals", V2, hmac(message2().replace(/\w+$/, (hash) => hash.toUpperCase())), /in capital letters/],
    ["body for its hash", V2, hmac(message2().replace(/\w+$/, BODY)), /the body itself as the fourth line/],
    ["hashed once", "RSA-SHA256", rsa(message1()), /SHA-256 run once/],
    ["hashed twice", "RSA-SHA256-V2", rsa(sha256(message2())), /SHA-256 run twice/],
    ["hex of the hash", "RSA-SHA256", rsa(sha256(message1()).toString("hex")), /as hex text/],
    ["PSS", "RSA-SHA256-V2", pss(constants.RSA_PSS_SALTLEN_DIGEST), /RSA-PSS padding with a salt of 32/],
    [
      "PSS by default",
      "RSA-SHA256-V2",
      pss(constants.RSA_PSS_SALTLEN_MAX_SIGN),
      /RSA-PSS padding with the longest salt/,
    ],
    [
      "RSA with SHA-512",
      "RSA-SHA256-V2",
      sign("sha512", Buffer.from(message2()), pair.privateKey).toString("base64url"),
      /RSA with SHA-512/,
    ],
    ["lines not sorted", "HMAC-SHA512", hmac(encoded(linesOf(parsed).join(";")) + TIME), /lines that are not sorted/],
    [
      "words for booleans",
      "HMAC-SHA512",
      hmac(encoded(normalise(parsed).replace("enabled:0", "enabled:false")) + TIME),
      /booleans written as true/,
    ],
    ["no timestamp", "HMAC-SHA512", hmac(encoded(normalise(parsed))), /without the timestamp/],
    [
      "standard base64",
      "HMAC-SHA512",
      hmac(Buffer.from(normalise(parsed)).toString("base64") + TIME),
      /standard alphabet/,
    ],
    ["no encoding", "HMAC-SHA512", hmac(normalise(parsed) + TIME), /no encoding/],
    ["the JSON text", "HMAC-SHA512", hmac(encoded(BODY) + TIME), /the JSON text itself/],
    ["two at once", V2, hmac(message2({ body: python }), Buffer.from(SECRET.slice(3), "hex")), /from hex.*Python/],
  ])("%s", async (_title, algorithm, signature, expected) => {
    const said = await faultOf(checkRequest(request(algorithm, signature)));
    expect(said).toMatch(expected);
    expect(said).toMatch(/^Signature: Your signature was made with/);
  });

  function pss(saltLength: number): string {
    const padding = constants.RSA_PKCS1_PSS_PADDING;
    return sign("sha256", Buffer.from(message2()), { key: pair.privateKey, padding, saltLength }).toString("base64url");
  }
  function encoded(text: string): string {
    return Buffer.from(text).toString("base64url");
  }
  function linesOf(value: unknown, prefix = ""): string[] {
    if (typeof value !== "object" || value === null) return [prefix + (value === false ? "0" : String(value))];
    return Object.entries(value).flatMap(([name, member]) => linesOf(member, `${prefix}${name}:`));
  }

  it("and where none is known, the person is told what to compare", async () => {
    const report = await checkRequest(request(V2, hmac(message2(), "another secret")));
    expect(await faultOf(report)).toMatch(/none of the usual mistakes.*another key/);
    expect(report.values.at(-1)?.text).toBe(hmac(message2()));
  });
});

describe("the first step that differs", () => {
  const good = Buffer.from(hmac(message2()), "base64url");
  const withHeader = (name: string, value: string | undefined) => {
    const { headers } = request(V2, hmac(message2()));
    return {
      headers: headers.flatMap(([each, old]) =>
        each !== name ? [[each, old] as const] : value === undefined ? [] : [[each, value] as const],
      ),
    };
  };

  it.each<[string, Partial<RequestToCheck>, RegExp]>([
    ["header missing", withHeader("x-access-token", undefined), /^Headers: .*x-access-token/],
    ["header in quotes", withHeader("x-access-token", `"${KEY_ID}"`), /^Headers: .*quotes/],
    ["milliseconds", withHeader("x-access-timestamp", `${TIME}123`), /^Timestamp: .*milliseconds.*1706182847\./],
    ["text for time", withHeader("x-access-timestamp", "2024-01-25"), /^Timestamp: /],
    ["algorithm in small letters", withHeader("x-access-merchant-algorithm", "hmac-sha512-v2"), /^Algorithm: /],
    ["token of the other kind", withHeader("x-access-token", "MIIB"), /^Key: x-access-token must be the id/],
    ["not JSON", { body: "{" }, /^Body: The body is not JSON/],
    ["no body", { body: "" }, /^Body: The body is empty/],
    ["GET", { method: "GET" }, /^Method: Send POST/],
    ["RSA key for HMAC", { key: PUBLIC }, /^Key: The algorithm is HMAC/],
    ["key id for the secret", { key: KEY_ID }, /^Key: This is the key's id/],
    [
      "padding",
      withHeader("x-access-signature", `${good.toString("base64url")}==`),
      /^Form of the signature: .*padding/,
    ],
    [
      "standard base64",
      withHeader("x-access-signature", good.toString("base64").replaceAll("=", "")),
      /^Form of the signature: .*standard base64/,
    ],
    ["hex", withHeader("x-access-signature", good.toString("hex")), /^Form of the signature: It is hex/],
    [
      "hex in base64url",
      withHeader("x-access-signature", Buffer.from(good.toString("hex")).toString("base64url")),
      /^Form of the signature: .*base64url of hex/,
    ],
    [
      "percent",
      withHeader("x-access-signature", encodeURIComponent(good.toString("base64"))),
      /^Form of the signature: .*percent/,
    ],
    ["a stray percent", withHeader("x-access-signature", "%41%"), /^Form of the signature: .*cannot be decoded/],
    ["rubbish", withHeader("x-access-signature", "!!!"), /^Form of the signature: .*cannot be decoded/],
  ])("%s", async (_title, change, expected) => {
    expect(await faultOf(checkRequest(request(V2, hmac(message2()), change)))).toMatch(expected);
  });

  it("a signature in the wrong form is checked further", async () => {
    const report = await checkRequest(request(V2, good.toString("hex")));
    expect(report.steps.at(-1)?.detail).toBe("Apart from its form, it fits.");
  });

  it("a foreign key in x-access-token", async () => {
    const other = generateKeyPairSync("rsa", { modulusLength: 2048 }).publicKey.export({ type: "spki", format: "pem" });
    const said = await faultOf(checkRequest(request("RSA-SHA256-V2", rsa(message2()), { key: String(other) })));
    expect(said).toMatch(/^Key: x-access-token is another key/);
  });
});

describe("what is pasted is read", () => {
  const rawBody = '{"a":"it\'s"}';
  const headers = signRequest({
    credentials: { kind: "hmac", merchantId: "m", projectId: "p", keyId: KEY_ID, secret: SECRET },
    path: PATH,
    timestamp: Number(TIME),
    rawBody,
  });
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);

  it("a curl command", () => {
    const options = lines.map((line) => `  -H '${line}' \\\n`).join("");
    const text = `curl --silent https://pay.example${PATH} \\\n${options}  --data-binary '{"a":"it'\\''s"}'`;
    expect(readRequest(text)).toEqual({
      method: "POST",
      target: `https://pay.example${PATH}`,
      headers: Object.entries(headers),
      body: rawBody,
    });
  });

  it("an HTTP request, headers alone, and headers as JSON", () => {
    const http = `POST ${PATH} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n${rawBody}`;
    expect(readRequest(http)).toEqual({
      method: "POST",
      target: PATH,
      headers: Object.entries(headers),
      body: rawBody,
    });
    expect(readRequest(lines.join("\n")).headers).toEqual(Object.entries(headers));
    expect(readRequest(JSON.stringify(headers)).headers).toEqual(Object.entries(headers));
    const printed = lines.map((line) => `  '${line.replace(": ", "': '")}',`).join("\n");
    expect(readRequest(`{\n${printed}\n}`).headers).toEqual(Object.entries(headers));
  });
});

describe("a callback", () => {
  const webhookKey = Buffer.alloc(32, 7);
  const webhookSecret = `whsec_${webhookKey.toString("base64")}`;
  const signature = (body: string) =>
    `v1,${createHmac("sha256", webhookKey).update(`evt_1.${TIME}.${body}`).digest("base64")}`;
  const headers = [
    ["webhook-id", "evt_1"],
    ["webhook-timestamp", TIME],
    ["webhook-signature", signature(BODY)],
    ["x-access-timestamp", TIME],
    ["x-access-merchant-algorithm", "RSA-SHA256"],
    ["x-access-signature", rsa(sha256(message1()))],
  ] as const;
  const check = (change: object = {}) =>
    checkCallback({ headers, body: BODY, key: webhookSecret, nowMs: NOW_MS, ...change });

  it("is genuine by either signature", async () => {
    for (const key of [webhookSecret, PUBLIC]) {
      const report = await check({ key });
      expect(report.steps.at(-1)).toEqual({
        name: "Signature",
        state: "ok",
        detail: "It fits: the callback is genuine.",
      });
    }
  });

  it("whose body was written again is told so", async () => {
    expect(await faultOf(check({ body: JSON.stringify(parsed, null, 2) }))).toMatch(/without whitespace.*raw bytes/);
  });

  it.each<[string, object, RegExp]>([
    ["another secret", { key: `whsec_${Buffer.alloc(32, 8).toString("base64")}` }, /^Signature: It does not fit/],
    ["another body", { body: BODY.replace("250000", "250001"), key: PUBLIC }, /^Signature: It does not fit/],
    ["a secret for an RSA callback", { key: "some secret" }, /^Key: .*RSA-SHA256.*public key/],
    ["no header", { headers: headers.slice(1) }, /^Headers: .*webhook-id/],
    ["no key", { key: " " }, /^Key: Enter/],
  ])("%s", async (_title, change, expected) => {
    expect(await faultOf(check(change))).toMatch(expected);
  });
});
