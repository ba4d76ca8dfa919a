import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { Secret } from "../../platform/secret.ts";
import { useTestDatabase } from "../../testing/database/test-database.ts";
import { startPooler, type TestPooler } from "../../testing/database/test-pooler.ts";
import { openDatabase } from "../db.ts";
import { examineDatabase } from "./examine.ts";

/** A real PgBouncer: the one that is named, or the one that is installed. */
const program = process.env.TILLGATE_TEST_PGBOUNCER || "pgbouncer";
const version = /PgBouncer (\d+)\.(\d+)/.exec(spawnSync(program, ["--version"], { encoding: "utf8" }).stdout ?? "");
const canPrepare = version !== null && (Number(version[1]) > 1 || Number(version[2]) >= 21);
if (!canPrepare) {
  const found = version === null ? "No PgBouncer was found" : `${version[0]} is older than 1.21`;
  process.stderr.write(
    `${found}, so tests of poolers were SKIPPED. TILLGATE_TEST_PGBOUNCER=/path names a newer one.\n`,
  );
}

const { db, url } = useTestDatabase();
const postgres = inject("postgres");
const database = new URL(url.replace("@/", "@unix/")).pathname.slice(1);
const user = `pooled_${randomBytes(6).toString("hex")}`;
beforeAll(async () => {
  await db.run({ text: `create role ${user} login` });
});
const poolers: TestPooler[] = [];
afterAll(async () => {
  for (const pooler of poolers) await pooler.close();
  await db.run({ text: `drop role ${user}` });
});

async function pooler(...settings: string[]): Promise<TestPooler> {
  const started = await startPooler(program, user, settings);
  poolers.push(started);
  return started;
}

const through = ({ port }: TestPooler) => `postgresql://${user}@127.0.0.1:${port}/${database}?sslmode=disable`;
const past = (name = database) =>
  `postgresql://${user}@/${name}?host=${encodeURIComponent(postgres.host)}&port=${postgres.port}`;

function optionsOf(urlText: string, directUrl?: string) {
  return {
    connection: { url: new Secret(urlText), directUrl: directUrl === undefined ? undefined : new Secret(directUrl) },
    connectionsMax: 8,
    applicationName: "pooler test",
    onIdleError: () => undefined,
  };
}

async function refusalOf(urlText: string, directUrl?: string): Promise<string> {
  const examined = await examineDatabase(optionsOf(urlText, directUrl));
  return examined.ok ? examined.value : examined.error;
}

const IGNORING = "ignore_startup_parameters = statement_timeout,lock_timeout,idle_in_transaction_session_timeout";

describe.skipIf(version === null)("any PgBouncer", () => {
  it("is refused without a direct URL, whether it refuses our settings or drops them", async () => {
    const wanted = /^DATABASE_URL leads through a pooler.*set DATABASE_DIRECT_URL/;
    expect(await refusalOf(through(await pooler()))).toMatch(wanted);
    expect(await refusalOf(through(await pooler(IGNORING)))).toMatch(wanted);
  });

  it("is refused where it does not keep prepared statements apart", async () => {
    const without = await pooler(canPrepare ? "max_prepared_statements = 0" : "");
    expect(await refusalOf(through(without), past())).toMatch(
      /does not keep prepared statements apart: use PgBouncer 1\.21/,
    );
  });
});

it("a server without a pooler is ready", async () => {
  expect(await refusalOf(past())).toBe("ready");
});

describe.skipIf(!canPrepare)("a PgBouncer that keeps prepared statements apart", () => {
  let shared: TestPooler;
  beforeAll(async () => {
    shared = await pooler();
  });

  it("is refused with a direct URL that leads through a pooler too", async () => {
    expect(await refusalOf(through(shared), through(shared))).toMatch(/^DATABASE_DIRECT_URL leads through a pooler/);
  });

  it("is refused while the role has no time-outs, and taken after what the sentence says was run", async () => {
    const sentence = await refusalOf(through(shared), past());
    expect(sentence).toMatch(
      /^On connections through DATABASE_URL statement_timeout is 0 ms and must be from 1 to 7000/,
    );
    const remedy = /Run in psql: (.*;) Then/.exec(sentence)?.[1]?.split(";") ?? [];
    for (const text of remedy.filter((each) => each.trim() !== "")) await db.run({ text });
    await shared.reconnect();
    expect(await refusalOf(through(shared), past())).toBe("ready");
  });

  it("is refused with a direct URL to another database", async () => {
    expect(await refusalOf(through(shared), past("postgres"))).toMatch(/^A notification .* did not arrive/);
  });

  it("carries named statements, transactions and time-outs, while LISTEN goes past it", async () => {
    await db.run({ text: `alter role ${user} in database ${database} set statement_timeout = 300` });
    await shared.reconnect();
    const pooled = openDatabase(optionsOf(through(shared), past()));
    try {
      const named = { name: "pooled_sum", text: "select $1::int + $2::int as sum" };
      const sums = Array.from({ length: 200 }, (_, index) =>
        index % 2 === 0
          ? pooled.run<{ sum: number }>({ ...named, values: [index, 1] })
          : pooled.transaction((tx) => tx.run<{ sum: number }>({ ...named, values: [index, 1] })),
      );
      expect((await Promise.all(sums)).map(([row]) => row?.sum)).toEqual(sums.map((_, index) => index + 1));
      await expect(pooled.run({ text: "select pg_sleep(5)" })).rejects.toMatchObject({ code: "57014" });
      const listener = await pooled.connect();
      const heard = new Promise((resolve) => listener.on("notification", ({ payload }) => resolve(payload)));
      await listener.query("listen pooled_test");
      await pooled.transaction((tx) => tx.run({ text: "select pg_notify('pooled_test', 'said')" }));
      expect(await heard).toBe("said");
      await listener.end();
    } finally {
      await pooled.close();
    }
  });
});
