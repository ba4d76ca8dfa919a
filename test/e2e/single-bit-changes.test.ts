import { Agent, request } from "node:http";
import fc from "fast-check";
import { afterAll, expect, it } from "vitest";
import { credentialsFromSandboxFile, signRequest } from "../../sdk/src/index.ts";
import { useTestDatabase } from "../../src/testing/database/test-database.ts";
import { sizeOf } from "../../src/testing/run/run-form.ts";
import { useTestService } from "../../src/testing/service/test-service.ts";

const service = useTestService(useTestDatabase(), { TILLGATE_LOG_LEVEL: "silent" });
const PATH = "/api/v1/balance/info";
const CHANGES_PER_COMBINATION = sizeOf({ short: 100, long: 2_500 });
const AT_ONCE = 50;

const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
afterAll(() => agent.destroy());

type Signed = {
  readonly body: Buffer;
  readonly timestamp: Buffer;
  readonly signature: Buffer;
  readonly rest: Record<string, string>;
};
type Target = "body" | "timestamp" | "signature";

function signed(kind: "rsa" | "hmac", scheme: 1 | 2): Signed {
  const body = Buffer.from(JSON.stringify({ general: { project_id: service.sandbox().project_id } }));
  const credentials = credentialsFromSandboxFile(service.sandbox(), kind);
  const headers = signRequest({
    credentials,
    path: PATH,
    rawBody: body,
    timestamp: Math.floor(Date.now() / 1000),
    scheme,
  });
  const { "x-access-timestamp": timestamp, "x-access-signature": signature, ...rest } = headers;
  return { body, timestamp: Buffer.from(timestamp), signature: Buffer.from(signature), rest };
}

function send({ body, timestamp, signature, rest }: Signed): Promise<number> {
  const headers = {
    ...rest,
    "x-access-timestamp": timestamp.toString("latin1"),
    "x-access-signature": signature.toString("latin1"),
    "content-length": String(body.length),
  };
  return new Promise((resolve, reject) => {
    const sending = request(service.url() + PATH, { method: "POST", agent, headers }, (answer) => {
      answer.resume();
      answer.on("end", () => resolve(answer.statusCode ?? 0));
    });
    sending.on("error", reject);
    sending.end(body);
  });
}

function flip(bytes: Buffer, bit: number): Buffer {
  const changed = Buffer.from(bytes);
  const index = bit >> 3;
  changed[index] = (changed[index] ?? 0) ^ (1 << (bit & 7));
  return changed;
}

/** Node's client will not send a header with a control character; such a change never leaves the attacker's machine. */
function isSendable(target: Target, bytes: Buffer): boolean {
  return target === "body" || !/[^\t\x20-\x7e\x80-\xff]/.test(bytes.toString("latin1"));
}

it.each([
  ["rsa", 1],
  ["rsa", 2],
  ["hmac", 1],
  ["hmac", 2],
] as const)("%s with scheme %i: every change of a single bit is refused", async (kind, scheme) => {
  const good = signed(kind, scheme);
  expect(await send(good)).toBe(200);
  const change = fc
    .record({ target: fc.constantFrom<Target>("body", "timestamp", "signature"), position: fc.nat() })
    .map(({ target, position }) => ({ target, bytes: flip(good[target], position % (good[target].length * 8)) }))
    .filter(({ target, bytes }) => isSendable(target, bytes));
  const changes = fc.sample(change, CHANGES_PER_COMBINATION);
  for (let from = 0; from < changes.length; from += AT_ONCE) {
    const batch = changes.slice(from, from + AT_ONCE);
    const statuses = await Promise.all(batch.map(({ target, bytes }) => send({ ...good, [target]: bytes })));
    for (const [index, status] of statuses.entries()) {
      const { target, bytes } = batch[index] ?? {};
      expect([400, 401, 403], `${target} ${bytes?.toString("latin1")}`).toContain(status);
    }
  }
  expect(await send(good)).toBe(200);
});
