import fastify from "fastify";
import { expect, it } from "vitest";
import { ACCOUNT_ROUTES } from "./account/routes.ts";
import { MERCHANT_CALLS } from "./merchant/routes.ts";
import { addDeadlines, ENDLESS_ROUTES, LONG_ROUTES, limitOf } from "./request-deadline.ts";

const DEADLINE_MS = 50;

function aServer() {
  const server = fastify();
  addDeadlines(server, { requestDeadlineMs: DEADLINE_MS });
  server.setErrorHandler((error, _request, reply) => reply.code(503).send({ reason: (error as Error).message }));
  return server;
}

it("answers a request that takes too long in the form of an error, and its late answer is dropped", async () => {
  const server = aServer();
  let finish: (answer: string) => void = () => undefined;
  server.get(
    "/slow",
    () =>
      new Promise((resolve) => {
        finish = resolve;
      }),
  );
  server.get("/fast", async () => "done");
  const answer = await server.inject("/slow");
  expect([answer.statusCode, answer.json()]).toEqual([503, { reason: "the request took too long" }]);
  finish("too late");
  expect((await server.inject("/fast")).body).toBe("done");
});

it("gives a file as long as it takes", async () => {
  const server = aServer();
  const [path = ""] = ENDLESS_ROUTES;
  server.get(path, async () => {
    await new Promise((resolve) => setTimeout(resolve, 10 * DEADLINE_MS));
    return "all of it";
  });
  expect((await server.inject(path)).body).toBe("all of it");
});

it("names routes that exist", () => {
  const known = new Set([
    ...ACCOUNT_ROUTES.map(({ path }) => `/account/api/${path}`),
    ...MERCHANT_CALLS.map(({ path }) => path),
    ...["/3ds/:token/return", "/pay/:token/change", "/pay/:token/events"],
  ]);
  for (const route of [...LONG_ROUTES, ...ENDLESS_ROUTES]) expect(known.has(route), route).toBe(true);
  expect(limitOf("/api/v1/payment/p2p/payin", 5_000)).toBe(5_000);
  expect(limitOf("/sandbox/api/act", 5_000)).toBe(30_000);
});
