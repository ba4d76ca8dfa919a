import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { read } from "./deployed-processes.ts";

/** The tools that are on this machine, on the files as they are; the others are named as skipped. */
const CHECK = fileURLToPath(new URL("../../tools/check-deploy.mjs", import.meta.url));

it("every tool that is here accepts the files of deploy/", () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [CHECK], { encoding: "utf8" });
  const skipped = stdout.split("\n").filter((line) => line.startsWith("SKIPPED"));
  if (skipped.length > 0) process.stderr.write(`\n${skipped.join("\n")}\n\n`);
  expect([status, stdout.split("\n").filter((line) => line.startsWith("FAILED")), stderr]).toEqual([0, [], ""]);
});

it("docs/operations.md names the exposure that the check allows", () => {
  const [, allowed] = /const EXPOSURE_MAX = ([\d.]+);/.exec(read("tools/check-deploy/systemd.mjs")) ?? [];
  expect(read("docs/operations.md")).toContain(`gives each unit an exposure of ${allowed} (`);
});
