import { Socket } from "node:net";
import { afterEach, describe, expect, it, vi } from "vitest";
import { OK_EMPTY, openLoopbackServer, type Script, untilClosed } from "../../testing/http/loopback-server.ts";
import { recordDials } from "../../testing/http/recording-dial.ts";
import { openEgress } from "./egress.ts";
import type { EgressLimits } from "./limits.ts";

/** How connections are kept, shared, bounded and ended. */

const opened: { close: () => Promise<void> }[] = [];
afterEach(async () => {
  vi.unstubAllEnvs();
  for (const each of opened.splice(0).reverse()) await each.close();
});

/** Nothing ends by itself in a test that does not ask for it, however slow the machine is. */
const PATIENT: Partial<EgressLimits> = {
  totalTimeoutMs: 300_000,
  connectTimeoutMs: 300_000,
  freeConnectionTimeoutMs: 300_000,
  lookupTimeoutMs: 300_000,
  idleTimeoutMs: 300_000,
};

async function openServer(script: Script) {
  const server = await openLoopbackServer(script);
  opened.push(server);
  return server;
}

function openPatient(limits: Partial<EgressLimits> = {}) {
  const egress = openEgress({ mode: "development", limits: { ...PATIENT, ...limits } });
  opened.push(egress);
  const sendTo = ({ port }: { readonly port: number }, signal?: AbortSignal) =>
    egress.send({
      method: "POST",
      url: `http://127.0.0.1:${port}/`,
      headers: {},
      body: "{}",
      ...(signal === undefined ? {} : { signal }),
    });
  return { egress, sendTo };
}

const answerAtOnce: Script = ({ socket }) => socket.write(OK_EMPTY);
const neverAnswer: Script = () => {};
const times = (count: number) => Array.from({ length: count });

it("an answer that arrived while this process stood still past the time is taken", async () => {
  const totalTimeoutMs = 1_000;
  const server = await openServer(({ socket }) => {
    socket.write(OK_EMPTY);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, totalTimeoutMs);
  });
  const { sendTo } = openPatient({ totalTimeoutMs });
  expect(await sendTo(server)).toMatchObject({ kind: "answered" });
});

describe("a kept connection", () => {
  it("serves a hundred requests, one after the other", async () => {
    const server = await openServer(answerAtOnce);
    const { sendTo } = openPatient();
    for (const _ of times(100)) expect(await sendTo(server)).toMatchObject({ kind: "answered" });
    expect(server.requests).toHaveLength(100);
    expect(server.sockets).toHaveLength(1);
  });

  it("is not shared with another port of the same host", async () => {
    const servers = [await openServer(answerAtOnce), await openServer(answerAtOnce)];
    const { sendTo } = openPatient();
    for (const _ of times(3)) for (const server of servers) await sendTo(server);
    for (const server of servers) {
      expect(server.requests).toHaveLength(3);
      expect(server.sockets).toHaveLength(1);
    }
  });

  it("ends when it is idle for long", async () => {
    const server = await openServer(answerAtOnce);
    const { sendTo } = openPatient({ idleTimeoutMs: 20, connectionsPerOriginMax: 1 });
    await sendTo(server);
    await untilClosed(server.sockets[0]);
    // It no longer counts: with one connection at most, a second one can be made.
    expect(await sendTo(server)).toMatchObject({ kind: "answered" });
    expect(server.sockets).toHaveLength(2);
  });

  it("does not stay longer because the receiver asks for it", async () => {
    const server = await openServer(({ socket }) =>
      socket.write("HTTP/1.1 200 OK\r\nkeep-alive: timeout=900\r\ncontent-length: 0\r\n\r\n"),
    );
    await openPatient({ idleTimeoutMs: 20 }).sendTo(server);
    await untilClosed(server.sockets[0]);
    expect(server.openNow()).toBe(0);
  });

  it("that the receiver has closed is replaced before anything is sent", async () => {
    const server = await openServer(({ socket }) => socket.end(OK_EMPTY));
    const { sendTo } = openPatient();
    for (const count of [1, 2, 3]) {
      expect(await sendTo(server)).toMatchObject({ kind: "answered" });
      await untilClosed(server.sockets[count - 1]);
      expect(server.requests).toHaveLength(count);
    }
  });

  it("that breaks after the request was sent fails it, and it is not sent again", async () => {
    const server = await openServer(({ socket }) => {
      if (server.requests.length === 2) socket.resetAndDestroy();
      else socket.write(OK_EMPTY);
    });
    const { sendTo } = openPatient();
    expect(await sendTo(server)).toMatchObject({ kind: "answered" });
    expect(await sendTo(server)).toMatchObject({ kind: "failed", reason: "reset" });
    expect(server.requests).toHaveLength(2);
    expect(await sendTo(server)).toMatchObject({ kind: "answered" });
    expect(server.sockets).toHaveLength(2);
  });

  it("on which the receiver speaks without being asked is not used again", async () => {
    const server = await openServer(({ socket }) => socket.write(OK_EMPTY + OK_EMPTY.replace("200", "418")));
    const { sendTo } = openPatient();
    for (const _ of times(3)) expect(await sendTo(server)).toMatchObject({ kind: "answered", status: 200 });
    expect(server.sockets).toHaveLength(3);
  });
});

describe("connections to one origin", () => {
  it("are never more than the cap, and serve all who wait", async () => {
    const server = await openServer(answerAtOnce);
    const { sendTo } = openPatient({ connectionsPerOriginMax: 4 });
    const answers = await Promise.all(times(100).map(() => sendTo(server)));
    for (const answer of answers) expect(answer).toMatchObject({ kind: "answered" });
    expect(server.openAtMost()).toBe(4);
  });

  it("are replaced for those who wait when they end badly", async () => {
    const server = await openServer(({ socket }) => socket.resetAndDestroy());
    const { sendTo } = openPatient({ connectionsPerOriginMax: 2 });
    const answers = await Promise.all(times(20).map(() => sendTo(server)));
    for (const answer of answers) expect(answer).toMatchObject({ kind: "failed", reason: "reset" });
    expect(server.requests).toHaveLength(20);
  });

  it("that are all in use for too long make a request fail as busy, with nothing sent", async () => {
    const server = await openServer(neverAnswer);
    const { egress, sendTo } = openPatient({ connectionsPerOriginMax: 1, freeConnectionTimeoutMs: 20 });
    const arrival = server.nextRequest();
    const first = sendTo(server);
    await arrival;
    expect(await sendTo(server)).toMatchObject({ kind: "failed", reason: "busy" });
    expect(server.requests).toHaveLength(1);
    await egress.close();
    expect(await first).toMatchObject({ kind: "failed" });
  });
});

describe("a thousand requests at once", () => {
  it("to two receivers, one of which hangs, do not hold up the other", async () => {
    const [hanging, good] = [await openServer(neverAnswer), await openServer(answerAtOnce)];
    const { egress, sendTo } = openPatient({ connectionsPerOriginMax: 20 });
    let hungEnded = 0;
    const stuck: ReturnType<typeof sendTo>[] = [];
    const served: ReturnType<typeof sendTo>[] = [];
    for (const _ of times(500)) {
      const hung = sendTo(hanging);
      hung.then(() => {
        hungEnded += 1;
      });
      stuck.push(hung);
      served.push(sendTo(good));
    }
    for (const answer of await Promise.all(served)) expect(answer).toMatchObject({ kind: "answered", status: 200 });
    expect(hungEnded).toBe(0);
    expect(good.openAtMost()).toBeLessThanOrEqual(20);
    await egress.close();
    for (const answer of await Promise.all(stuck)) expect(answer).toMatchObject({ kind: "failed", reason: "closed" });
    expect(hanging.sockets.length).toBeLessThanOrEqual(20);
  });
});

describe("an end from outside", () => {
  it("comes by the caller's signal, before and while a request is under way", async () => {
    const server = await openServer(neverAnswer);
    const { sendTo } = openPatient();
    const controller = new AbortController();
    const arrival = server.nextRequest();
    const answer = sendTo(server, controller.signal);
    const { socket } = await arrival;
    controller.abort();
    expect(await answer).toMatchObject({ kind: "failed", reason: "aborted" });
    expect(await sendTo(server, controller.signal)).toMatchObject({ kind: "failed", reason: "aborted" });
    await untilClosed(socket);
    expect(server.requests).toHaveLength(1);
    expect(server.sockets).toHaveLength(1);
  });

  it("comes by the caller's signal while the name is resolved, and while a connection is made", async () => {
    for (const stage of ["resolve", "dial"] as const) {
      const controller = new AbortController();
      const dialled: Socket[] = [];
      const egress = openEgress({
        mode: "production",
        limits: PATIENT,
        resolve: async () => {
          if (stage === "dial") return ["8.8.8.8"];
          setImmediate(() => controller.abort());
          return new Promise(() => {});
        },
        dial: () => {
          setImmediate(() => controller.abort());
          dialled.push(new Socket());
          return dialled[0] as Socket;
        },
      });
      const { signal } = controller;
      const answer = await egress.send({ method: "POST", url: "https://shop.example/", headers: {}, body: "", signal });
      expect(answer).toMatchObject({ kind: "failed", reason: "aborted" });
      expect(dialled.map((socket) => socket.destroyed)).toEqual(stage === "dial" ? [true] : []);
      await egress.close();
    }
  });

  it("comes by close: for what is under way, for what waits, for idle connections and for all that follows", async () => {
    const [hanging, good] = [await openServer(neverAnswer), await openServer(answerAtOnce)];
    const { egress, sendTo } = openPatient({ connectionsPerOriginMax: 1 });
    await sendTo(good);
    const arrival = hanging.nextRequest();
    const underWay = [sendTo(hanging), sendTo(hanging)];
    await arrival;
    await egress.close();
    for (const answer of await Promise.all(underWay)) {
      expect(answer).toMatchObject({ kind: "failed", reason: "closed" });
    }
    expect(await sendTo(good)).toMatchObject({ kind: "failed", reason: "closed" });
    for (const { sockets } of [hanging, good]) {
      expect(sockets).toHaveLength(1);
      await untilClosed(sockets[0]);
    }
    await egress.close();
  });

  it("comes by close in the same turn as the request", async () => {
    const server = await openServer(answerAtOnce);
    const { egress, sendTo } = openPatient();
    const answer = sendTo(server);
    await egress.close();
    expect(await answer).toMatchObject({ kind: "failed", reason: "closed" });
    expect(server.requests).toHaveLength(0);
  });
});

describe("a connection that does not come about", () => {
  it("fails when nobody listens", async () => {
    const server = await openLoopbackServer(answerAtOnce);
    await server.close();
    expect(await openPatient().sendTo(server)).toMatchObject({ kind: "failed", reason: "connect_failed" });
  });

  it("fails in time when the other side keeps silent", async () => {
    const { dial } = recordDials(() => new Socket());
    const egress = openEgress({ mode: "development", limits: { ...PATIENT, connectTimeoutMs: 20 }, dial });
    opened.push(egress);
    const answer = await egress.send({ method: "POST", url: "http://127.0.0.1/", headers: {}, body: "" });
    expect(answer).toMatchObject({ kind: "failed", reason: "connect_timeout" });
  });
});

it("knows no proxy, whatever the environment says", async () => {
  const [proxy, server] = [await openServer(answerAtOnce), await openServer(answerAtOnce)];
  for (const name of ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"]) {
    vi.stubEnv(name, `http://127.0.0.1:${proxy.port}`);
  }
  vi.stubEnv("NODE_USE_ENV_PROXY", "1");
  expect(await openPatient().sendTo(server)).toMatchObject({ kind: "answered" });
  expect(server.requests).toHaveLength(1);
  expect(proxy.sockets).toHaveLength(0);
});
