import { connect, Socket } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makeAuthority } from "../../testing/http/certificates.ts";
import { type LoopbackServer, OK_EMPTY, openLoopbackServer, untilClosed } from "../../testing/http/loopback-server.ts";
import { type RecordingDial, recordDials, refuseDials } from "../../testing/http/recording-dial.ts";
import { type Egress, type EgressOptions, openEgress } from "./egress.ts";

/** Production's rules, with the world replaced: names resolve as a test says, and every dial ends on this machine. */

const authority = makeAuthority();
const certificate = authority.issue("shop.example", "*.shop.example", "xn--e1afmkfd.example", "8.8.8.8");
const OK_AND_CLOSE = "HTTP/1.1 200 OK\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";
/** Nothing ends by itself in a test that does not ask for it, however slow the machine is. */
const PATIENT = { totalTimeoutMs: 300_000, connectTimeoutMs: 300_000, idleTimeoutMs: 300_000 };
let server: LoopbackServer;
const opened: Egress[] = [];

beforeAll(async () => {
  server = await openLoopbackServer(({ line, socket }) => {
    if (line.includes("/last")) socket.end(OK_AND_CLOSE);
    else socket.write(OK_EMPTY);
  }, certificate);
});
afterAll(async () => {
  for (const egress of opened) await egress.close();
  await server.close();
});

function open(options: Partial<EgressOptions> & Pick<EgressOptions, "resolve" | "dial">): Egress {
  const limits = { ...PATIENT, ...options.limits };
  const egress = openEgress({ mode: "production", ca: [authority.cert], ...options, limits });
  opened.push(egress);
  return egress;
}

const request = (url: string) => ({ method: "POST", url, headers: { "x-id": "1" }, body: "{}" }) as const;

function lastSeen() {
  const seen = server.requests.at(-1);
  if (seen === undefined) throw new Error("The server saw no request.");
  return { host: seen.headers.get("host"), serverName: seen.serverName, line: seen.line };
}

describe("a good address", () => {
  it.each([
    ["https://shop.example/hook?a=1", ["203.0.114.7"], "203.0.114.7 443", "shop.example", "shop.example"],
    ["https://SHOP.example:8443/", ["1.1.1.1"], "1.1.1.1 8443", "shop.example:8443", "shop.example"],
    ["https://shop.example./", ["1.1.1.1"], "1.1.1.1 443", "shop.example.", "shop.example"],
    ["https://eu.shop.example/", ["2606:4700::1"], "2606:4700::1 443", "eu.shop.example", "eu.shop.example"],
    ["https://пример.example/", ["1.1.1.1"], "1.1.1.1 443", "xn--e1afmkfd.example", "xn--e1afmkfd.example"],
    ["https://8.8.8.8/", [], "8.8.8.8 443", "8.8.8.8", undefined],
    ["https://134744072/", [], "8.8.8.8 443", "8.8.8.8", undefined],
  ])(
    "of %s is dialled, with the name in TLS and in the Host header",
    async (url, addresses, asked, host, serverName) => {
      const { dial, asked: dials } = recordDials(server.port);
      const egress = open({ resolve: async () => addresses, dial });
      expect(await egress.send(request(url))).toMatchObject({ kind: "answered", status: 200 });
      expect(dials).toEqual([asked]);
      expect(lastSeen()).toMatchObject({ host, serverName });
    },
  );
});

describe("nothing is dialled", () => {
  async function expectRefusal(url: string, reason: string, addresses: readonly string[] = []): Promise<void> {
    const { dial, asked } = refuseDials();
    const answer = await open({ resolve: async () => addresses, dial }).send(request(url));
    expect(answer).toEqual({ kind: "refused", reason, latencyMs: expect.any(Number) });
    expect(asked).toEqual([]);
  }

  it.each([
    ...["https://127.0.0.1/", "https://2130706433/", "https://0x7f.1/", "https://017700000001/", "https://127.1/"],
    ...["https://127.0.0.1./", "https://0/", "https://10.0.0.1/", "https://169.254.169.254/latest/meta-data/"],
    ...["https://192.168.0.1:8443/", "https://172.16.0.1/", "https://100.64.0.1/", "https://[::1]/", "https://[::]/"],
    ...["https://[::ffff:127.0.0.1]/", "https://[::ffff:8.8.8.8]/", "https://[::127.0.0.1]/", "https://[fe80::1]/"],
    ...["https://[fd00:ec2::254]/", "https://[64:ff9b::a9fe:a9fe]/", "https://[2002:7f00:1::]/", "https://[2001::1]/"],
    ...["https://255.255.255.255/", "https://224.0.0.1/", "https://[ff02::1]/"],
  ])("for %s", (url) => expectRefusal(url, "address_not_allowed"));

  it.each([
    [["127.0.0.1"]],
    [["::1"]],
    [["10.1.2.3"]],
    [["169.254.169.254"]],
    [["8.8.8.8", "10.0.0.1"]],
    [["2606:4700::1", "::ffff:10.0.0.1"]],
    [["fe80::1%eth0"]],
  ])("for a name that resolves to %j", (addresses) =>
    expectRefusal("https://shop.example/", "address_not_allowed", addresses),
  );

  it("for a name of this machine or of nobody", async () => {
    await expectRefusal("https://localhost/", "address_not_allowed", ["127.0.0.1", "::1"]);
    await expectRefusal("https://nowhere.example/", "name_not_resolved");
  });

  it.each([
    ["http://shop.example/", "scheme"],
    ["https://shop.example:8080/", "port"],
    ["https://user:secret@shop.example/", "userinfo"],
    ["https://shop.example/#a", "fragment"],
    ["https://shop.example/\r\nx: y", "bad_url"],
    ["nonsense", "bad_url"],
  ])("for %j", (url, reason) => expectRefusal(url, reason, ["8.8.8.8"]));

  it("for a header that could end the head", async () => {
    const { dial, asked } = refuseDials();
    const egress = open({ resolve: async () => ["8.8.8.8"], dial });
    const answer = await egress.send({ ...request("https://shop.example/"), headers: { "x-id": "1\r\nx-two: 2" } });
    expect(answer).toMatchObject({ kind: "refused", reason: "bad_header" });
    expect(asked).toEqual([]);
  });
});

describe("a name that changes its address", () => {
  function openWith(answers: string[][]): { egress: Egress; dials: RecordingDial; clock: { ms: number } } {
    const clock = { ms: 0, nowMs: () => clock.ms };
    const dials = recordDials(server.port);
    const egress = open({
      resolve: async () => answers.shift() ?? ["127.0.0.1"],
      dial: dials.dial,
      clock,
      limits: { addressesKeptMs: 1000 },
    });
    return { egress, dials, clock };
  }

  it("is not resolved again for a connection", async () => {
    const { egress, dials } = openWith([["8.8.8.8"]]);
    for (let sent = 0; sent < 3; sent += 1) {
      expect(await egress.send(request("https://shop.example/last"))).toMatchObject({ kind: "answered" });
    }
    expect(dials.asked).toEqual(["8.8.8.8 443", "8.8.8.8 443", "8.8.8.8 443"]);
  });

  it("is refused when it leads inside the next time", async () => {
    const { egress, dials, clock } = openWith([["8.8.8.8"], ["127.0.0.1"]]);
    expect(await egress.send(request("https://shop.example/"))).toMatchObject({ kind: "answered" });
    clock.ms += 1000;
    const answer = await egress.send(request("https://shop.example/"));
    expect(answer).toMatchObject({ kind: "refused", reason: "address_not_allowed" });
    expect(dials.asked).toEqual(["8.8.8.8 443"]);
  });

  it("is followed to its new address, while kept connections to the old one end", async () => {
    const { egress, dials, clock } = openWith([["8.8.8.8"], ["1.1.1.1"]]);
    await egress.send(request("https://shop.example/"));
    const old = server.sockets.at(-1);
    clock.ms += 1000;
    expect(await egress.send(request("https://shop.example/"))).toMatchObject({ kind: "answered" });
    expect(dials.asked).toEqual(["8.8.8.8 443", "1.1.1.1 443"]);
    await untilClosed(old);
  });

  it("keeps its connections when the same addresses come in another order", async () => {
    const { egress, dials, clock } = openWith([
      ["8.8.8.8", "1.1.1.1"],
      ["1.1.1.1", "8.8.8.8"],
    ]);
    await egress.send(request("https://shop.example/"));
    clock.ms += 1000;
    expect(await egress.send(request("https://shop.example/"))).toMatchObject({ kind: "answered" });
    expect(dials.asked).toEqual(["8.8.8.8 443"]);
  });
});

describe("several addresses", () => {
  const resolve = async () => ["1.0.0.1", "1.0.0.2", "1.0.0.3"];

  it("are tried in their order: past one that refuses, and one that keeps silent", async () => {
    const closed = await openLoopbackServer(() => {});
    await closed.close();
    const { dial, asked } = recordDials((address) => {
      if (address === "1.0.0.1") return connect(closed.port, "127.0.0.1");
      return address === "1.0.0.2" ? new Socket() : connect(server.port, "127.0.0.1");
    });
    const egress = open({ resolve, dial, limits: { connectTimeoutMs: 2_000 } });
    expect(await egress.send(request("https://shop.example/"))).toMatchObject({ kind: "answered", status: 200 });
    expect(asked).toEqual(["1.0.0.1 443", "1.0.0.2 443", "1.0.0.3 443"]);
  });

  it("that all keep silent use up the time to connect", async () => {
    const { dial, asked } = recordDials(() => new Socket());
    const egress = open({ resolve, dial, limits: { connectTimeoutMs: 60 } });
    expect(await egress.send(request("https://shop.example/"))).toMatchObject({
      kind: "failed",
      reason: "connect_timeout",
    });
    expect(asked).toHaveLength(3);
  });

  it("are not dialled one after the other for ever", async () => {
    const { dial, asked } = recordDials(() => new Socket());
    const many = Array.from({ length: 200 }, (_, index) => `1.0.0.${index}`);
    const egress = open({ resolve: async () => many, dial, limits: { connectTimeoutMs: 60 } });
    expect(await egress.send(request("https://shop.example/"))).toMatchObject({ reason: "connect_timeout" });
    // On a busy machine the time may be over before the third one's turn.
    expect(asked.length).toBeGreaterThanOrEqual(1);
    expect(asked.length).toBeLessThanOrEqual(3);
  });
});
