import { describe, expect, it } from "vitest";
import type { Id } from "../../core/ids.ts";
import { openLog } from "../../platform/log.ts";
import { findProject } from "../../store/merchants/projects.ts";
import type { PaymentKey } from "../../store/payments/payments.ts";
import { aCardPayin, aPayin, aPayout } from "../../testing/builders/payments.ts";
import { aProject, testKeyring } from "../../testing/builders/projects.ts";
import { useTestDatabase } from "../../testing/database/test-database.ts";
import { readAttention } from "../../testing/rigs/with-pool.ts";
import { openApplyPayments } from "../payments/apply-payments.ts";
import { loadDirectory } from "./directory.ts";
import { configureProject } from "./merchants.ts";
import { type PausedPart, pausePart, resumePart } from "./pauses.ts";

const { db } = useTestDatabase();

const pause = (part: PausedPart) => pausePart(db, { part, reason: "the bank is down", actor: "olga" });
const resume = (part: PausedPart) => resumePart(db, part, "oleg");

async function pausesInDirectory() {
  const log = openLog({ level: "silent", destination: { write: () => undefined } });
  return (await loadDirectory(db, testKeyring(), log, undefined)).pauses;
}

/** As a worker leaves a payment that it may not send now. */
async function postpone(...keys: PaymentKey[]): Promise<void> {
  for (const { projectId, requestId } of keys) {
    await db.run({
      text: "update payments set due_at = now() + interval '1 hour', hinted = false where project_id = $1 and request_id = $2",
      values: [projectId, requestId],
    });
  }
}

async function isDue({ projectId, requestId }: PaymentKey): Promise<boolean> {
  const [row] = await db.run<{ due: boolean }>({
    text: "select due_at <= now() + interval '1 second' as due from payments where project_id = $1 and request_id = $2",
    values: [projectId, requestId],
  });
  return row?.due ?? false;
}

describe("a pause", () => {
  it.each<[PausedPart, "payouts" | "methods" | "providers", string]>([
    [{ kind: "payouts", projectId: undefined }, "payouts", ""],
    [{ kind: "method", name: "card-p2p" }, "methods", "card-p2p"],
    [{ kind: "provider", name: "sandbox" }, "providers", "sandbox"],
  ])("of %j reaches every process through the directory, and so does its end", async (part, set, name) => {
    expect(await pause(part)).toEqual({ ok: true, value: { changed: true } });
    expect([...(await pausesInDirectory())[set]]).toEqual([name]);
    expect(await resume(part)).toMatchObject({ ok: true, value: { changed: true } });
    expect([...(await pausesInDirectory())[set]]).toEqual([]);
  });

  it("says when it is in force already, and keeps the first reason; so does its end", async () => {
    const part: PausedPart = { kind: "method", name: "sbp-p2p" };
    await pause(part);
    expect(await pausePart(db, { part, reason: "another", actor: "oleg" })).toEqual({
      ok: true,
      value: { changed: false },
    });
    expect((await readAttention(db)).pauses).toMatchObject([
      { name: "sbp-p2p", reason: "the bank is down", actor: "olga" },
    ]);
    await resume(part);
    expect(await resume(part)).toMatchObject({ ok: true, value: { changed: false } });
    expect(await pause(part)).toEqual({ ok: true, value: { changed: true } });
    await resume(part);
    const rows = await db.run({ text: "select actor, ended_by from pauses where name = 'sbp-p2p' order by id" });
    expect(rows).toEqual([
      { actor: "olga", ended_by: "oleg" },
      { actor: "olga", ended_by: "oleg" },
    ]);
  });

  it("of many at once is made once", async () => {
    const part: PausedPart = { kind: "payouts", projectId: undefined };
    const results = await Promise.all(Array.from({ length: 8 }, () => pause(part)));
    expect(results.filter((result) => result.ok && result.value.changed)).toHaveLength(1);
    await resume(part);
  });

  it("of an unknown project is refused", async () => {
    const projectId = "0".repeat(32) as Id;
    for (const kind of ["payouts", "project"] as const) {
      expect(await pause({ kind, projectId })).toEqual({ ok: false, error: "project_unknown" });
      expect(await resume({ kind, projectId })).toEqual({ ok: false, error: "project_unknown" });
    }
  });
});

describe("resuming", () => {
  it("payouts makes those that waited due, and nothing else", async () => {
    const mine = await aPayout(db);
    const sent = await aPayout(db, ["claimed"], { projectId: mine.projectId });
    const payin = await aPayin(db, [], { projectId: mine.projectId });
    const foreign = await aPayout(db);
    const part: PausedPart = { kind: "payouts", projectId: mine.projectId };
    await pause(part);
    await postpone(mine, sent, payin, foreign);
    expect(await resume(part)).toMatchObject({ ok: true, value: { woken: 1, allPayoutsPaused: false } });
    expect(await Promise.all([mine, sent, payin, foreign].map(isDue))).toEqual([true, false, false, false]);
  });

  it("payouts of all wakes those of all; of one says that all are still paused", async () => {
    const all: PausedPart = { kind: "payouts", projectId: undefined };
    const [one, other] = [await aPayout(db), await aPayout(db)];
    const part: PausedPart = { kind: "payouts", projectId: one.projectId };
    await pause(all);
    await pause(part);
    expect(await resume(part)).toMatchObject({ ok: true, value: { changed: true, allPayoutsPaused: true } });
    await postpone(one, other);
    await resume(all);
    expect([await isDue(one), await isDue(other)]).toEqual([true, true]);
  });

  it("a provider wakes new payments in both directions", async () => {
    const part: PausedPart = { kind: "provider", name: "sandbox" };
    const [payin, payout, card] = [await aPayin(db), await aPayout(db), await aCardPayin(db)];
    await pause(part);
    await postpone(payin, payout, card);
    await resume(part);
    // A card that is just being sent must not be asked about too soon.
    expect([await isDue(payin), await isDue(payout), await isDue(card)]).toEqual([true, true, false]);
  });

  it("wakes the workers, once", async () => {
    const part: PausedPart = { kind: "payouts", projectId: undefined };
    const payouts = [await aPayout(db), await aPayout(db)];
    await pause(part);
    await postpone(...payouts);
    const listener = await db.connect();
    const heard: string[] = [];
    listener.on("notification", ({ channel }) => heard.push(channel));
    await listener.query("listen tillgate_due");
    await resume(part);
    await listener.query("select 1");
    await listener.end();
    expect(heard).toEqual(["tillgate_due"]);
  });

  it("a provider makes what a payer chose meanwhile due too, but not what a provider was asked for", async () => {
    const part: PausedPart = { kind: "provider", name: "sandbox" };
    const chosen = await aPayin(db, [{ kind: "chosen" }]);
    const asked = await aPayin(db, [{ kind: "chosen" }]);
    const event = { ...asked, actor: "worker", payin: { kind: "submitted" } } as const;
    expect(await openApplyPayments(db)({ ...event, nextProvider: "sandbox" })).toMatchObject({ ok: true });
    await pause(part);
    await postpone(chosen, asked);
    await resume(part);
    expect(await Promise.all([chosen, asked].map(isDue))).toEqual([true, false]);
  });

  it("what was not paused wakes nobody", async () => {
    const payout = await aPayout(db);
    await postpone(payout);
    expect(await resume({ kind: "payouts", projectId: undefined })).toMatchObject({ ok: true, value: { woken: 0 } });
    expect(await isDue(payout)).toBe(false);
  });
});

describe("a project", () => {
  it("is paused by its status, and attention says by whom and why", async () => {
    const { projectId } = await aProject(db);
    const part: PausedPart = { kind: "project", projectId };
    expect(await pause(part)).toEqual({ ok: true, value: { changed: true } });
    expect(await pause(part)).toEqual({ ok: true, value: { changed: false } });
    expect((await findProject(db, projectId))?.status).toBe("paused");
    expect(await readAttention(db)).toMatchObject({
      pauses: [{ kind: "project", name: projectId }],
      pausedProjects: [],
    });
    expect(await resume(part)).toMatchObject({ ok: true, value: { changed: true } });
    expect(await resume(part)).toMatchObject({ ok: true, value: { changed: false } });
    expect((await findProject(db, projectId))?.status).toBe("active");
    expect((await readAttention(db)).pauses).toEqual([]);
  });

  it("may also be paused and resumed by its settings", async () => {
    const { projectId } = await aProject(db);
    const part: PausedPart = { kind: "project", projectId };
    await configureProject(db, projectId, { settings: { status: "paused" } });
    expect(await readAttention(db)).toMatchObject({ pauses: [], pausedProjects: [{ id: projectId }] });
    await resume(part);
    await pause(part);
    await configureProject(db, projectId, { settings: { status: "active" } });
    expect((await readAttention(db)).pauses).toEqual([]);
    expect(await pause(part)).toEqual({ ok: true, value: { changed: true } });
    await resume(part);
  });
});
