import { X509Certificate } from "node:crypto";
import { afterEach, expect, it } from "vitest";
import { UPSTREAM_DEFAULTS, type UpstreamSettings } from "../../core/upstream-settings.ts";
import { keyPinOf } from "../../platform/http-out/key-pins.ts";
import { Secret } from "../../platform/secret.ts";
import { makeAuthority, type TestCertificate } from "../../testing/http/certificates.ts";
import { type LoopbackServer, OK_EMPTY, openLoopbackServer } from "../../testing/http/loopback-server.ts";
import { recordDials } from "../../testing/http/recording-dial.ts";
import { type Channel, type ChannelOptions, openChannel } from "./channel.ts";

const authority = makeAuthority();
const NOT_SENT = { kind: "not_sent" };
const LOST = { kind: "lost" };
const SETTINGS: UpstreamSettings = { ...UPSTREAM_DEFAULTS, merchantId: "m", projectId: "p" };
const opened: { close: () => Promise<void> }[] = [];

afterEach(async () => {
  for (const each of opened.splice(0).reverse()) await each.close();
});

type Change = Partial<Omit<ChannelOptions, "settings">> & { readonly settings?: Partial<UpstreamSettings> };

/** A channel to a server of this machine that bears a public name. */
function channelTo(server: LoopbackServer, { settings, ...change }: Change = {}): Channel {
  const channel = openChannel({
    baseUrl: "https://gateway.example",
    callKeys: [{ kind: "hmac", token: "ak_1", secret: new Secret(Buffer.from("secret")) }],
    mode: "production",
    ca: [authority.cert],
    resolve: async () => ["8.8.8.8"],
    dial: recordDials(server.port).dial,
    ...change,
    settings: { ...SETTINGS, ...settings },
  });
  opened.push(channel);
  return channel;
}

async function serve(
  answer: string | undefined = OK_EMPTY,
  certificate: TestCertificate | undefined = authority.issue("gateway.example"),
): Promise<LoopbackServer> {
  const server = await openLoopbackServer(({ socket }) => {
    if (answer !== "") socket.write(answer);
  }, certificate);
  opened.push(server);
  return server;
}

function pinOf({ cert }: TestCertificate): string {
  return keyPinOf(new X509Certificate(cert).publicKey);
}

it("pins the key of the certificate: one of the pins must fit, whatever else is right", async () => {
  const certificate = authority.issue("gateway.example");
  const other = pinOf(authority.issue("gateway.example"));
  const server = await serve(OK_EMPTY, certificate);
  const fitting = channelTo(server, { settings: { pins: [other, pinOf(certificate)] } });
  expect(await fitting.ask("/path", {})).toMatchObject({ kind: "answered", status: 200 });
  for (const pins of [[other], []]) {
    expect(await channelTo(server, { settings: { pins } }).ask("/path", {})).toEqual(NOT_SENT);
  }
  expect(server.requests).toHaveLength(1);
});

it("pins do not replace the other checks of a certificate", async () => {
  const strange = makeAuthority().issue("gateway.example");
  const server = await serve(OK_EMPTY, strange);
  expect(await channelTo(server, { settings: { pins: [pinOf(strange)] } }).ask("/path", {})).toEqual(NOT_SENT);
});

it.each([
  ["plain http", { baseUrl: "http://gateway.example" }],
  ["an address of this machine", { baseUrl: "https://127.0.0.1" }],
  ["a name that leads inside", { resolve: async () => ["10.0.0.1"] }],
  ["a name that leads nowhere", { resolve: async () => [] }],
  ["no key", { callKeys: [] }],
  ["a key that is none", { callKeys: [{ kind: "rsa", token: "x", secret: new Secret(Buffer.from("x")) }] as const }],
] as const)("sends nothing with %s", async (_what, change) => {
  const server = await serve();
  expect(await channelTo(server, change).ask("/path", {})).toEqual(NOT_SENT);
  expect(server.requests).toHaveLength(0);
});

it("goes to the configured host alone: it follows no redirect", async () => {
  const server = await serve("HTTP/1.1 307 Elsewhere\r\nlocation: https://evil.example/\r\ncontent-length: 0\r\n\r\n");
  expect(await channelTo(server).ask("/path", {})).toMatchObject({ kind: "answered", status: 307 });
  expect(server.requests).toHaveLength(1);
});

it("keeps a path of the base before the path of the call", async () => {
  const server = await serve();
  await channelTo(server, { baseUrl: "https://gateway.example/behind/" }).ask("/api/v1/bank/all", {});
  expect(server.requests[0]?.line).toBe("POST /behind/api/v1/bank/all HTTP/1.1");
});

it.each([
  ["one without end", ""],
  ["one that is too large", `HTTP/1.1 200 OK\r\ncontent-length: 2000000\r\n\r\n${" ".repeat(2_000_000)}`],
  ["one that breaks off", "HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n{"],
])("takes an answer for lost: %s", async (_what, answer) => {
  const server = await serve(answer);
  expect(await channelTo(server, { settings: { timeoutMs: 1_500 } }).ask("/path", {})).toEqual(LOST);
});

it("makes so many calls at once and no more: one that could not be begun in time is not sent later", async () => {
  const server = await serve("");
  const channel = channelTo(server, { settings: { callsMax: 2, timeoutMs: 1_500 } });
  const answers = await Promise.all(Array.from({ length: 5 }, () => channel.ask("/path", {})));
  expect(answers.map(({ kind }) => kind).toSorted()).toContain("lost");
  expect(server.requests).toHaveLength(2);
  await channel.close();
  expect(server.requests).toHaveLength(2);
});

it("ends with its calls: what is under way is waited for, and nothing begins any more", async () => {
  const server = await serve("");
  const channel = channelTo(server, { settings: { timeoutMs: 1_500 } });
  const calling = channel.ask("/path", {});
  const closing = channel.close();
  expect(await channel.ask("/path", {})).toEqual(NOT_SENT);
  expect(await calling).toEqual(LOST);
  await closing;
});
