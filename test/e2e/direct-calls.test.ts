import { connect } from "node:net";
import { expect, it } from "vitest";
import { credentialsFromSandboxFile, signRequest } from "../../sdk/src/index.ts";
import { useTestDatabase } from "../../src/testing/database/test-database.ts";
import { useTestService } from "../../src/testing/service/test-service.ts";

/** An ordinary request is answered without the framework, one in chunks through it: the merchant must not see which. */
const service = useTestService(useTestDatabase(), { TILLGATE_AUTH_FAILURES_BURST: "1000" });
const BALANCE = "/api/v1/balance/info";
const PAYIN = "/api/v1/payment/p2p/payin";

function exchange(bytes: string): Promise<string> {
  const { hostname, port } = new URL(service.url());
  return new Promise((resolve, reject) => {
    let answer = "";
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    socket.on("data", (chunk) => {
      answer += chunk;
    });
    socket.on("error", reject);
    socket.on("close", () => resolve(answer));
  });
}

type Change = { readonly path?: string; readonly body?: object; readonly headers?: Readonly<Record<string, string>> };

/** Both ways, without what differs from request to request. */
async function bothWays({ path = BALANCE, body, headers }: Change): Promise<string[]> {
  const general = { project_id: service.sandbox().project_id };
  const rawBody = JSON.stringify(body ?? { general });
  const credentials = credentialsFromSandboxFile(service.sandbox());
  const timestamp = Math.floor(Date.now() / 1000);
  const signed = { ...signRequest({ credentials, path, rawBody, timestamp, scheme: 2 }), ...headers };
  const lines = Object.entries({ host: "x", connection: "close", ...signed }).map(
    ([name, value]) => `${name}: ${value}`,
  );
  const head = `POST ${path} HTTP/1.1\r\n${lines.join("\r\n")}\r\n`;
  const ways = [
    `content-length: ${Buffer.byteLength(rawBody)}\r\n\r\n${rawBody}`,
    `transfer-encoding: chunked\r\n\r\n${Buffer.byteLength(rawBody).toString(16)}\r\n${rawBody}\r\n0\r\n\r\n`,
  ];
  const answers: string[] = [];
  for (const way of ways) answers.push(await exchange(head + way));
  return answers.map((answer) => answer.replace(/^(x-request-id|date): .*\r\n/gim, ""));
}

const payinOf = (change: object = {}) => ({
  general: { project_id: service.sandbox().project_id, payment_id: "order-1" },
  payment: { method: "card-p2p", amount: 250_000, currency: "RUB", ...change },
  customer: { id: "c1", ip_address: "192.0.2.1" },
});

it.each<[string, number, () => Change]>([
  ["a balance", 200, () => ({})],
  ["a wrong signature", 401, () => ({ headers: { "x-access-signature": "AAAA" } })],
  ["a wrong type of body", 415, () => ({ headers: { "content-type": "text/plain" } })],
  ["a body that does not fit", 400, () => ({ path: PAYIN, body: payinOf({ amount: "much" }) })],
  ["a create that a rule refuses", 403, () => ({ path: PAYIN, body: payinOf({ currency: "EUR" }) })],
])("%s: %i, the same both ways", async (_, status, change) => {
  const [direct = "", framed] = await bothWays(change());
  expect(direct).toContain(`HTTP/1.1 ${status} `);
  expect(direct).toBe(framed);
});

it("a create, and its repeat by the other way", async () => {
  const [direct = "", framed = ""] = await bothWays({ path: PAYIN, body: payinOf() });
  expect(direct).toContain("HTTP/1.1 200 ");
  expect(direct).not.toContain("idempotent-replayed");
  expect(framed).toContain("idempotent-replayed: true\r\n");
  const idOf = (answer: string) => /"request_id":"([0-9a-f]{32})"/.exec(answer)?.[1];
  expect([idOf(direct), idOf(framed)]).toEqual([idOf(direct), idOf(direct)]);
});

it("both are logged alike, with their project", async () => {
  const before = service.logLines().length;
  await bothWays({});
  const own = () =>
    service
      .logLines()
      .slice(before)
      .map((line) => JSON.parse(line))
      .filter(({ route }) => route === BALANCE)
      .map(({ request_id, time, ms, ...line }) => [typeof request_id, typeof time, typeof ms, line]);
  await expect.poll(own).toHaveLength(2);
  const [direct, framed] = own();
  expect(direct).toEqual(framed);
  expect(direct?.[3]).toMatchObject({ method: "POST", status: 200, project_id: service.sandbox().project_id });
});
