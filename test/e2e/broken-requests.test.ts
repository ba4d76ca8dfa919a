import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { credentialsFromSandboxFile, signRequest } from "../../sdk/src/index.ts";
import type { Service } from "../../src/service.ts";
import { useTestDatabase } from "../../src/testing/database/test-database.ts";
import { sendRaw } from "../../src/testing/http/raw-http.ts";
import { useTestService } from "../../src/testing/service/test-service.ts";

/** Requests that are cut off, broken in the middle, or sent where nothing takes them: what is answered and what is logged. */
const database = useTestDatabase();
const service = useTestService(database);
const PATH = "/api/v1/balance/info";
const SOON = { timeout: 60_000, interval: 20 };

/** A worker and an api process in production, reached by https through a proxy. */
let worker: Service;
let production: Service;
beforeAll(async () => {
  worker = await service.startSibling({}, "worker");
  production = await service.startSibling({ TILLGATE_TRUSTED_PROXIES: "127.0.0.1" }, "api");
});

function open(url: string): Socket {
  const { hostname, port } = new URL(url);
  return connect({ port: Number(port), host: hostname, allowHalfOpen: true });
}

/** Writes bytes, and collects what comes back until the other side closes. */
function exchange(bytes: string, { halfClose = false, url = service.url() } = {}): Promise<string> {
  return new Promise((resolve) => {
    let answer = "";
    const socket = open(url);
    socket.on("connect", () => (halfClose ? socket.end(bytes) : socket.write(bytes)));
    socket.on("data", (chunk) => {
      answer += chunk;
    });
    socket.on("end", () => socket.end());
    socket.on("error", () => resolve(answer));
    socket.on("close", () => resolve(answer));
  });
}

function body(): string {
  return JSON.stringify({ general: { project_id: service.sandbox().project_id } });
}

function head(rawBody = body()): string {
  const credentials = credentialsFromSandboxFile(service.sandbox());
  const timestamp = Math.floor(Date.now() / 1000);
  const headers = Object.entries(signRequest({ credentials, path: PATH, rawBody, timestamp, scheme: 2 }));
  return `POST ${PATH} HTTP/1.1\r\nHost: x\r\n${headers.map(([name, value]) => `${name}: ${value}\r\n`).join("")}`;
}

function whole(): string {
  return `${head()}Content-Length: ${body().length}\r\n\r\n${body()}`;
}

function statusesOf(answers: string): string[] {
  return [...answers.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status = ""]) => status);
}

describe("a body that breaks gets its 400", () => {
  it.each([
    ["a chunk whose size is no number", "5\r\nhello\r\nzz\r\n\r\n"],
    ["a chunk that is longer than it says", "2\r\nhello\r\n0\r\n\r\n"],
  ])("%s", async (_name, chunks) => {
    const answer = await exchange(`${head()}Transfer-Encoding: chunked\r\n\r\n${chunks}`);
    expect(statusesOf(answer)).toEqual(["400"]);
    expect(answer).toContain('"code":"malformed_json"');
    expect(answer).toMatch(/x-request-id: [0-9a-f]{32}/);
  });

  it("a body that ends before its length, where the client still listens", async () => {
    const answer = await exchange(`${head()}Content-Length: 1000\r\n\r\n${body()}`, { halfClose: true });
    expect(statusesOf(answer)).toEqual(["400"]);
  });

  it("behind a whole request, each gets its own answer in its turn", async () => {
    const answer = await exchange(`${whole()}${head()}Transfer-Encoding: chunked\r\n\r\nzz\r\n\r\n`);
    expect(statusesOf(answer)).toEqual(["200", "400"]);
  });
});

describe("garbage behind valid requests", () => {
  it("does not keep them from being answered", async () => {
    expect(statusesOf(await exchange(`${whole()}NOT HTTP\r\n\r\n`))).toEqual(["200", "400"]);
    expect(statusesOf(await exchange(`${whole()}${whole()}\0\0\0\0`))).toEqual(["200", "200", "400"]);
  });
});

describe("a client that goes away", () => {
  it.each(["destroy", "resetAndDestroy"] as const)(
    "in the middle of its upload (%s) is not taken for a database that does not answer",
    async (leave) => {
      const linesBefore = service.logLines().length;
      for (let count = 0; count < 20; count += 1) {
        const socket = open(service.url());
        socket.write(`${head()}Content-Length: 1000\r\nExpect: 100-continue\r\n\r\n`);
        // By this answer the service says that it waits for the body.
        await once(socket, "data");
        const closed = once(socket, "close");
        socket[leave]();
        await closed;
      }
      // Answered after all of the above was seen.
      expect((await fetch(`${service.url()}/healthz`)).status).toBe(200);
      const lines = service.logLines().slice(linesBefore).join("");
      expect(lines).not.toMatch(/the database does not answer|"a bug"/);
    },
  );

  it("leaves lines in the log that are JSON, every one", async () => {
    const linesBefore = service.logLines().length;
    for (let count = 0; count < 20; count += 1) {
      const socket = open(service.url());
      await new Promise((resolve) => socket.write("GET /docs HTTP/1.1\r\nHost: x\r\n\r\n", resolve));
      socket.resetAndDestroy();
    }
    const lines = () => service.logLines().slice(linesBefore);
    await vi.waitFor(() => expect(lines().filter((line) => line.includes('"route":"/docs"'))).toHaveLength(20), SOON);
    for (const line of service.logLines()) expect(() => JSON.parse(line)).not.toThrow();
  });
});

it("probes are not in the log at info", async () => {
  const linesBefore = service.logLines().length;
  for (const path of ["/healthz", "/readyz"]) expect((await fetch(service.url() + path)).status).toBe(200);
  open(service.url()).resetAndDestroy();
  await fetch(`${service.url()}/docs`);
  const lines = () => service.logLines().slice(linesBefore).join("");
  await vi.waitFor(() => expect(lines()).toContain('"route":"/docs"'), SOON);
  expect(lines()).not.toMatch(/healthz|readyz|broken request/);
});

describe("paths of the service's own", () => {
  it.each(["/healthz", "/readyz", "/metrics", "/docs", "/docs/openapi.yaml", "/.well-known/tillgate-keys.json"])(
    "%s answers other methods with 405",
    async (path) => {
      for (const method of ["POST", "PUT", "DELETE", "PATCH", "OPTIONS"]) {
        const answer = await sendRaw({ url: service.url() + path, method });
        expect([answer.status, answer.headers.allow]).toEqual([405, "GET, HEAD"]);
        expect(answer.json.code).toBe("method_not_allowed");
      }
    },
  );

  it("paths with a name in them do too, and where nothing is there is nothing", async () => {
    const get = await sendRaw({ url: `${service.url()}/provider/sandbox/notifications`, method: "GET" });
    expect([get.status, get.headers.allow]).toEqual([405, "POST"]);
    const put = await sendRaw({ url: `${service.url()}/pay/${"0".repeat(40)}/state`, method: "PUT" });
    expect([put.status, put.headers.allow]).toEqual([405, "GET, HEAD"]);
    for (const path of ["/pay-assets/none.js", "/nowhere", "/pay/a/b/c"]) {
      expect((await sendRaw({ url: service.url() + path, method: "GET" })).status).toBe(404);
    }
  });

  it("a worker tells a merchant where its calls go", async () => {
    const answer = await sendRaw({ url: worker.localUrl + PATH, body: body() });
    expect([answer.status, answer.json.code]).toEqual([404, "not_found"]);
    expect(answer.json.status_description).toContain("this process is a worker");
    expect(answer.json.status_description).toContain("an api process");
  });

  it("the contract shows the address that merchants reach, for people and for programs", async () => {
    for (const path of ["/docs", "/docs/openapi.yaml"]) {
      const own = await (await fetch(service.url() + path)).text();
      expect(own).toContain(service.url());
      expect(own).not.toContain("127.0.0.1:8080");
      const publicly = await (await fetch(production.localUrl + path)).text();
      expect(publicly).toContain("https://pay.example.com");
      expect(publicly).not.toContain("127.0.0.1");
    }
  });
});

it("every answer of a service that is reached by https asks for https", async () => {
  const url = production.localUrl;
  const requests: [string, string][] = [
    ["GET", "/healthz"],
    ["GET", "/docs"],
    ["GET", "/nowhere"],
    ["GET", "/api/v1/%zz"],
    ["POST", "/docs"],
    ["POST", PATH],
    ["GET", "/pay/unknown"],
  ];
  for (const [method, path] of requests) {
    const { headers } = await sendRaw({ url: url + path, method });
    expect([path, headers["strict-transport-security"]]).toEqual([path, "max-age=31536000; includeSubDomains"]);
  }
  expect(await exchange("NOT HTTP\r\n\r\n", { url })).toContain("strict-transport-security: max-age=31536000");
  expect((await fetch(`${service.url()}/docs`)).headers.get("strict-transport-security")).toBeNull();
});
