import { beforeEach, expect, it } from "vitest";
import type { AttentionEntry } from "../../core/attention/attention.ts";
import { claimAlertLook, listFailingChannels } from "../../store/alerts/alert-channels.ts";
import { RUB } from "../../testing/builders/projects.ts";
import { useTestDatabase } from "../../testing/database/test-database.ts";
import { readAttention } from "../../testing/rigs/with-pool.ts";
import type { Attention } from "../attention/read-attention.ts";
import type { AlertChannel } from "./alert-channel.ts";
import type { AlertMessage } from "./alert-message.ts";
import { tellAttention } from "./tell-attention.ts";

const { db } = useTestDatabase();
const pile = (count: number, book: "live" | "test" = "live") => ({ book, currency: RUB, count, sum: 5n, oldestS: 120 });

let found: Attention;
let sent: AlertMessage[] = [];
let refusal: string | undefined;
let warnings: object[] = [];

beforeEach(async () => {
  await db.run({ text: "delete from alert_findings" });
  await db.run({ text: "delete from alert_channels" });
  found = await readAttention(db);
  [sent, warnings, refusal] = [[], [], undefined];
});

function there(change: { [E in AttentionEntry]?: unknown }): void {
  found = { ...found, ...change } as Attention;
}

const webhook: AlertChannel = {
  name: "webhook",
  send: async (message) => {
    if (refusal === undefined) sent.push(message);
    return refusal;
  },
};

const deps = {
  db,
  channels: [webhook],
  log: { warn: (fields: object) => void warnings.push(fields) } as never,
  readAttention: async () => found,
  publicUrl: () => "https://pay.example.com",
};

/** The next look, though its time has not come. */
async function look(channels: readonly AlertChannel[] = [webhook]): Promise<void> {
  await db.run({ text: "update alert_channels set next_look_at = now()" });
  await tellAttention({ ...deps, channels });
}

/** As if so much time had passed since the last look. */
async function pass(hours: number): Promise<void> {
  await db.run({
    text: `update alert_findings set seen_at = seen_at - make_interval(mins => $1), told_at = told_at - make_interval(mins => $1)`,
    values: [hours * 60],
  });
}

const subjects = () => sent.map(({ subject }) => subject.replace("Tillgate pay.example.com: ", ""));

it("tells a finding once when it appears, again while it lasts, and once when it is gone", async () => {
  await look();
  expect(subjects()).toEqual([]);
  there({ disputes: [{ ...pile(2), state: "dispute:payout_timeout" }], unknown: [pile(1)] });
  await look();
  await look();
  expect(subjects()).toEqual(["2 new"]);
  expect(sent[0]?.text).toContain("2 payments in dispute (live, dispute:payout_timeout RUB), the oldest since ");
  expect(sent[0]?.text).toContain("docs/operations.md#tillgatedisputesnew");
  expect(sent[0]?.body).toMatchObject({ new: [{ entry: "unknown" }, { entry: "disputes", count: 2, book: "live" }] });
  await pass(7);
  await look();
  expect(subjects().slice(1)).toEqual(["2 still there"]);
  there({ disputes: [] });
  await look();
  await pass(0.1);
  await look();
  expect(subjects().slice(2)).toEqual([]);
  await pass(0.2);
  await look();
  await look();
  expect(subjects().slice(2)).toEqual(["1 gone"]);
  expect(sent[2]?.text).toContain("- disputes live dispute:payout_timeout RUB");
  there({ disputes: [{ ...pile(2), state: "dispute:payout_timeout" }] });
  await look();
  expect(subjects().slice(3)).toEqual(["1 new"]);
});

it("tells sooner when there is twice as much", async () => {
  there({ unknown: [pile(4)] });
  await look();
  there({ unknown: [pile(7)] });
  await look();
  expect(subjects()).toEqual(["1 new"]);
  there({ unknown: [pile(8)] });
  await look();
  await look();
  expect(subjects()).toEqual(["1 new", "1 still there"]);
});

it("what is gone for less than ten minutes and comes back is not told", async () => {
  there({ unknown: [pile(1)] });
  await look();
  there({ unknown: [] });
  await look();
  there({ unknown: [pile(1)] });
  await look();
  await pass(0.5);
  there({ unknown: [pile(1)] });
  await look();
  expect(subjects()).toEqual(["1 new"]);
});

it("play money wakes no operator", async () => {
  there({ unknown: [pile(3, "test")] });
  await look();
  expect(sent).toEqual([]);
});

it("of many processes one sends, and only when it is time", async () => {
  there({ unknown: [pile(1)] });
  await Promise.all(Array.from({ length: 8 }, () => tellAttention(deps)));
  expect(subjects()).toEqual(["1 new"]);
  there({ shortfalls: [pile(1)] });
  await Promise.all(Array.from({ length: 8 }, () => tellAttention(deps)));
  expect(subjects()).toEqual(["1 new"]);
  await db.run({ text: "update alert_channels set next_look_at = now()" });
  await Promise.all(Array.from({ length: 8 }, () => tellAttention(deps)));
  expect(subjects()).toEqual(["1 new", "1 new"]);
});

it("a channel that refuses is tried again with pauses, and then told what is left in one message", async () => {
  const letters: AlertMessage[] = [];
  const email: AlertChannel = { name: "email", send: async (message) => void letters.push(message) as undefined };
  refusal = "it answered 500";
  there({ unknown: [pile(1)], shortfalls: [pile(1)] });
  await look([webhook, email]);
  await look([webhook, email]);
  expect([subjects(), letters.length]).toEqual([[], 1]);
  expect(warnings).toEqual([
    { channel: "webhook", reason: "it answered 500", failures: 1 },
    { channel: "webhook", reason: "it answered 500", failures: 2 },
  ]);
  const [row] = await db.run<{ pauseS: number }>({
    text: `select extract(epoch from next_look_at - now())::float8 as "pauseS" from alert_channels where channel = 'webhook'`,
  });
  expect(row?.pauseS).toBeGreaterThan(100);
  await db.run({
    text: "update alert_channels set failing_since = now() - interval '1 hour' where channel = 'webhook'",
  });
  expect(await listFailingChannels(db)).toMatchObject([
    { channel: "email", failingS: 0 },
    { channel: "webhook", failingS: expect.closeTo(3_600, -2) },
  ]);
  there({ unknown: [] });
  refusal = undefined;
  await look([webhook, email]);
  expect(subjects()).toEqual(["1 new"]);
  expect(sent[0]?.text).toContain("paid twice");
  expect(await listFailingChannels(db)).toMatchObject([{ failingS: 0 }, { failingS: 0 }]);
});

it("a process that comes too late with its result changes nothing: the next look told it already", async () => {
  there({ unknown: [pile(1)] });
  const late: AlertChannel = {
    name: "webhook",
    send: async () => {
      // Its lease is over, and another process takes the look and tells it.
      await look();
      return "it did not answer in time";
    },
  };
  await look([late]);
  expect(subjects()).toEqual(["1 new"]);
  expect(await listFailingChannels(db)).toMatchObject([{ failingS: 0 }]);
  expect(await claimAlertLook(db, "webhook", 1)).toBeUndefined();
});
