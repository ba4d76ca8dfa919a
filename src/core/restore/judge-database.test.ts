import { describe, expect, it } from "vitest";
import { judgeDatabase, type Pulse, type RestoreReason, type SeenServer } from "./judge-database.ts";

const NOW = new Date("2026-01-31T12:00:00Z");
const ago = (seconds: number) => new Date(NOW.getTime() - seconds * 1000);

function judge(pulse: Partial<Pulse>, seen: Partial<SeenServer>, remembered?: Date) {
  const server = { systemIdentifier: "7001", timeline: 3, recoveryTarget: "" };
  return judgeDatabase(
    { ...server, beatAt: ago(2), silence: null, ...pulse },
    { ...server, now: NOW, ...seen },
    remembered,
  );
}

describe("nothing is paused", () => {
  it.each<[string, Partial<Pulse>, Partial<SeenServer>, Date | undefined, "same" | "failover"]>([
    ["an ordinary beat", {}, {}, ago(2), "same"],
    ["a restart", {}, {}, undefined, "same"],
    ["a month without a process", { beatAt: ago(30 * 86_400) }, {}, undefined, "same"],
    ["an outage of an hour", { beatAt: ago(3_600) }, {}, ago(3_600), "same"],
    ["a failover, seen by a process that lived through it", {}, { timeline: 4 }, ago(2), "failover"],
    ["a failover, seen by a process that starts", { beatAt: ago(40) }, { timeline: 4 }, undefined, "failover"],
    ["several failovers in a row", { beatAt: ago(290) }, { timeline: 9 }, undefined, "failover"],
    ["a failover after an hour of outage", { beatAt: ago(3_600) }, { timeline: 4 }, ago(3_600), "failover"],
    ["a failover that lost the last seconds", { beatAt: ago(90) }, { timeline: 4 }, ago(31), "failover"],
    ["a failover to a server whose clock is behind", { beatAt: ago(-5) }, { timeline: 4 }, undefined, "failover"],
    ["a clock that was ahead, and was put right", { beatAt: ago(2) }, {}, ago(-600), "same"],
    ["a failover to a clock that is behind, noticed by another", { beatAt: ago(1) }, { timeline: 3 }, ago(-90), "same"],
    [
      "a process that starts after an outage wrote first",
      { silence: { from: ago(900), until: ago(1) } },
      {},
      ago(901),
      "same",
    ],
    ["a silence of long ago", { silence: { from: ago(900), until: ago(600) } }, {}, ago(2), "same"],
    ["another process wrote last", { beatAt: ago(0) }, {}, ago(2), "same"],
    ["a server that does not tell", { systemIdentifier: null, timeline: null }, {}, undefined, "same"],
    ["a server that no longer tells", {}, { systemIdentifier: null, timeline: null }, undefined, "same"],
    [
      "a target of a restore of long ago",
      { recoveryTarget: "t1" },
      { timeline: 4, recoveryTarget: "t1" },
      ago(2),
      "failover",
    ],
    ["a target that was taken away", { recoveryTarget: "t1" }, { timeline: 4 }, ago(2), "failover"],
    ["a target that was only written down", {}, { recoveryTarget: "t1" }, ago(2), "same"],
  ])("%s", (_what, pulse, seen, remembered, kind) => {
    expect(judge(pulse, seen, remembered)).toEqual({ kind });
  });
});

describe("it is taken for a restore", () => {
  it.each<[string, Partial<Pulse>, Partial<SeenServer>, Date | undefined, RestoreReason]>([
    ["a dump that was loaded into another server", {}, { systemIdentifier: "7002" }, undefined, "other_server"],
    ["the same under a process", {}, { systemIdentifier: "7002" }, ago(2), "other_server"],
    ["a backup of an hour ago", { beatAt: ago(3_600) }, { timeline: 4 }, undefined, "other_timeline"],
    ["the same under a process", { beatAt: ago(3_600) }, { timeline: 4 }, ago(30), "older_than_written"],
    ["a snapshot of the disk under a process", { beatAt: ago(3_600) }, {}, ago(2), "older_than_written"],
    [
      "a point in time of a minute ago",
      { beatAt: ago(60) },
      { timeline: 4, recoveryTarget: "t1" },
      undefined,
      "recovery_target",
    ],
    [
      "another point in time",
      { recoveryTarget: "t1" },
      { timeline: 4, recoveryTarget: "t2" },
      ago(2),
      "recovery_target",
    ],
    ["an older timeline", {}, { timeline: 2 }, undefined, "timeline_back"],
    [
      "a snapshot under a process, after one that starts wrote first",
      { silence: { from: ago(3_600), until: ago(1) } },
      {},
      ago(30),
      "older_than_written",
    ],
    ["a snapshot on a server whose clock is behind", { beatAt: ago(3_600) }, {}, ago(-90), "older_than_written"],
    ["a failover that lost two minutes", { beatAt: ago(150) }, { timeline: 4 }, ago(30), "older_than_written"],
  ])("%s", (_what, pulse, seen, remembered, why) => {
    expect(judge(pulse, seen, remembered)).toMatchObject({ kind: "restored", why });
  });
});
