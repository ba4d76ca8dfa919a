import { connect } from "node:net";
import { describe, expect, it, vi } from "vitest";
import { createTillgate, credentialsFromSandboxFile, signRequest } from "../../sdk/src/index.ts";
import { createMerchant } from "../../src/app/merchants/merchants.ts";
import { useTestDatabase } from "../../src/testing/database/test-database.ts";
import { type RawAnswer, sendRaw } from "../../src/testing/http/raw-http.ts";
import { useTestService } from "../../src/testing/service/test-service.ts";

/** What an attack on the service, or trouble around it, has shown to matter. */
const database = useTestDatabase();
const { db } = database;
const service = useTestService(database);
const PATH = "/api/v1/balance/info";

function project(): string {
  return `"project_id":"${service.sandbox().project_id}"`;
}

function signed(body: string, scheme: 1 | 2 = 2): [string, string][] {
  const credentials = credentialsFromSandboxFile(service.sandbox());
  return Object.entries(
    signRequest({ credentials, path: PATH, rawBody: body, timestamp: Math.floor(Date.now() / 1000), scheme }),
  );
}

function send(body: string, headers = signed(body), path = PATH, method = "POST"): Promise<RawAnswer> {
  return sendRaw({ url: service.url() + path, method, headers, body });
}

function client() {
  return createTillgate({
    baseUrl: service.url(),
    credentials: credentialsFromSandboxFile(service.sandbox()),
    retriesMax: 0,
    timeoutMs: 30_000,
  });
}

/** Writes bytes on a socket of its own and collects what comes back until the other side closes. */
function exchange(bytes: string): Promise<string> {
  const { hostname, port } = new URL(service.url());
  return new Promise((resolve) => {
    let answer = "";
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    socket.on("data", (chunk) => {
      answer += chunk;
    });
    socket.on("error", () => resolve(answer));
    socket.on("close", () => resolve(answer));
  });
}

describe("bodies made to confuse", () => {
  it.each([1, 7, 8, 9, 100, 1_000])("%i unknown members are refused, at the top and below", async (count) => {
    const junk = Array.from({ length: count }, (_, index) => `"m${index}":${index}`).join(",");
    for (const body of [`{"general":{${project()}},${junk}}`, `{"general":{${project()},${junk}}}`]) {
      const answer = await send(body);
      expect([answer.status, answer.json.code]).toEqual([400, "validation_failed"]);
      expect((answer.json.errors as unknown[]).length).toBe(Math.min(count, 100));
    }
  });

  it("unknown members never hide another wrong one from being refused", async () => {
    const junk = Array.from({ length: 50 }, (_, index) => `"m${index}":1`).join(",");
    expect((await send(`{"general":{"project_id":5,${junk}}}`)).status).toBe(400);
  });

  it("a stranger's body full of bad numbers gets a small answer", async () => {
    const body = `{"${"a".repeat(32_000)}":[${Array.from({ length: 11_000 }, () => "-0").join(",")}]}`;
    const dummy = signed('{"general":{}}');
    const answer = await send(body, dummy);
    expect(answer.status).toBe(400);
    expect(answer.text.length).toBeLessThan(16_000);
  });

  it("thousands of members cannot make the check of scheme 1 slow for others", async () => {
    const members = Array.from({ length: 5_000 }, (_, index) => `"k${index}":";"`).join(",");
    const body = `{"general":{${project()}},${members}}`;
    expect((await send(body, signed(body, 1))).status).toBe(400);
  });
});

describe("requests made to confuse", () => {
  it("another spelling of the path, or a query, is another path", async () => {
    const body = `{"general":{${project()}}}`;
    for (const path of ["/api/v1/b%61lance/info", `${PATH}?x=1`]) {
      expect([(await send(body, signed(body), path)).status, path]).toEqual([404, path]);
    }
  });

  it("where nothing is, the size of the body does not matter", async () => {
    const large = " ".repeat(200_000);
    expect((await send(large, [], "/nowhere")).status).toBe(404);
    expect((await send(large, [], PATH, "PUT")).status).toBe(405);
  });

  it("an unusual method is no bug of ours", async () => {
    const answer = await exchange(
      `QUERY ${PATH} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 4\d\d /);
    expect(answer).toMatch(/x-request-id: [0-9a-f]{32}/);
  });

  it("garbage behind a request is never answered in its place", async () => {
    const body = `{"general":{${project()}}}`;
    const head = signed(body)
      .map(([name, value]) => `${name}: ${value}\r\n`)
      .join("");
    const answer = await exchange(
      `POST ${PATH} HTTP/1.1\r\nHost: x\r\n${head}Content-Length: ${body.length}\r\n\r\n${body}NOT HTTP\r\n\r\n`,
    );
    expect(answer === "" || answer.startsWith("HTTP/1.1 200 ")).toBe(true);
  });

  it("what is not HTTP gets an answer in our form", async () => {
    const answer = await exchange("NOT HTTP\r\n\r\n");
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toContain('"status":"error"');
  });

  it("many wrong ones at once cannot slip past the limit of failures", async () => {
    const sibling = await service.startSibling({
      TILLGATE_AUTH_FAILURES_BURST: "10",
      TILLGATE_AUTH_FAILURES_PER_SECOND: "1",
    });
    const body = `{"general":{${project()}}}`;
    const wrong = signed(body).map(
      ([name, value]) => [name, name === "x-access-merchant-id" ? "0".repeat(32) : value] as [string, string],
    );
    const answers = await Promise.all(
      Array.from({ length: 100 }, () => sendRaw({ url: sibling.localUrl + PATH, headers: wrong, body })),
    );
    const refused = answers.filter(({ status }) => status === 401);
    expect(refused.length).toBeGreaterThanOrEqual(10);
    expect(refused.length).toBeLessThan(20);
    expect(answers.filter(({ status }) => status === 429).length).toBe(100 - refused.length);
  });
});

it("callers who are known at an address are not locked out by failures of others there", async () => {
  const sibling = await service.startSibling({
    TILLGATE_AUTH_FAILURES_BURST: "10",
    TILLGATE_AUTH_FAILURES_PER_SECOND: "1",
  });
  const url = sibling.localUrl + PATH;
  const body = `{"general":{${project()}}}`;
  const statusOf = async (headers: [string, string][]) => (await sendRaw({ url, headers, body })).status;
  expect(await statusOf(signed(body))).toBe(200);
  const wrong = signed(body).map(
    ([name, value]) => [name, name === "x-access-signature" ? "A".repeat(342) : value] as [string, string],
  );
  for (let count = 0; count < 100; count += 1) expect(await statusOf(wrong)).toBe(401);
  expect(await statusOf(signed(body))).toBe(200);
});

describe("trouble with the database", () => {
  async function backends(): Promise<number[]> {
    const rows = await db.run<{ pid: number }>({
      text: "select pid from pg_stat_activity where datname = current_database() and application_name = 'tillgate service'",
    });
    return rows.map(({ pid }) => pid);
  }

  it("every connection ended at once, also inside a transaction: the service lives and recovers", async () => {
    for (let round = 0; round < 20; round += 1) {
      const changing = createMerchant(db, `round ${round}`);
      await db.run({
        text: "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = 'tillgate service'",
      });
      await changing;
    }
    await vi.waitFor(async () => expect((await client().balance.info()).balance).toHaveLength(8), {
      timeout: 60_000,
      interval: 100,
    });
    expect(service.logLines().join("\n")).not.toContain('"a bug"');
  });

  it("connections that fall silent are given up: 503, and then it recovers", { timeout: 180_000 }, async () => {
    await client().balance.info();
    const stopped = new Set<number>();
    const stopAll = async () => {
      for (const pid of await backends()) {
        process.kill(pid, "SIGSTOP");
        stopped.add(pid);
      }
    };
    try {
      // Others of the process may open a connection between the stop and the question: then that one is stopped too.
      await vi.waitFor(
        async () => {
          await stopAll();
          await expect(client().balance.info()).rejects.toMatchObject({ httpStatus: 503, code: "unavailable" });
        },
        { timeout: 90_000, interval: 0 },
      );
      expect(stopped.size).toBeGreaterThan(0);
      await vi.waitFor(async () => expect((await client().balance.info()).balance).toHaveLength(8), {
        timeout: 60_000,
        interval: 200,
      });
    } finally {
      for (const pid of stopped) process.kill(pid, "SIGCONT");
    }
  });

  it("one damaged project does not stop the others", async () => {
    const [victim] = await db.run<{ id: string }>({
      text: `insert into projects (id, merchant_id, name, book, allowed_ips)
             select gen_random_uuid(), merchant_id, 'damaged', 'test', '{nonsense}' from projects limit 1 returning id`,
    });
    await service.settled();
    expect((await client().balance.info()).balance).toHaveLength(8);
    expect(service.logLines().join("\n")).toContain(`"project_id":"${victim?.id}"`);
  });
});
