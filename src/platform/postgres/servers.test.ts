import { afterAll, describe, expect, inject, it } from "vitest";
import { openTestServers } from "../../testing/database/test-servers.ts";
import { parsePostgresUrl, type WantedRole } from "./postgres-url.ts";
import { openServers, refusalOf, type Servers } from "./servers.ts";

const LIMIT_MS = 20_000;
const { user } = inject("postgres");
const test = await openTestServers();
afterAll(test.close);
const { primary, readOnly, frozen, dead } = test;

function serversAt(ports: readonly number[], query = "", as: string = user): Servers {
  const hosts = ports.map((port) => `127.0.0.1:${port}`).join(",");
  const url = parsePostgresUrl(`postgresql://${as}@${hosts}/postgres?sslmode=disable&${query}`);
  if (!url.ok) throw new Error(url.error);
  return openServers(url.value);
}

async function portOf(servers: Servers, limitMs = LIMIT_MS): Promise<number> {
  const client = await servers.connect({}, limitMs);
  await client.end();
  return client.port;
}

describe("a list of servers", () => {
  it.each<[string, number[], string, number]>([
    ["the first that answers", [dead, readOnly, primary], "", readOnly],
    ["the first that takes writes", [dead, readOnly, primary], "target_session_attrs=read-write", primary],
    ["the first that takes none", [primary, readOnly], "target_session_attrs=read-only", readOnly],
    ["the first that is no standby", [readOnly, primary], "target_session_attrs=primary", readOnly],
    ["a primary, where a standby was only preferred", [primary, dead], "target_session_attrs=prefer-standby", primary],
  ])("leads to %s", async (_, ports, query, port) => expect(await portOf(serversAt(ports, query))).toBe(port));

  it("leaves the others their share of the time when one of them is silent", async () => {
    expect(await portOf(serversAt([frozen, primary]), 4_000)).toBe(primary);
  });

  it("is tried with those last that were silent", async () => {
    const servers = serversAt([frozen, dead]);
    const orderOf = async () => (await portOf(servers, 200).catch((error) => error)).message;
    expect(await orderOf()).toMatch(new RegExp(`:${frozen} no answer.*:${dead} .*ECONNREFUSED`));
    expect(await orderOf()).toMatch(new RegExp(`:${dead} .*ECONNREFUSED.*:${frozen} no answer`));
  });

  it("is tried from the server that was right last, unless that one has another role by now", async () => {
    const servers = serversAt([test.turning.port, primary], "target_session_attrs=read-write");
    test.turning.setReadOnly(true);
    expect(await portOf(servers)).toBe(primary);
    test.turning.setReadOnly(false);
    expect(await portOf(servers)).toBe(primary);
    const other = serversAt([test.turning.port, primary], "target_session_attrs=read-write");
    expect(await portOf(other)).toBe(test.turning.port);
    test.turning.setReadOnly(true);
    expect(await portOf(other)).toBe(primary);
  });

  it("says of each why it cannot be used, with a code that means unavailable", async () => {
    const error = await portOf(serversAt([dead, readOnly], "target_session_attrs=read-write")).catch((each) => each);
    expect(error).toMatchObject({ code: "08001" });
    expect(error.message).toMatch(
      new RegExp(
        `^no server of the list is read-write \\(127.0.0.1:${dead} .*ECONNREFUSED.*; 127.0.0.1:${readOnly} is read-only\\)$`,
      ),
    );
  });

  it("is given up at the first server that refuses the user", async () => {
    const before = test.turning.connections();
    await expect(portOf(serversAt([primary, test.turning.port], "", "unknown_user"))).rejects.toMatchObject({
      code: "28000",
    });
    expect(test.turning.connections()).toBe(before);
  });
});

it("one server that is silent is unavailable after the limit, or after connect_timeout", async () => {
  await expect(portOf(serversAt([frozen], "connect_timeout=1"))).rejects.toThrow("no answer within 1000 ms");
  await expect(portOf(serversAt([frozen]), 200)).rejects.toMatchObject({ code: "ETIMEDOUT" });
});

const STANDBY = { isStandby: true, isReadOnly: true };
const PRIMARY = { isStandby: false, isReadOnly: false };
const READ_ONLY = { isStandby: false, isReadOnly: true };

it.each<[WantedRole, string[]]>([
  ["any", ["yes", "yes", "yes"]],
  ["read-write", ["no", "yes", "no"]],
  ["read-only", ["yes", "no", "yes"]],
  ["primary", ["no", "yes", "yes"]],
  ["standby", ["yes", "no", "no"]],
])("%s: a standby, a primary and a read-only primary are %j", (role, answers) =>
  expect([STANDBY, PRIMARY, READ_ONLY].map((each) => (refusalOf(role, each) === undefined ? "yes" : "no"))).toEqual(
    answers,
  ),
);
