import { once } from "node:events";
import { type AddressInfo, connect } from "node:net";
import fastify from "fastify";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openClientAddress } from "./client-address.ts";

/** Merchants' ordinary requests do not go through the framework: the address found for them must be the one that it finds. */
const PROXIES = ["127.0.0.1", "10.0.0.0/8", "2001:db8::/32"];
const addressOf = openClientAddress(PROXIES);
const server = fastify({ trustProxy: PROXIES });
server.get("/", async (request) => ({ ours: addressOf(request.raw), theirs: request.ip }));

beforeAll(() => server.listen({ port: 0, host: "127.0.0.1" }));
afterAll(() => server.close());

async function askWith(header: string): Promise<{ ours: string; theirs: string }> {
  const socket = connect((server.server.address() as AddressInfo).port, "127.0.0.1").setEncoding("utf8");
  let answer = "";
  socket.on("data", (text) => {
    answer += text;
  });
  socket.write(`GET / HTTP/1.1\r\nHost: x\r\n${header}Connection: close\r\n\r\n`);
  await once(socket, "end");
  return JSON.parse(answer.slice(answer.indexOf("\r\n\r\n")));
}

const forwarded = (value: string) => `X-Forwarded-For: ${value}\r\n`;

it.each([
  ["", "127.0.0.1"],
  [forwarded(""), "127.0.0.1"],
  [forwarded("198.51.100.7"), "198.51.100.7"],
  [forwarded(" 198.51.100.7 "), "198.51.100.7"],
  [forwarded("203.0.113.9, 198.51.100.7"), "198.51.100.7"],
  [forwarded("203.0.113.9, 10.1.2.3"), "203.0.113.9"],
  [forwarded("203.0.113.9,, 10.1.2.3 ,"), "203.0.113.9"],
  [forwarded("203.0.113.9, ::ffff:10.1.2.3"), "203.0.113.9"],
  [forwarded("203.0.113.9, 2001:db8::7, 10.0.0.1"), "203.0.113.9"],
  [forwarded("10.0.0.2, 10.0.0.1"), "10.0.0.2"],
  [forwarded("203.0.113.9, nonsense, 10.0.0.1"), "nonsense"],
  [forwarded("203.0.113.9") + forwarded("198.51.100.7"), "198.51.100.7"],
])("%j comes from %s", async (header, address) => {
  expect(await askWith(header)).toEqual({ ours: address, theirs: address });
});
