import { createSocket, type Socket } from "node:dgram";
import { once } from "node:events";
import { afterEach, expect, it } from "vitest";
import { resolveByQuery, resolveBySystem } from "./resolve.ts";

/** The question for IPv4 addresses; any other is taken for the one for IPv6. */
const TYPE_A = 1;
const RESPONSE_FLAGS = 0x8180;
const SERVER_FAILURE = 2;

type Records = Readonly<Record<string, { readonly a: readonly number[][]; readonly aaaa: "fail" | readonly Buffer[] }>>;

const opened: Socket[] = [];
afterEach(() => {
  for (const socket of opened.splice(0)) socket.close();
});

/** A name server on this machine, for a handful of names. */
async function openNameServer(records: Records): Promise<string> {
  const socket = createSocket("udp4");
  opened.push(socket);
  socket.on("message", (query, from) => socket.send(answerTo(query, records), from.port, from.address));
  socket.bind(0, "127.0.0.1");
  await once(socket, "listening");
  return `127.0.0.1:${socket.address().port}`;
}

function answerTo(query: Buffer, records: Records): Buffer {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString("latin1", at + 1, at + 1 + length));
    at += 1 + length;
  }
  const question = query.subarray(12, at + 5);
  const type = query.readUInt16BE(at + 1);
  const known = records[labels.join(".").toLowerCase()];
  const found = type === TYPE_A ? (known?.a ?? []).map((bytes) => Buffer.from(bytes)) : (known?.aaaa ?? []);
  const header = Buffer.alloc(12);
  query.copy(header, 0, 0, 2);
  header.writeUInt16BE(RESPONSE_FLAGS | (found === "fail" ? SERVER_FAILURE : 0), 2);
  header.writeUInt16BE(1, 4);
  const answers = found === "fail" ? [] : found;
  header.writeUInt16BE(answers.length, 6);
  return Buffer.concat([header, question, ...answers.map((data) => record(type, data))]);
}

function record(type: number, data: Buffer): Buffer {
  const head = Buffer.alloc(12);
  // The name is the one of the question, at offset 12.
  head.writeUInt16BE(0xc00c, 0);
  head.writeUInt16BE(type, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt32BE(60, 6);
  head.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, data]);
}

const IPV6 = Buffer.from("26064700000000000000000000000001", "hex");

it("queries for both kinds of addresses, IPv4 first", async () => {
  const server = await openNameServer({
    "shop.example": {
      a: [
        [8, 8, 8, 8],
        [10, 0, 0, 1],
      ],
      aaaa: [IPV6],
    },
  });
  expect(await resolveByQuery([server])("shop.example")).toEqual(["8.8.8.8", "10.0.0.1", "2606:4700::1"]);
});

it("is content with one kind when the other is missing or broken", async () => {
  const server = await openNameServer({
    "old.example": { a: [[8, 8, 8, 8]], aaaa: [] },
    "new.example": { a: [], aaaa: [IPV6] },
    "odd.example": { a: [[1, 1, 1, 1]], aaaa: "fail" },
  });
  const resolve = resolveByQuery([server]);
  expect(await resolve("old.example")).toEqual(["8.8.8.8"]);
  expect(await resolve("new.example")).toEqual(["2606:4700::1"]);
  expect(await resolve("odd.example")).toEqual(["1.1.1.1"]);
});

it("finds no addresses for a name that has none", async () => {
  expect(await resolveByQuery([await openNameServer({})])("nowhere.example")).toEqual([]);
});

it("asks the system for localhost", async () => {
  const addresses = await resolveBySystem("localhost");
  expect(addresses.length).toBeGreaterThan(0);
  for (const address of addresses) expect(["127.0.0.1", "::1"]).toContain(address);
});
