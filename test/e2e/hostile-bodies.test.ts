import { createSecretKey } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { makeSignature, signedMessage } from "../../src/platform/signing.ts";
import { useTestDatabase } from "../../src/testing/database/test-database.ts";
import { type RawAnswer, sendRaw } from "../../src/testing/http/raw-http.ts";
import { useTestService } from "../../src/testing/service/test-service.ts";

/** What a stranger can make the service do with one request: the work is bounded by the bytes that were sent. */
const database = useTestDatabase();
const service = useTestService(database);
const PATH = "/api/v1/balance/info";

const BODY_BYTES_MAX = 64 * 1024;
/** One such body used to take 4.7 to 13 seconds of a processor. Time on the clock would say how busy the machine is. */
const THREE_BODIES_CPU_MAX_MS = 3_000;
/** It also used to take 2.4 GB. */
const MEMORY_GROWTH_MAX_BYTES = 400 * 1024 * 1024;
/** Rendering it took about a second of a processor; sending what is there takes a few. */
const CONTRACT_PAGE_CPU_MAX_MS = 200;
const STRANGERS_ANSWER_BYTES_MAX = 32_000;
/** A hundred faults, each with eight names of 64 characters, a code and a sentence. */
const KNOWN_CALLERS_ANSWER_BYTES_MAX = 100_000;

/** Repeats the unit until the body is as large as a body may be. */
function filled(head: string, unit: (index: number) => string, tail: string): string {
  const units: string[] = [];
  let left = BODY_BYTES_MAX - Buffer.byteLength(head + tail);
  for (let index = 0; ; index += 1) {
    const next = (index === 0 ? "" : ",") + unit(index);
    left -= Buffer.byteLength(next);
    if (left < 0) return head + units.join("") + tail;
    units.push(next);
  }
}

const LONG = "a".repeat(32_000);
/** The deepest object that is read, under the longest names that are. */
const deepHead = `{"${"n".repeat(64)}":`.repeat(7);
const deepTail = "}".repeat(7);

const HOSTILE: [string, string][] = [
  ["a long name over an array", filled(`{"${LONG}":[`, () => "1", "]}")],
  ["a long name over an object", filled(`{"${LONG}":{`, (index) => `"${index.toString(36)}":1`, "}}")],
  [
    "names of 64 characters, eight deep",
    filled(`${deepHead}{`, (index) => `"${index.toString(36)}":1`, `}${deepTail}`),
  ],
  ["arrays in arrays", filled(`[[[[[[[`, () => "[1,1]", "]]]]]]]")],
  ["an array of empty objects", filled(`{"general":[`, () => "{}", "]}")],
  ["nothing but null", filled("{", (index) => `"${index.toString(36)}":null`, "}")],
  ["numbers that are no integers", filled("{", (index) => `"${index.toString(36)}":-0`, "}")],
  ["names that are numbers", filled("{", (index) => `"${index * 7_919}":1`, "}")],
  ["names that differ at their end", filled("{", (index) => `"${"x".repeat(40)}${index.toString(36)}":1`, "}")],
  ["the same long name twice", `{"${"4".repeat(30_000)}":1,"${"4".repeat(30_000)}":1}`],
  ["strings that hold ;card:", filled("{", (index) => `"${index.toString(36)}":";card:"`, "}")],
  ["one string of semicolons", `{"general":"${";".repeat(65_000)}"}`],
  ["one string of escapes", `{"general":"${"\\u003b".repeat(10_000)}"}`],
  ["one number of 65,000 digits", `{"general":${"9".repeat(65_000)}}`],
  ["nothing but brackets", "[".repeat(65_000)],
  ["nothing but blanks", " ".repeat(BODY_BYTES_MAX)],
  ["a string without an end", `{"general":"${"\\\\".repeat(32_000)}`],
];

const ALGORITHMS = ["RSA-SHA256", "HMAC-SHA512", "RSA-SHA256-V2"] as const;

/** Headers that are taken for a merchant's until the signature is looked at. */
function strangersHeaders(algorithm: string): [string, string][] {
  return [
    ["content-type", "application/json"],
    ["x-access-timestamp", String(Math.floor(Date.now() / 1000))],
    ["x-access-merchant-id", "0".repeat(32)],
    ["x-access-token", `ak_${"0".repeat(32)}`],
    ["x-access-signature", "A".repeat(342)],
    ["x-access-merchant-algorithm", algorithm],
  ];
}

async function costOf(work: () => Promise<void>): Promise<{ cpuMs: number; grownBytes: number }> {
  const rssBefore = process.memoryUsage().rss;
  const cpuBefore = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(cpuBefore);
  return { cpuMs: (user + system) / 1000, grownBytes: process.memoryUsage().rss - rssBefore };
}

beforeAll(async () => {
  // The first request of a process compiles what the others use.
  await sendRaw({ url: service.url() + PATH, headers: strangersHeaders("RSA-SHA256"), body: "{}" });
});

it("the first look at the contract does not block the process: its page was rendered when the program was built", async () => {
  const before = process.cpuUsage();
  const answer = await sendRaw({ url: `${service.url()}/docs`, method: "GET" });
  const { user, system } = process.cpuUsage(before);
  expect(answer.status).toBe(200);
  expect((user + system) / 1000).toBeLessThan(CONTRACT_PAGE_CPU_MAX_MS);
});

describe("64 kB without a valid signature", () => {
  it.each(HOSTILE)("%s", async (_name, body) => {
    expect(Buffer.byteLength(body)).toBeLessThanOrEqual(BODY_BYTES_MAX);
    const { cpuMs, grownBytes } = await costOf(async () => {
      for (const algorithm of ALGORITHMS) {
        const answer = await sendRaw({ url: service.url() + PATH, headers: strangersHeaders(algorithm), body });
        expect([400, 401]).toContain(answer.status);
        expect(answer.text.length).toBeLessThan(STRANGERS_ANSWER_BYTES_MAX);
      }
    });
    expect(cpuMs).toBeLessThan(THREE_BODIES_CPU_MAX_MS);
    expect(grownBytes).toBeLessThan(MEMORY_GROWTH_MAX_BYTES);
  });
});

describe("64 kB with a valid signature", () => {
  function sendSigned(body: string, scheme: 1 | 2): Promise<RawAnswer> {
    const { merchant_id, hmac_key_id, hmac_secret } = service.sandbox();
    const algorithm = scheme === 1 ? "HMAC-SHA512" : "HMAC-SHA512-V2";
    const timestamp = String(Math.floor(Date.now() / 1000));
    const parts = { method: "POST", path: PATH, timestamp, rawBody: Buffer.from(body), body: JSON.parse(body) };
    const headers: [string, string][] = [
      ["content-type", "application/json"],
      ["x-access-timestamp", timestamp],
      ["x-access-merchant-id", merchant_id],
      ["x-access-token", hmac_key_id],
      [
        "x-access-signature",
        makeSignature(algorithm, createSecretKey(hmac_secret, "utf8"), signedMessage(scheme, parts)),
      ],
      ["x-access-merchant-algorithm", algorithm],
    ];
    return sendRaw({ url: service.url() + PATH, headers, body });
  }
  const general = () => `"general":{"project_id":"${service.sandbox().project_id}"}`;

  it("strings that hold ;card: under a name of 20,000 characters", async () => {
    const body = filled(`{${general()},"${"a".repeat(20_000)}":{`, (index) => `"${index.toString(36)}":";card:"`, "}}");
    const answer = await sendSigned(body, 1);
    expect(answer.status).toBe(400);
    expect(answer.text.length).toBeLessThan(KNOWN_CALLERS_ANSWER_BYTES_MAX);
  });

  it("strings that hold ;card: under short names: at most a hundred are listed", async () => {
    const body = filled(`{${general()},"x":{`, (index) => `"${index.toString(36)}":";card:"`, "}}");
    const answer = await sendSigned(body, 1);
    expect([answer.status, answer.json.code]).toEqual([400, "validation_failed"]);
    expect((answer.json.errors as unknown[]).length).toBeLessThanOrEqual(100);
    expect(answer.text.length).toBeLessThan(KNOWN_CALLERS_ANSWER_BYTES_MAX);
  });

  it("a body that scheme 1 would make too long is refused with a reason", async () => {
    const wide = `${deepHead.slice(1)}{`;
    const body = filled(`{${general()},${wide}`, (index) => `"${index.toString(36)}":1`, `}${deepTail}`);
    const answer = await sendSigned(body, 1);
    expect([answer.status, answer.json.code]).toEqual([400, "malformed_json"]);
    expect(answer.json.status_description).toContain("scheme 1");
    expect((await sendSigned(body, 2)).json.code).toBe("validation_failed");
  });
});

describe("what no body of the contract has", () => {
  const send = (body: string) => sendRaw({ url: service.url() + PATH, headers: strangersHeaders("RSA-SHA256"), body });

  it("arrays are refused before the signature, each named", async () => {
    const answer = await send('{"general":{"project_id":["x"]},"list":[]}');
    expect([answer.status, answer.json.code]).toEqual([400, "validation_failed"]);
    expect(answer.json.errors).toEqual([
      { field: "general.project_id", code: "wrong_type", message: "must not be an array" },
      { field: "list", code: "wrong_type", message: "must not be an array" },
    ]);
  });

  it("a name of 65 characters is refused before the signature, one of 64 is not", async () => {
    expect((await send(`{"${"é".repeat(65)}":1}`)).json.code).toBe("malformed_json");
    expect((await send(`{"${"é".repeat(64)}":1}`)).json.code).toBe("signature_invalid");
  });
});
