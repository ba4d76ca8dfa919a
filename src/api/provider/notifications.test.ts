import fastify from "fastify";
import { beforeAll, describe, expect, it } from "vitest";
import type { Connector, Notification } from "../../core/connector.ts";
import { fail, ok } from "../../core/result.ts";
import { aFakeProvider } from "../../testing/rigs/fake-provider.ts";
import { addProviderRoutes } from "./notifications.ts";

const BODIES = { hint: '{"x": 1}', forged: "forged", foreign: "foreign" } as const;

/** Takes what it reads as the connector says, and remembers it as it came. */
function aDoor() {
  const read: Notification[] = [];
  const connector: Connector = {
    ...aFakeProvider("acme"),
    readNotification: (notification) => {
      read.push(notification);
      const text = notification.rawBody.toString();
      if (text === BODIES.forged) return fail("not_authentic");
      return text === BODIES.foreign ? fail("not_understood") : ok([]);
    },
  };
  const server = fastify();
  server.removeAllContentTypeParsers();
  server.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, done) => done(null, body));
  addProviderRoutes(server, {
    findConnector: (code) => (code === "acme" ? connector : undefined),
    takeNotification: async (found, notification) => {
      const subjects = found.readNotification(notification);
      return subjects.ok ? ok(undefined) : subjects;
    },
  });
  return { server, read };
}

describe.each(["callback", "notifications"])("POST /provider/NAME/%s", (path) => {
  const { server, read } = aDoor();
  beforeAll(() => server.ready());
  const post = async (name: string, payload: string, headers: Record<string, string> = {}) => {
    const url = `/provider/${name}/${path}`;
    const answer = await server.inject({ method: "POST", url, payload, headers });
    return [answer.statusCode, JSON.parse(answer.body).code];
  };

  it("hands the raw body and the headers to the provider's connector", async () => {
    const url = `/provider/acme/${path}`;
    const headers = { "content-type": "application/json", "x-access-signature": "s" };
    const answer = await server.inject({ method: "POST", url, payload: BODIES.hint, headers });
    expect([answer.statusCode, answer.body]).toEqual([200, "{}"]);
    expect(read.at(-1)?.rawBody.toString()).toBe(BODIES.hint);
    expect(read.at(-1)?.headers).toMatchObject(headers);
  });

  it("refuses a name that no provider has, what is not the provider's, and what it does not understand", async () => {
    expect(await post("nobody", BODIES.hint)).toEqual([404, "not_found"]);
    expect(await post("acme", BODIES.forged)).toEqual([401, "signature_invalid"]);
    expect(await post("acme", BODIES.foreign)).toEqual([400, "malformed_json"]);
    expect(await post("acme", "")).toEqual([200, undefined]);
  });
});
