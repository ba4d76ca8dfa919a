import pg from "pg";
import { describe, expect, it } from "vitest";
import { parsePostgresUrl } from "./postgres-url.ts";

/** What `pg` makes of each server's URL, since that is where we connect. */
function readByPg(text: string): object[] {
  const url = parsePostgresUrl(text);
  if (!url.ok) throw new Error(url.error);
  return url.value.servers.map((server) => {
    const { host, port, user, password, database } = new pg.Client({ connectionString: url.value.urlOf(server) });
    return { host, port, user, password, database };
  });
}

const U = { user: "u", password: "p", database: "db" };

describe("a URL of PostgreSQL leads to", () => {
  it.each<[string, object[]]>([
    ["postgresql://u:p@h1/db", [{ ...U, host: "h1", port: 5432 }]],
    ["postgres://u:p@h1:6000/db", [{ ...U, host: "h1", port: 6000 }]],
    [
      "postgresql://u:p@h1:5432,h2:5433,h3/db?target_session_attrs=read-write",
      [
        { ...U, host: "h1", port: 5432 },
        { ...U, host: "h2", port: 5433 },
        { ...U, host: "h3", port: 5432 },
      ],
    ],
    [
      "postgresql://u:p@/db?host=a,b&port=1,2",
      [
        { ...U, host: "a", port: 1 },
        { ...U, host: "b", port: 2 },
      ],
    ],
    [
      "postgresql:///db?host=a,b&port=7&user=u&password=p",
      [
        { ...U, host: "a", port: 7 },
        { ...U, host: "b", port: 7 },
      ],
    ],
    [
      "postgresql://u:p@[::1]:5433,[2001:db8::2]/db",
      [
        { ...U, host: "::1", port: 5433 },
        { ...U, host: "2001:db8::2", port: 5432 },
      ],
    ],
    [
      "postgresql://u:p@%2Fvar%2Frun,h2:5433/db",
      [
        { ...U, host: "/var/run", port: 5432 },
        { ...U, host: "h2", port: 5433 },
      ],
    ],
    ["postgresql://u:p@h1/?dbname=other", [{ ...U, host: "h1", port: 5432, database: "other" }]],
    [
      "postgresql://%C3%BC%40x:%2F%3F%25%2C%3A+@h1/a%20b%25?x=%26",
      [{ user: "ü@x", password: "/?%,:+", host: "h1", port: 5432, database: "a b%" }],
    ],
    // Not as libpq, but as before: what is after the last one is the host.
    ["postgresql://u:p@ss@h1/db", [{ ...U, password: "p@ss", host: "h1", port: 5432 }]],
    ["postgresql://u:p#1@h1/db", [{ ...U, password: "p#1", host: "h1", port: 5432 }]],
  ])("%s", (text, places) => expect(readByPg(text)).toEqual(places));
});

it("keeps what pg reads itself, and takes out what it does not know", () => {
  const url = parsePostgresUrl(
    "postgresql://u@h1,h2/db?sslmode=verify-full&connect_timeout=3&target_session_attrs=primary&application_name=a%26b",
  );
  if (!url.ok) throw new Error(url.error);
  expect(url.value).toMatchObject({ role: "primary", connectTimeoutMs: 3_000 });
  const client = new pg.Client({ connectionString: url.value.urlOf({ host: "h2", port: undefined }) });
  expect(client).toMatchObject({ host: "h2", ssl: {}, connectionParameters: { application_name: "a&b" } });
  expect(url.value.urlOf({ host: "h2", port: undefined })).not.toMatch(/target_session|connect_timeout/);
});

it.each(["any", "read-write", "read-only", "primary", "standby", "prefer-standby"])(
  "knows target_session_attrs=%s",
  (role) =>
    expect(parsePostgresUrl(`postgresql://h/db?target_session_attrs=${role}`)).toMatchObject({ value: { role } }),
);

it.each([
  ["mysql://u:hunter2@h/db", "must begin with postgresql://"],
  ["postgresql://u:hunter2@h1:x/db", "a port of its host 1 that is no number from 1 to 65535"],
  ["postgresql://u:hunter2@h1,h2:70000/db", "a port of its host 2"],
  ["postgresql://u:hunter2@h1,/db", "an empty host"],
  ["postgresql://u:hunter2@h1,h2,h3/db?port=1,2", "2 ports for 3 hosts"],
  ["postgresql://u:hunter2%@h1/db", '"%" that begins no character'],
  ["postgresql://u:hunter2%00@h1/db", '"%" that begins no character'],
  ["postgresql://u:hunter2%ff@h1/db", "not UTF-8"],
  ["postgresql://u:1/hunter2@h1/db", '"@" after a "/"'],
  ["postgresql://u:hun/ter2@h1/db", '"@" after a "/"'],
  ["postgresql://u:hunter2@[::1/db", "a port of its host 1"],
  ["postgresql://u:hunter2@h1/db?target_session_attrs=hunter2", "target_session_attrs that is none of any"],
  ["postgresql://u:hunter2@h1/db?sslmode=disabled", "sslmode that is none of"],
  ["postgresql://u:hunter2@h1/db?load_balance_hosts=random", "load_balance_hosts, which is not supported"],
  ["postgresql://u:hunter2@h1/db?hostaddr=10.0.0.1", "hostaddr, which is not supported"],
  ["postgresql://u:hunter2@h1/db?connect_timeout=hunter2", "connect_timeout that is no whole number"],
  ["postgresql://u:hunter2@h1/db?sslmode", 'parameter without "="'],
  ["postgresql://u:hunter2@h1/a%3Fb", "database name"],
])("refuses %s in words that do not repeat it", (text, fault) => {
  const url = parsePostgresUrl(text);
  expect(url).toEqual({ ok: false, error: expect.stringContaining(fault) });
  expect(JSON.stringify(url)).not.toContain("hunter2");
});
