import { afterEach, expect, it, vi } from "vitest";
import { makeAuthority, type TestCertificate } from "../../testing/http/certificates.ts";
import { type LoopbackServer, OK_EMPTY, openLoopbackServer } from "../../testing/http/loopback-server.ts";
import { recordDials } from "../../testing/http/recording-dial.ts";
import { type EgressOptions, openEgress } from "./egress.ts";

const authority = makeAuthority();
const opened: { close: () => Promise<void> }[] = [];

afterEach(async () => {
  vi.unstubAllEnvs();
  for (const each of opened.splice(0).reverse()) await each.close();
});

async function sendTo(url: string, certificate: TestCertificate | undefined, options: Partial<EgressOptions> = {}) {
  const server: LoopbackServer = await openLoopbackServer(({ socket }) => socket.write(OK_EMPTY), certificate);
  const egress = openEgress({
    mode: "production",
    ca: [authority.cert],
    resolve: async () => ["8.8.8.8"],
    dial: recordDials(server.port).dial,
    ...options,
  });
  opened.push(server, egress);
  const answer = await egress.send({ method: "POST", url, headers: {}, body: "{}" });
  return { answer, server };
}

const TLS_FAULT = { kind: "failed", reason: "tls" };

it("takes a certificate for the name from an authority that is trusted", async () => {
  const { answer, server } = await sendTo("https://shop.example/", authority.issue("shop.example"));
  expect(answer).toMatchObject({ kind: "answered", status: 200 });
  expect(server.requests).toHaveLength(1);
});

it.each([
  ["for another name", "https://shop.example/", () => authority.issue("other.example")],
  ["for the address but not the name", "https://shop.example/", () => authority.issue("8.8.8.8")],
  ["for a name but not the address", "https://8.8.8.8/", () => authority.issue("shop.example")],
  ["of a stranger", "https://shop.example/", () => makeAuthority().issue("shop.example")],
])("refuses a certificate %s, and sends nothing", async (_what, url, certificate) => {
  const { answer, server } = await sendTo(url, certificate());
  expect(answer).toMatchObject(TLS_FAULT);
  expect(server.requests).toHaveLength(0);
});

it("refuses a stranger's certificate even when the environment says to take any", async () => {
  vi.stubEnv("NODE_TLS_REJECT_UNAUTHORIZED", "0");
  const { answer, server } = await sendTo("https://shop.example/", makeAuthority().issue("shop.example"));
  expect(answer).toMatchObject(TLS_FAULT);
  expect(server.requests).toHaveLength(0);
});

it("trusts only the usual authorities when none is given", async () => {
  const server = await openLoopbackServer(() => {}, authority.issue("shop.example"));
  const { dial } = recordDials(server.port);
  const egress = openEgress({ mode: "production", resolve: async () => ["8.8.8.8"], dial });
  opened.push(server, egress);
  const answer = await egress.send({ method: "POST", url: "https://shop.example/", headers: {}, body: "" });
  expect(answer).toMatchObject(TLS_FAULT);
});

it("does not fall back to plain text", async () => {
  const server = await openLoopbackServer(() => {});
  const { dial } = recordDials(server.port);
  const egress = openEgress({
    mode: "production",
    resolve: async () => ["8.8.8.8"],
    dial,
    limits: { connectTimeoutMs: 100 },
  });
  opened.push(server, egress);
  const answer = await egress.send({ method: "POST", url: "https://shop.example/", headers: {}, body: "" });
  // The server waits for the head of a request, and gets the greeting of TLS.
  expect(answer).toMatchObject({ kind: "failed", reason: "connect_timeout" });
  expect(server.requests).toHaveLength(0);
});

it("counts the bytes of an answer below TLS too", async () => {
  const server = await openLoopbackServer(({ socket }) => {
    const pour = () => {
      while (!socket.destroyed && socket.write("HTTP/1.1 103 Early Hints\r\n\r\n".repeat(100)));
    };
    socket.on("drain", pour);
    pour();
  }, authority.issue("shop.example"));
  const { dial } = recordDials(server.port);
  const egress = openEgress({ mode: "production", ca: [authority.cert], resolve: async () => ["8.8.8.8"], dial });
  opened.push(server, egress);
  const answer = await egress.send({ method: "POST", url: "https://shop.example/", headers: {}, body: "" });
  expect(answer).toMatchObject({ kind: "failed", reason: "too_large" });
});
