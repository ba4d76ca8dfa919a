import { afterAll, expect, inject, it, vi } from "vitest";
import { Secret } from "../../platform/secret.ts";
import { openTestServers } from "../../testing/database/test-servers.ts";
import { openDatabase } from "../db.ts";
import { listenTo } from "./listen.ts";

const servers = await openTestServers();
const { turning, primary } = servers;
const { user } = inject("postgres");
const openAt = (...ports: number[]) =>
  openDatabase({
    connection: {
      url: new Secret(
        `postgresql://${user}@${ports.map((port) => `127.0.0.1:${port}`).join(",")}/postgres?sslmode=disable`,
      ),
    },
    applicationName: "listen test",
    connectionsMax: 1,
    onIdleError: () => undefined,
  });
const heard: string[] = [];
const lines: string[] = [];
const log = { warn: (_: unknown, text: string) => lines.push(text) } as never;
const pace = { reconnectEveryMs: 20, askEveryMs: 50, answerWithinMs: 500 };
const speaker = openAt(primary);
const said = (text: string) => speaker.run({ text: "select pg_notify('tillgate_pages', $1)", values: [text] });
afterAll(async () => {
  await speaker.close();
  await servers.close();
});

it("a server that falls silent is left for one that answers", async () => {
  const db = openAt(turning.port);
  const listening = listenTo({ db, log }, "tillgate_pages", (text) => heard.push(text), pace);
  await vi.waitFor(() => expect(heard).toEqual([""]), { timeout: 10_000 });
  await said("first");
  await vi.waitFor(() => expect(heard).toEqual(["", "first"]), { timeout: 10_000 });
  turning.freeze();
  await said("not heard");
  // An empty text: something may have been missed.
  await vi.waitFor(() => expect(heard).toEqual(["", "first", ""]), { timeout: 10_000 });
  await said("second");
  await vi.waitFor(() => expect(heard).toEqual(["", "first", "", "second"]), { timeout: 10_000 });
  await listening.close();
  await db.close();
});

it("an outage is one line, and the listener comes back after it", async () => {
  heard.length = 0;
  const db = openAt(servers.dead);
  const listening = listenTo({ db, log }, "tillgate_pages", (text) => heard.push(text), pace);
  await vi.waitFor(() => expect(lines).toEqual(["cannot listen"]), { timeout: 10_000 });
  // Some attempts later.
  await new Promise((resolve) => setTimeout(resolve, 200));
  await servers.startDead();
  await vi.waitFor(() => expect(heard).toEqual([""]), { timeout: 10_000 });
  expect(lines).toEqual(["cannot listen"]);
  await listening.close();
  await db.close();
});
