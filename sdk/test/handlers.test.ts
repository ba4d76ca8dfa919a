import type { AddressInfo } from "node:net";
import express from "express";
import fastify from "fastify";
import { describe, expect, it } from "vitest";
import {
  type CallbackHandlerOptions,
  createCallbackHandler,
  expressCallbackHandler,
  fastifyCallbackPlugin,
  type TillgateCallback,
  TillgateError,
  type TillgateSignatureError,
} from "../src/index.ts";
import { callbackBody, callbackHeaders, newRsaPair, webhookHeaders } from "./reference.ts";

const pair = newRsaPair();
const webhookSecret = `whsec_${Buffer.alloc(32, "made-up ").toString("base64")}`;
const otherSecret = `whsec_${Buffer.alloc(32, "another ").toString("base64")}`;
/** Spaces and an order that no serialiser would give back: only the very bytes verify. */
const rawBody = ` ${JSON.stringify(callbackBody(), undefined, 2)}\n`;
const nowS = () => Math.floor(Date.now() / 1_000);
const signed = (body = rawBody, secret = webhookSecret) => webhookHeaders(body, nowS(), secret);

type Post = (headers: Record<string, string>, body: string) => Promise<{ status: number; text: string }>;
type Serve = (options: CallbackHandlerOptions) => Promise<{ post: Post; close: () => Promise<unknown> }>;

const JSON_TYPE = { "content-type": "application/json" };

function poster(url: string): Post {
  return async (headers, body) => {
    const answer = await fetch(url, { method: "POST", headers: { ...JSON_TYPE, ...headers }, body });
    return { status: answer.status, text: await answer.text() };
  };
}

async function serveExpress(app: express.Express) {
  // Express prints what reaches its last handler unless it is told to be in a test.
  app.set("env", "test");
  const server = app.listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as AddressInfo;
  const close = () => new Promise((resolve) => server.close(resolve).closeAllConnections());
  return { url: `http://127.0.0.1:${port}`, close };
}

const frameworks: [string, Serve][] = [
  [
    "a standard Request",
    async (options) => {
      const handle = createCallbackHandler(options);
      const post: Post = async (headers, body) => {
        const request = new Request("https://shop.example/callbacks", { method: "POST", headers, body });
        // What a framework makes of a handler that throws.
        const answer = await handle(request).catch(() => new Response("thrown", { status: 500 }));
        return { status: answer.status, text: await answer.text() };
      };
      return { post, close: async () => {} };
    },
  ],
  [
    "Express before its JSON parser",
    async (options) => {
      const app = express();
      app.post("/callbacks", expressCallbackHandler(options));
      app.use(express.json());
      const { url, close } = await serveExpress(app);
      return { post: poster(`${url}/callbacks`), close };
    },
  ],
  [
    "Express with its raw parser",
    async (options) => {
      const app = express();
      app.post("/callbacks", express.raw({ type: "*/*", limit: "1mb" }), expressCallbackHandler(options));
      const { url, close } = await serveExpress(app);
      return { post: poster(`${url}/callbacks`), close };
    },
  ],
  [
    "Express with a parser that keeps the bytes",
    async (options) => {
      const app = express();
      const verify = (request: object, _: unknown, bytes: Buffer) => void Object.assign(request, { rawBody: bytes });
      app.use(express.json({ verify, limit: "1mb" }));
      app.post("/callbacks", expressCallbackHandler(options));
      const { url, close } = await serveExpress(app);
      return { post: poster(`${url}/callbacks`), close };
    },
  ],
  [
    "Fastify",
    async (options) => {
      const app = fastify();
      app.register(fastifyCallbackPlugin({ ...options, path: "/callbacks" }));
      return {
        post: poster(`${await app.listen({ host: "127.0.0.1", port: 0 })}/callbacks`),
        close: () => app.close(),
      };
    },
  ],
  [
    "Fastify with a JSON parser of its own",
    async (options) => {
      const app = fastify();
      app.addContentTypeParser("application/json", { parseAs: "string" }, (_, body, done) => done(null, { body }));
      app.register(fastifyCallbackPlugin({ ...options, path: "/callbacks" }));
      return {
        post: poster(`${await app.listen({ host: "127.0.0.1", port: 0 })}/callbacks`),
        close: () => app.close(),
      };
    },
  ],
];

describe.each(frameworks)("callbacks by %s", (_, serve) => {
  it("reach onCallback when they are genuine, and are answered 204", async () => {
    const seen: TillgateCallback[] = [];
    const { post, close } = await serve({ webhookSecret, onCallback: (callback) => void seen.push(callback) });
    expect(await post(signed(), rawBody)).toEqual({ status: 204, text: "" });
    expect(seen).toEqual([callbackBody()]);
    await close();
  });

  it("are refused with 400 and the reason when they are not, and onCallback does not run", async () => {
    const [seen, refused] = [[] as unknown[], [] as TillgateSignatureError[]];
    const options = { onCallback: (each: unknown) => void seen.push(each), webhookSecret };
    const { post, close } = await serve({ ...options, onRefused: (error) => void refused.push(error) });
    expect(await post(signed(), rawBody.replace("processing", "success"))).toMatchObject({ status: 400 });
    expect(await post(signed(rawBody, otherSecret), rawBody)).toEqual({ status: 400, text: "signature_mismatch" });
    expect(await post({}, rawBody)).toEqual({ status: 400, text: "header_missing" });
    expect(await post(signed("[]"), "[]")).toEqual({ status: 400, text: "body_malformed" });
    expect(seen).toEqual([]);
    const reasons = ["signature_mismatch", "signature_mismatch", "header_missing", "body_malformed"];
    expect(refused.map(({ reason }) => reason)).toEqual(reasons);
    await close();
  });

  it("are answered 500 when onCallback throws, so that the service sends them again", async () => {
    const onCallback = async () => {
      throw new Error("the database is away");
    };
    const { post, close } = await serve({ webhookSecret, onCallback });
    expect(await post(signed(), rawBody)).toMatchObject({ status: 500 });
    await close();
  });

  it("are answered when onCallback has ended, not before", async () => {
    let ended = false;
    const onCallback = async () => {
      await new Promise((resolve) => setImmediate(resolve));
      ended = true;
    };
    const { post, close } = await serve({ webhookSecret, onCallback });
    expect(await post(signed(), rawBody)).toMatchObject({ status: 204 });
    expect(ended).toBe(true);
    await close();
  });

  it("are verified by scheme 1 when that is the key", async () => {
    const key = { kind: "rsa", privateKeyPem: pair.privateKeyPem } as const;
    const projectId = "project-1";
    const { post, close } = await serve({ publicKeyPem: pair.publicKeyPem, projectId, onCallback: () => {} });
    expect(await post(callbackHeaders(rawBody, nowS(), key), rawBody)).toMatchObject({ status: 204 });
    const foreign = JSON.stringify(callbackBody({ project_id: "project-2" }));
    const answer = await post(callbackHeaders(foreign, nowS(), key), foreign);
    expect(answer).toEqual({ status: 400, text: "project_foreign" });
    await close();
    const secret = { kind: "hmac", secret: "the project's" } as const;
    const byHmac = await serve({ callbackSecret: secret.secret, onCallback: () => {} });
    expect(await byHmac.post(callbackHeaders(rawBody, nowS(), secret), rawBody)).toMatchObject({ status: 204 });
    await byHmac.close();
  });
});

describe("the handler on a standard Request", () => {
  const handle = createCallbackHandler({ webhookSecret, onCallback: () => {} });

  it("takes POST only", async () => {
    const answer = await handle(new Request("https://shop.example/callbacks"));
    expect([answer.status, answer.headers.get("allow")]).toEqual([405, "POST"]);
  });

  it("reads no more than a callback can have", async () => {
    const body = " ".repeat(300 * 1024);
    const headers = signed(body);
    const answer = await handle(new Request("https://shop.example/callbacks", { method: "POST", headers, body }));
    expect(answer.status).toBe(413);
  });

  it("says so when the body was read before", async () => {
    const request = new Request("https://shop.example/callbacks", { method: "POST", body: rawBody });
    await request.text();
    await expect(handle(request)).rejects.toThrow("the body was read before");
  });
});

it("Express with its JSON parser first is told how to mend it", async () => {
  const app = express();
  const thrown: unknown[] = [];
  app.use(express.json());
  app.post("/callbacks", expressCallbackHandler({ webhookSecret, onCallback: () => {} }));
  app.use(((error, _, response, __) => {
    thrown.push(error);
    response.status(500).end();
  }) satisfies express.ErrorRequestHandler);
  const { url, close } = await serveExpress(app);
  expect(await poster(`${url}/callbacks`)(signed(), rawBody)).toMatchObject({ status: 500 });
  expect(thrown).toMatchObject([
    { name: "TillgateError", advice: expect.stringContaining("before app.use(express.json())") },
  ]);
  await close();
});

it("the other routes of a Fastify server keep their parsers", async () => {
  const app = fastify();
  app.register(fastifyCallbackPlugin({ webhookSecret, onCallback: () => {}, path: "/callbacks" }));
  app.post("/orders", async (request) => ({ parsed: request.body }));
  const answer = await app.inject({ method: "POST", url: "/orders", headers: JSON_TYPE, payload: '{"a":1}' });
  expect(answer.json()).toEqual({ parsed: { a: 1 } });
  await app.close();
});

it.each([
  ["no key", {}],
  ["a secret that is missing from the environment", { webhookSecret: undefined }],
  ["a secret without its prefix", { webhookSecret: "made-up" }],
  ["two kinds of key", { webhookSecret, callbackSecret: "x" }],
  ["a public key without a project", { publicKeyPem: pair.publicKeyPem }],
  ["a public key that cannot be read", { publicKeyPem: "no key", projectId: "p" }],
  ["an empty secret", { callbackSecret: "" }],
  ["no function", { webhookSecret, onCallback: undefined }],
])("a handler is not made with %s", (_, changes) => {
  const options = { onCallback: () => {}, path: "/callbacks", ...changes } as never;
  for (const make of [createCallbackHandler, expressCallbackHandler, fastifyCallbackPlugin]) {
    expect(() => make(options)).toThrow(TillgateError);
  }
});
