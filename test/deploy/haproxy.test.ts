import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { createTillgate, credentialsFromSandboxFile } from "../../sdk/src/index.ts";
import { configureProject } from "../../src/app/merchants/merchants.ts";
import type { Id } from "../../src/core/ids.ts";
import type { Service } from "../../src/service.ts";
import { useTestDatabase } from "../../src/testing/database/test-database.ts";
import { settled, startForTest, useTestService } from "../../src/testing/service/test-service.ts";
import { useRunningProxy } from "./running-proxy.ts";
import { isThere } from "./tools.ts";

/** deploy/haproxy/tillgate.cfg in the real HAProxy. */
const isMissing = !isThere("haproxy", "deploy/haproxy/tillgate.cfg");

describe.skipIf(isMissing)("HAProxy in front of two APIs", () => {
  const database = useTestDatabase();
  // Development mode makes the merchant and his keys; its own port is not behind the proxy.
  const service = useTestService(database);
  const apis: Service[] = [];
  const startApi = (port = "0") => {
    const env = {
      ...{ TILLGATE_MODE: "production", HOST: "127.0.0.1", PORT: port, TILLGATE_PUBLIC_URL: "https://pay.example.com" },
      ...{ TILLGATE_MASTER_KEY: readFileSync(join(service.stateDir, "master.key"), "utf8").trim() },
      ...{ TILLGATE_TRUSTED_PROXIES: "127.0.0.1", TILLGATE_METRICS_ALLOW: "0.0.0.0/0" },
      TILLGATE_SANDBOX_DATABASE_URL: database.sandboxUrl,
    };
    return startForTest(database.url, env, { role: "api" });
  };

  beforeAll(async () => {
    apis.push(await startApi(), await startApi());
  });
  afterAll(async () => {
    await Promise.all(apis.splice(0).map(({ stop }) => stop()));
  });
  const hostOf = (at: number) => new URL(apis[at]?.localUrl ?? "").host;
  const proxy = useRunningProxy(() => [hostOf(0), hostOf(1)]);
  const clientFrom = (fetch: typeof globalThis.fetch) =>
    createTillgate({
      baseUrl: proxy.url(),
      credentials: credentialsFromSandboxFile(service.sandbox()),
      retriesMax: 0,
      fetch,
    });

  const world = proxy.fetchFrom();
  beforeAll(async () => {
    await vi.waitFor(async () => expect((await world(`${proxy.url()}/docs`)).status).toBe(200), { timeout: 30_000 });
  });

  it("carries a signed call to the service", async () => {
    const { balance } = await clientFrom(world).balance.info();
    expect(balance).toHaveLength(8);
  });

  it.each(["/metrics", "/readyz", "/healthz", "/%6detrics", "/metrics?x=1", "/%72eadyz"])("hides %s", async (path) => {
    expect((await fetch(apis[0]?.localUrl + path)).status).toBe(200);
    const answer = await world(proxy.url() + path);
    expect(answer.status).toBe(404);
    expect(await answer.json()).toMatchObject({ status: "error", code: "not_found" });
  });

  it("leads browsers to https, and refuses a call that came without it", async () => {
    const page = await fetch(`${proxy.urlWithoutTls()}/docs?a=b`, { redirect: "manual" });
    const sameHost = proxy.urlWithoutTls().replace("http:", "https:");
    expect([page.status, page.headers.get("location")]).toEqual([301, `${sameHost}/docs?a=b`]);
    const call = await fetch(`${proxy.urlWithoutTls()}/api/v1/balance/info`, { method: "POST", body: "{}" });
    expect([call.status, await call.json()]).toEqual([404, expect.objectContaining({ status: "error" })]);
  });

  it("tells the service who calls, whatever the caller claims", async () => {
    const projectId = service.sandbox().project_id as Id;
    await configureProject(database.db, projectId, { settings: { allowedIps: ["127.0.0.5"] } });
    for (const { localUrl } of apis) await settled(database, localUrl);
    try {
      const claiming =
        (fetch: typeof globalThis.fetch): typeof globalThis.fetch =>
        (url, init) => {
          const headers = new Headers(init?.headers);
          headers.set("x-forwarded-for", "127.0.0.5");
          headers.set("forwarded", "for=127.0.0.5");
          return fetch(url, { ...init, headers });
        };
      await expect(clientFrom(claiming(proxy.fetchFrom("127.0.0.6"))).balance.info()).rejects.toMatchObject({
        code: "ip_not_allowed",
      });
      expect((await clientFrom(proxy.fetchFrom("127.0.0.5")).balance.info()).balance).toHaveLength(8);
    } finally {
      await configureProject(database.db, projectId, { settings: { allowedIps: [] } });
      for (const { localUrl } of apis) await settled(database, localUrl);
    }
  });

  it("loses no call while each API is stopped and started again", { timeout: 180_000 }, async () => {
    const client = clientFrom(world);
    const failures: string[] = [];
    let made = 0;
    let over = false;
    const keepCalling = async () => {
      while (!over) {
        made += 1;
        await client.balance.info().catch((error) => failures.push(error.message));
        await sleep(20);
      }
    };
    const callers = [keepCalling(), keepCalling(), keepCalling()];
    for (const at of [0, 1]) {
      const port = new URL(apis[at]?.localUrl ?? "").port;
      await apis[at]?.stop();
      const started = await startApi(port);
      apis[at] = started;
      await vi.waitFor(async () => expect(await callsOf(started)).toBeGreaterThan(0), { timeout: 60_000 });
    }
    over = true;
    await Promise.all(callers);
    expect(failures).toEqual([]);
    expect(made).toBeGreaterThan(50);
  });

  it("answers 503 with Retry-After, as the service would, when no API is left", async () => {
    await Promise.all(apis.splice(0).map(({ stop }) => stop()));
    const answer = await world(`${proxy.url()}/api/v1/balance/info`, { method: "POST", body: "{}" });
    expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "1"]);
    const { code, status } = JSON.parse(await answer.text());
    expect({ code, status }).toEqual({ code: "unavailable", status: "error" });
    await expect(clientFrom(world).balance.info()).rejects.toMatchObject({ code: "unavailable" });
  });
});

describe.skipIf(isMissing)("HAProxy in front of servers that lose answers", () => {
  const taken: string[] = [];
  const openServer = () =>
    createServer((request, response) => {
      if (request.url === "/readyz") return response.end();
      request.on("data", (body) => taken.push(String(body))).on("end", () => request.socket.destroy());
    });
  const servers = [openServer(), openServer()] as const;
  beforeAll(async () => {
    for (const server of servers) await once(server.listen(0, "127.0.0.1"), "listening");
  });
  afterAll(() => {
    for (const server of servers) server.close().closeAllConnections();
  });
  const hostOf = (server: Server) => `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const proxy = useRunningProxy(() => [hostOf(servers[0]), hostOf(servers[1])]);
  const world = proxy.fetchFrom();

  it("never sends a call a second time: the caller is told that the outcome is unknown", async () => {
    const answer = await vi.waitFor(
      async () => {
        const given = await world(`${proxy.url()}/api/v1/payment/p2p/payout`, { method: "POST", body: "once" });
        // Until its checks have answered, HAProxy has no server to send to.
        expect(given.status).not.toBe(503);
        return given;
      },
      { timeout: 30_000, interval: 100 },
    );
    expect([answer.status, answer.headers.get("retry-after")]).toEqual([502, "1"]);
    expect(await answer.json()).toMatchObject({ status: "error", code: "unavailable" });
    expect(taken).toEqual(["once"]);
  });
});

/** How many calls for a balance a process has answered. */
async function callsOf({ localUrl }: Service): Promise<number> {
  const metrics = await (await fetch(`${localUrl}/metrics`)).text();
  return Number(
    /^tillgate_http_requests_total\{route="[^"]*balance\/info",status="200"\} (\d+)$/m.exec(metrics)?.[1] ?? 0,
  );
}
