import { generateKeyPairSync } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, it, vi } from "vitest";
import { callbackBody, callbackHeaders, webhookHeaders } from "../../../sdk/test/reference.ts";
import { type LoopbackServer, OK_EMPTY, openLoopbackServer } from "../../testing/http/loopback-server.ts";
import { recordingContext } from "../../testing/program/cli-context.ts";
import { type CliContext, EXIT } from "../kit/command.ts";
import { runCli } from "../kit/run.ts";

const home = mkdtempSync(join(tmpdir(), "tillgate-listen-"));
const pair = generateKeyPairSync("rsa", { modulusLength: 2048 });
const privateKeyPem = pair.privateKey.export({ type: "pkcs8", format: "pem" }).toString();
const webhookSecret = `whsec_${Buffer.alloc(32, "made up ").toString("base64")}`;
const SANDBOX = {
  base_url: "http://127.0.0.1:1",
  merchant_id: "m",
  project_id: "project-1",
  rsa_private_key_pem: "unused",
  rsa_access_token: "unused",
  hmac_key_id: "unused",
  hmac_secret: "unused",
  callback_public_key_pem: pair.publicKey.export({ type: "spki", format: "pem" }).toString(),
  webhook_secret: webhookSecret,
  callback_hmac_secret: "callback secret",
};
writeFileSync(join(home, "sandbox.json"), JSON.stringify(SANDBOX));
afterAll(() => rmSync(home, { recursive: true }));

const open: { stop: () => void; ended: Promise<number> }[] = [];
afterEach(async () => {
  for (const { stop, ended } of open.splice(0)) {
    stop();
    expect(await ended).toBe(EXIT.done);
  }
});

type Listener = {
  readonly url: string;
  readonly heard: () => readonly string[];
  readonly introduction: readonly string[];
};

/** The command, running in this process until the test is over. */
async function listen(...words: string[]): Promise<Listener> {
  let stop = () => {};
  const stopped = new Promise<void>((resolve) => {
    stop = resolve;
  });
  const { context, printed, errors } = recordingContext({ stateDir: home, untilStopped: () => stopped });
  const ended = runCli(context, ["listen", "--port", "0", ...words]);
  open.push({ stop, ended });
  const said = words.includes("--json") ? errors : printed;
  const url = await vi.waitFor(() => {
    const [, found] = /^Listening for callbacks at (http:\/\/127\.0\.0\.1:\d+\/)$/.exec(said[0] ?? "") ?? [];
    expect(said).toHaveLength(2);
    return found ?? "";
  }, 20_000);
  return { url, introduction: said.slice(0, 2), heard: () => (said === printed ? printed.slice(2) : printed) };
}

/** As the service sends them, one time after the other. */
function signedCallback(changes: Record<string, unknown> = {}) {
  const rawBody = JSON.stringify(callbackBody(changes));
  const timestamp = Math.floor(Date.now() / 1000);
  const access = callbackHeaders(rawBody, timestamp, { kind: "rsa", privateKeyPem });
  const headers: Record<string, string> = {
    "content-type": "application/json",
    ...access,
    ...webhookHeaders(rawBody, timestamp, webhookSecret),
  };
  return { rawBody, headers };
}

type Answer = { readonly status: number | undefined; readonly headers: Record<string, unknown>; readonly text: string };

function post(url: string, headers: Record<string, string>, body: string, method = "POST"): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers }, async (response) => {
      const chunks = await response.toArray();
      resolve({ status: response.statusCode, headers: response.headers, text: Buffer.concat(chunks).toString() });
    });
    sent.on("error", reject).end(body);
  });
}

describe("listen", () => {
  it("shows a genuine callback in a line, and answers 204", async () => {
    const { url, heard, introduction } = await listen();
    expect(introduction[1]).toBe(
      `To receive some: tillgate trigger payin.success --callback-url ${url}. To receive all of the sandbox's project: --set.`,
    );
    const { headers, rawBody } = signedCallback();
    expect((await post(url, headers, rawBody)).status).toBe(204);
    expect(heard()).toEqual([
      expect.stringMatching(
        /^\S+Z {2}ok {3}ord-771 {2}#3 {2}processing \/ awaiting_confirm {2}2500\.00 RUB, fee 62\.50 RUB, net 2437\.50 RUB$/,
      ),
    ]);
  });

  it("shows what was received, and what was asked for where that is another sum", async () => {
    const { url, heard } = await listen();
    const payment_info = { type: "payin", amount: 300, requested_amount: 200, received_amount: 300, currency: "JPY" };
    const { headers, rawBody } = signedCallback({ payment_info });
    await post(url, headers, rawBody);
    expect(heard()[0]).toContain("  300 JPY, received 300 JPY, requested 200 JPY");
  });

  it("checks an HMAC signature with the sandbox's secret", async () => {
    const { url } = await listen();
    const { headers, rawBody } = signedCallback();
    const timestamp = Number(headers["webhook-timestamp"]);
    const hmac = callbackHeaders(rawBody, timestamp, { kind: "hmac", secret: "callback secret" });
    expect((await post(url, { ...headers, ...hmac }, rawBody)).status).toBe(204);
    const wrong = callbackHeaders(rawBody, timestamp, { kind: "hmac", secret: "another" });
    expect((await post(url, { ...headers, ...wrong }, rawBody)).status).toBe(400);
  });

  it("says BAD and why to a forged one, a foreign one and to noise, and answers 400", async () => {
    const { url, heard } = await listen();
    const { headers, rawBody } = signedCallback();
    const forged = rawBody.replace("ord-771", "\\u001b[2Jord-772").replace("250000", "950000");
    expect((await post(url, headers, forged)).status).toBe(400);
    expect((await post(url, headers, "not JSON")).status).toBe(400);
    expect((await post(url, {}, "{}")).status).toBe(400);
    expect((await post(url, {}, '{"general":7,"payment_info":[]}')).status).toBe(400);
    const foreign = signedCallback({ project_id: "project-2" });
    expect((await post(url, foreign.headers, foreign.rawBody)).status).toBe(400);
    const lines = heard();
    expect(lines[0]).toMatch(
      / {2}BAD {2}\\u001b\[2Jord-772 .*\(x-access-signature does not fit; webhook-signature does not fit\)$/,
    );
    expect(lines[1]).toMatch(/ {2}BAD {2}\? {2}#\? {2}\? {2}\(the body is not the JSON of a callback\)$/);
    expect(lines[2]).toContain("x-access-timestamp is missing");
    expect(lines[4]).toMatch(/\(it is a callback of another project\)$/);
    expect(lines).toHaveLength(5);
  });

  it("takes nothing but POST, and no endless body", async () => {
    const { url, heard } = await listen();
    expect((await post(url, {}, "", "GET")).status).toBe(405);
    expect((await post(url, {}, "x".repeat(1_048_577))).status).toBe(413);
    expect(heard()).toEqual([]);
  });

  it("prints whole bodies as lines of JSON, and all else on standard error", async () => {
    const { url, heard, introduction } = await listen("--json");
    expect(introduction[0]).toContain(url);
    const { headers, rawBody } = signedCallback();
    await post(url, headers, rawBody);
    await post(url, headers, "\u009bnoise");
    const [genuine = "", noise = ""] = heard();
    expect(JSON.parse(genuine)).toEqual({
      received_at: expect.stringMatching(/Z$/),
      genuine: true,
      x_access_signature: "ok",
      webhook_signature: "ok",
      body: JSON.parse(rawBody),
    });
    expect(JSON.parse(noise)).toMatchObject({ genuine: false, raw: "\u009bnoise" });
    expect(noise).not.toContain("\u009b");
  });
});

describe("listen --forward-to", () => {
  let shop: LoopbackServer | undefined;
  afterEach(() => shop?.close());

  async function openShop(answer: string): Promise<string> {
    shop = await openLoopbackServer(({ socket }) => {
      socket.write(answer);
    });
    return `http://127.0.0.1:${shop.port}/callbacks?x=1`;
  }

  it("passes on the same headers and bytes, and answers what that answered", async () => {
    const target = await openShop(
      "HTTP/1.1 503 Busy\r\nretry-after: 120\r\ncontent-type: text/plain\r\ncontent-length: 5\r\n\r\nlater",
    );
    const { url, heard } = await listen("--forward-to", target);
    const { headers, rawBody } = signedCallback();
    const body = `${rawBody} \n`;
    const answer = await post(url, { ...headers, "X-Custom": "kept" }, body);
    expect(answer).toMatchObject({
      status: 503,
      text: "later",
      headers: { "retry-after": "120", "content-type": "text/plain" },
    });
    const [seen] = shop?.requests ?? [];
    expect(seen?.line).toBe("POST /callbacks?x=1 HTTP/1.1");
    expect(seen?.body).toBe(body);
    for (const [name, value] of Object.entries(headers)) expect(seen?.headers.get(name)).toBe(value);
    expect(seen?.headers.get("x-custom")).toBe("kept");
    expect(seen?.headers.get("host")).toBe(`127.0.0.1:${shop?.port}`);
    expect(heard()[0]).toMatch(/-> 503 in \d+ ms$/);
  });

  it("passes on even what it finds bad, and leaves the answer to the receiver", async () => {
    const target = await openShop(OK_EMPTY);
    const { url, heard } = await listen("--forward-to", target, "--json");
    const { headers, rawBody } = signedCallback();
    expect((await post(url, headers, rawBody.replace("ord-771", "ord-772"))).status).toBe(200);
    expect(JSON.parse(heard()[0] ?? "")).toMatchObject({ genuine: false, forwarded: { status: 200 } });
  });

  it("answers 502 where nothing answers", async () => {
    const target = await openShop(OK_EMPTY);
    await shop?.close();
    shop = undefined;
    const { url, heard } = await listen("--forward-to", target);
    const { headers, rawBody } = signedCallback();
    expect((await post(url, headers, rawBody)).status).toBe(502);
    expect(heard()[0]).toMatch(/-> not passed on: ECONNREFUSED \(nothing listens there: is your program running\?\)$/);
  });

  it("answers 502 where the answer breaks off", async () => {
    shop = await openLoopbackServer(({ socket }) => {
      socket.end("HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhalf");
    });
    const { url, heard } = await listen("--forward-to", `http://127.0.0.1:${shop.port}/`);
    const { headers, rawBody } = signedCallback();
    expect((await post(url, headers, rawBody)).status).toBe(502);
    expect(heard()[0]).toMatch(/-> not passed on: /);
  });
});

describe("listen refuses", () => {
  async function refusal(words: readonly string[], given: Partial<CliContext> = {}) {
    const { context, errors } = recordingContext({ stateDir: home, ...given });
    return [await runCli(context, ["listen", ...words]), errors[0]];
  }

  it.each([
    [["--port", "70000"], '--port must be a whole number from 0 to 65535. It is "70000".'],
    [
      ["--forward-to", "127.0.0.1:3000"],
      '--forward-to must be like http://127.0.0.1:3000/callbacks. It is "127.0.0.1:3000".',
    ],
    [
      ["--forward-to", "ftp://shop.example/"],
      '--forward-to must be like http://127.0.0.1:3000/callbacks. It is "ftp://shop.example/".',
    ],
    [
      ["--forward-to", "http://u:p@127.0.0.1/"],
      '--forward-to must be like http://127.0.0.1:3000/callbacks. It is "http://u:p@127.0.0.1/".',
    ],
  ])("%j", async (words, sentence) => expect(await refusal(words)).toEqual([EXIT.usage, sentence]));

  it("a port that is taken, with a way out", async () => {
    const { url } = await listen();
    const { port } = new URL(url);
    const sentence = `Port ${port} is taken by another program. Choose another one with --port.`;
    expect(await refusal(["--port", port])).toEqual([EXIT.refused, sentence]);
  });

  it("to pass callbacks on to itself", async () => {
    const { url } = await listen();
    const { port } = new URL(url);
    for (const { stop, ended } of open.splice(0)) {
      stop();
      await ended;
    }
    const sentence = "--forward-to leads back to this very command.";
    expect(await refusal(["--port", port, "--forward-to", `http://localhost:${port}/x`])).toEqual([
      EXIT.usage,
      sentence,
    ]);
  });

  it("credentials that are not there, or know nothing of callbacks", async () => {
    const [, missing] = await refusal([], { stateDir: "/nonexistent" });
    expect(missing).toContain("There is no /nonexistent/sandbox.json yet.");
    const file = join(home, "old.json");
    const { callback_public_key_pem: _pem, webhook_secret: _secret, ...old } = SANDBOX;
    writeFileSync(file, JSON.stringify(old));
    const [code, sentence] = await refusal(["--credentials", file]);
    expect([code, sentence]).toEqual([EXIT.refused, expect.stringContaining("Restart the service")]);
  });

  it("to be set in production", async () => {
    const [code, sentence] = await refusal(["--port", "0", "--set"], { developmentMode: false });
    expect([code, sentence]).toEqual([EXIT.refused, expect.stringContaining("--set is for development mode")]);
  });
});
