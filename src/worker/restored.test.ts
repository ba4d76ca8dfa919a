import { expect, it } from "vitest";
import { declareRestore } from "../app/restore/declare-restore.ts";
import { resumeRestore } from "../app/restore/resume-restore.ts";
import { takePulse } from "../app/restore/take-pulse.ts";
import { useTestDatabase } from "../testing/database/test-database.ts";
import { APPROVED, aFakeProvider, NEVER_SEEN, open, REFUSED } from "../testing/rigs/fake-provider.ts";
import { useWorkerRig } from "../testing/rigs/worker-rig.ts";

/** What the worker does on a database that was restored, as this process knows it and as it does not know it yet. */
const database = useTestDatabase();
const { db } = database;
const rig = useWorkerRig(database);
const declare = () => declareRestore(db, { actor: "olga", reason: "test", knownUntil: undefined });
const resume = () => resumeRestore(db, { actor: "olga", despite: "test" });
/** As the server does when another one takes over, or a backup is replayed. */
const beginTimeline = () => db.run({ text: "update database_pulse set timeline = timeline - 1" });

it("sends no payout, though its directory does not know of the restore, and sends it after the resume", async () => {
  const provider = aFakeProvider("first", { send: () => APPROVED });
  const key = await rig.aPayout([provider]);
  // The directory is read here, and not again: as in a process that has not heard of it.
  await rig.deps.currentDirectory();
  await declare();
  await rig.workOff();
  expect(provider.asked).toEqual([]);
  expect(await rig.find(key)).toMatchObject({ state: "processing:new", attemptCount: 0, reference: null });
  expect(await resume()).toMatchObject({ ok: true, value: { woken: 1 } });
  expect(await rig.look(key)).toMatchObject({ state: "success" });
});

it("sends no payout in the seconds in which a new timeline was not judged", async () => {
  const provider = aFakeProvider("judged", { send: () => APPROVED });
  const key = await rig.aPayout([provider]);
  await beginTimeline();
  await rig.workOff();
  expect(provider.asked).toEqual([]);
  expect((await takePulse(db, undefined, "test")).verdict).toEqual({ kind: "failover" });
  expect(await rig.look(key)).toMatchObject({ state: "success" });
});

it("does not take another route, and remembers nothing of the refusal that it would lose", async () => {
  const first = aFakeProvider("refuses", { send: () => REFUSED, payout: () => REFUSED });
  const second = aFakeProvider("other", { send: () => APPROVED });
  await rig.pause("provider", second.code);
  const key = await rig.aPayout([first, second]);
  await rig.workOff();
  expect(await rig.attemptsOf(key)).toEqual(["refuses refused"]);
  await rig.resume("provider", second.code);
  await rig.deps.currentDirectory();
  await declare();
  expect(await rig.look(key)).toMatchObject({ state: "processing:payout_process", attemptCount: 1 });
  expect(second.asked).toEqual([]);
  await resume();
  expect(await rig.look(key)).toMatchObject({ state: "success", attemptCount: 2 });
});

it("applies what a provider says of a payout that it has", async () => {
  const provider = aFakeProvider("asked", { send: () => ({ kind: "pending" }), payout: () => ({ kind: "pending" }) });
  const key = await rig.aPayout([provider]);
  await rig.workOff();
  await declare();
  provider.answers.payout = () => APPROVED;
  expect(await rig.look(key)).toMatchObject({ state: "success" });
  await resume();
});

it("does not repeat a payout that the provider never saw, once the directory says so", async () => {
  const provider = aFakeProvider("unseen", { send: () => ({ kind: "unknown" }), payout: () => NEVER_SEEN });
  const key = await rig.aPayout([provider]);
  await rig.workOff();
  expect(provider.countOf("send")).toBe(1);
  await declare();
  // The directory is read again.
  await rig.pause("method", "card-p2p");
  await rig.look(key);
  expect([provider.countOf("send"), provider.countOf("payout")]).toEqual([1, 1]);
  await resume();
  await rig.resume("method", "card-p2p");
  await rig.look(key);
  expect(provider.countOf("send")).toBe(2);
});

it("goes on with P2P pay-ins", async () => {
  await declare();
  const provider = aFakeProvider("payins", { payin: () => open() });
  const key = await rig.aPayin([provider]);
  await rig.workOff();
  expect(await rig.find(key)).toMatchObject({ state: "processing:awaiting_confirm" });
  await resume();
});
