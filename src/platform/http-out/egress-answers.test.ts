import { gzipSync } from "node:zlib";
import { afterEach, describe, expect, it } from "vitest";
import {
  type LoopbackServer,
  OK_EMPTY,
  openLoopbackServer,
  type Script,
  untilClosed,
} from "../../testing/http/loopback-server.ts";
import { type Egress, openEgress } from "./egress.ts";
import type { EgressLimits } from "./limits.ts";

/** What receivers answer, and how little of it can do harm. */

const opened: { close: () => Promise<void> }[] = [];
afterEach(async () => {
  for (const each of opened.splice(0).reverse()) await each.close();
});

async function openPair(script: Script, limits: Partial<EgressLimits> = {}) {
  const server: LoopbackServer = await openLoopbackServer(script);
  const egress: Egress = openEgress({ mode: "development", limits });
  opened.push(server, egress);
  const send = (path = "/hook") =>
    egress.send({
      method: "POST",
      url: `http://127.0.0.1:${server.port}${path}`,
      headers: { "content-type": "application/json", "x-id": "7" },
      body: '{"ёж":1}',
    });
  return { server, egress, send };
}

const answering = (text: string | Buffer, limits?: Partial<EgressLimits>) =>
  openPair(({ socket }) => socket.write(text), limits);

/** For receivers that would never come to an end by themselves. */
const HASTY: Partial<EgressLimits> = { totalTimeoutMs: 200 };

describe("a request", () => {
  it("arrives as it was given", async () => {
    const { server, send } = await answering(OK_EMPTY);
    await send("/hook/%D1%91?a=1&b=%20");
    const [request] = server.requests;
    expect(request?.line).toBe("POST /hook/%D1%91?a=1&b=%20 HTTP/1.1");
    expect(Object.fromEntries(request?.headers ?? [])).toEqual({
      host: `127.0.0.1:${server.port}`,
      connection: "keep-alive",
      "accept-encoding": "identity",
      "content-type": "application/json",
      "x-id": "7",
      "content-length": "10",
    });
    expect(request?.body).toBe('{"ёж":1}');
  });

  it("may have a body of bytes, or none", async () => {
    const { server, egress } = await answering(OK_EMPTY);
    const url = `http://localhost:${server.port}/`;
    for (const body of [Buffer.from("bytes"), ""]) await egress.send({ method: "POST", url, headers: {}, body });
    expect(server.requests.map((request) => request.body)).toEqual(["bytes", ""]);
    expect(server.requests[1]?.headers.get("content-length")).toBe("0");
  });
});

describe("an answer", () => {
  it("is told with its status, the start of its body, and when to come again", async () => {
    const { send } = await answering(
      "HTTP/1.1 503 Busy\r\nretry-after: 120\r\nset-cookie: a=b\r\ncontent-length: 5\r\n\r\nlater",
    );
    expect(await send()).toEqual({
      kind: "answered",
      status: 503,
      headers: { "retry-after": "120" },
      bodyStart: Buffer.from("later"),
      truncated: false,
      latencyMs: expect.any(Number),
    });
  });

  it.each([301, 302, 303, 307, 308])("of %i is not followed", async (status) => {
    const trap = await openLoopbackServer(({ socket }) => socket.write(OK_EMPTY));
    opened.push(trap);
    const location = `http://127.0.0.1:${trap.port}/`;
    const { server, send } = await answering(
      `HTTP/1.1 ${status} Moved\r\nlocation: ${location}\r\ncontent-length: 0\r\n\r\n`,
    );
    expect(await send()).toMatchObject({ kind: "answered", status, headers: {} });
    expect(server.requests).toHaveLength(1);
    expect(trap.sockets).toHaveLength(0);
  });

  it("is kept to its first bytes", async () => {
    const body = "0123456789".repeat(1000);
    const { server, send } = await answering(`HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n${body}`);
    for (let sent = 0; sent < 2; sent += 1) {
      const answer = await send();
      expect(answer).toMatchObject({ kind: "answered", truncated: true });
      expect(answer.kind === "answered" && answer.bodyStart.toString()).toBe(body.slice(0, 2048));
    }
    // It was read to its end, so the connection serves again.
    expect(server.sockets).toHaveLength(1);
  });

  it("of 10 MB is answered by its status, and not read on", async () => {
    const huge = Buffer.alloc(10 * 1024 * 1024, "x");
    const { server, send } = await openPair(({ socket }) => {
      socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${huge.length}\r\n\r\n`);
      socket.write(huge);
    });
    expect(await send()).toMatchObject({
      kind: "answered",
      status: 200,
      bodyStart: Buffer.alloc(2048, "x"),
      truncated: true,
    });
    await untilClosed(server.sockets[0]);
    expect(server.openNow()).toBe(0);
  });

  it("is measured by itself, not with those before it on the same connection", async () => {
    const { server, send } = await answering(`HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n${"z".repeat(100)}`, {
      wireBytesMax: 400,
    });
    for (let sent = 0; sent < 10; sent += 1) expect(await send()).toMatchObject({ kind: "answered", truncated: false });
    expect(server.sockets).toHaveLength(1);
  });

  it("of exactly the most that is read is read to its end", async () => {
    const limits = { answerBytesMax: 1000, keepBytes: 5 };
    const head = (bytes: number) => `HTTP/1.1 200 OK\r\ncontent-length: ${bytes}\r\n\r\n${"y".repeat(bytes)}`;
    const fits = await answering(head(1000), limits);
    await fits.send();
    expect(await fits.send()).toMatchObject({ kind: "answered", bodyStart: Buffer.from("yyyyy"), truncated: true });
    expect(fits.server.sockets).toHaveLength(1);
    const exceeds = await answering(head(1001), limits);
    await exceeds.send();
    expect(await exceeds.send()).toMatchObject({ kind: "answered", bodyStart: Buffer.from("yyyyy"), truncated: true });
    expect(exceeds.server.sockets).toHaveLength(2);
  });

  it("that is compressed stays compressed", async () => {
    const bomb = gzipSync(Buffer.alloc(20 * 1024 * 1024));
    const { server, send } = await answering(
      Buffer.concat([
        Buffer.from(`HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: ${bomb.length}\r\n\r\n`),
        bomb,
      ]),
    );
    const answer = await send();
    expect(answer).toMatchObject({ kind: "answered", status: 200, bodyStart: bomb.subarray(0, 2048), truncated: true });
    expect(server.requests[0]?.headers.get("accept-encoding")).toBe("identity");
  });

  it("may be preceded by hints, and come in chunks with trailers", async () => {
    const { server, send } = await answering(
      "HTTP/1.1 103 Early Hints\r\nretry-after: 1\r\n\r\n" +
        "HTTP/1.1 202 Accepted\r\ntransfer-encoding: chunked\r\n\r\n2\r\nok\r\n3;x=y\r\n...\r\n0\r\nx-end: 1\r\n\r\n",
    );
    await send();
    expect(await send()).toMatchObject({ status: 202, headers: {}, bodyStart: Buffer.from("ok..."), truncated: false });
    expect(server.sockets).toHaveLength(1);
  });

  it("without a length lasts until the connection ends", async () => {
    const { send } = await openPair(({ socket }) => socket.end("HTTP/1.1 200 OK\r\n\r\nall of it"));
    expect(await send()).toMatchObject({ kind: "answered", status: 200, bodyStart: Buffer.from("all of it") });
  });

  it("with a header that is longer than any real one loses that header", async () => {
    const { send } = await answering(
      `HTTP/1.1 429 Slow\r\nretry-after: ${"9".repeat(100)}\r\ncontent-length: 0\r\n\r\n`,
    );
    const answer = await send();
    expect(answer).toMatchObject({ kind: "answered", status: 429 });
    expect(answer.kind === "answered" && answer.headers).toEqual({});
  });
});

describe("an answer fails", () => {
  it.each([
    ["what is not HTTP", "SSH-2.0-OpenSSH_9.6\r\n"],
    ["another version", "HTTP/3.7 200 OK\r\n\r\n"],
    ["a status without a number", "HTTP/1.1 OK\r\n\r\n"],
    ["two lengths", "HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab"],
    ["a length and chunks", "HTTP/1.1 200 OK\r\ncontent-length: 3\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n"],
    ["a length that is none", "HTTP/1.1 200 OK\r\ncontent-length: -1\r\n\r\n"],
    ["a chunk without a size", "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n"],
    ["a header with a gap", "HTTP/1.1 200 OK\r\nx note: 1\r\n\r\n"],
    ["a change of protocol", "HTTP/1.1 101 Switching\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n"],
    ["a wish to go on that nobody asked for", "HTTP/1.1 100 Continue\r\n\r\n"],
  ])("for %s", async (_what, text) => {
    const { send } = await answering(text);
    expect(await send()).toMatchObject({ kind: "failed", reason: "protocol" });
  });

  it.each([
    ["before it", ""],
    ["within its head", "HTTP/1.1 200 OK\r\nx-half: "],
    ["within its body", "HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nfour"],
    ["within a chunk", "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n8\r\nfour"],
  ])("when the connection ends %s, whether by an end or by a reset", async (_when, text) => {
    const ending = await openPair(({ socket }) => socket.end(text));
    expect(await ending.send()).toMatchObject({ kind: "failed", reason: "reset" });
    const resetting = await openPair(({ socket }) => socket.write(text, () => socket.resetAndDestroy()));
    expect(await resetting.send()).toMatchObject({ kind: "failed", reason: "reset" });
    for (const { server } of [ending, resetting]) expect(server.requests).toHaveLength(1);
  });

  it("when it never comes", async () => {
    const { send } = await openPair(() => {}, HASTY);
    expect(await send()).toMatchObject({ kind: "failed", reason: "timeout" });
  });

  it.each([
    ["its head", "HTTP/1.1 200 OK\r\n", "x-drip: 1\r\n"],
    ["its first line", "HTTP/1.1 200 ", "O"],
    ["its body", "HTTP/1.1 200 OK\r\ncontent-length: 50000\r\n\r\n", "x"],
    ["its hints", "", "HTTP/1.1 103 Early Hints\r\n\r\n"],
  ])("when there is no end to %s, in drips", async (_what, start, drop) => {
    const { send } = await openPair(({ socket }) => {
      socket.write(start);
      const drip = setInterval(() => socket.write(drop), 5);
      socket.on("close", () => clearInterval(drip));
    }, HASTY);
    expect(await send()).toMatchObject({ kind: "failed", reason: "timeout" });
  });

  it.each([
    ["headers", "HTTP/1.1 200 OK\r\n", `x-much: ${"y".repeat(1000)}\r\n`],
    ["hints", "", `HTTP/1.1 103 Early Hints\r\nx-much: ${"y".repeat(1000)}\r\n\r\n`],
    ["the words after the status", "HTTP/1.1 200 ", "much ".repeat(200)],
  ])("as too large when %s flood in", async (_what, start, wave) => {
    const { send } = await openPair(({ socket }) => flood(socket, start, wave));
    expect(await send()).toMatchObject({ kind: "failed", reason: "too_large" });
  });

  it("no more once its status is known, however much framing floods in", async () => {
    const start = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\n1;";
    const { send } = await openPair(({ socket }) => flood(socket, start, "extension".repeat(100)));
    expect(await send()).toMatchObject({
      kind: "answered",
      status: 200,
      bodyStart: Buffer.from("abc"),
      truncated: true,
    });
  });
});

/** Writes for as long as the other side takes it. */
function flood(socket: Parameters<Script>[0]["socket"], start: string, wave: string): void {
  socket.write(start);
  const pour = () => {
    while (!socket.destroyed && socket.write(wave));
  };
  socket.on("drain", pour);
  pour();
}
