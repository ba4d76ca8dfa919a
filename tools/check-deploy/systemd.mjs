// The units in a root directory of their own, so that neither the program nor the units need be installed here.
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { failed, isThere, ok, ROOT, run, skipped } from "./tool.mjs";

/** As docs/operations.md names it. */
const EXPOSURE_MAX = 1.1;
const UNITS = {
  "deploy/systemd/tillgate-api@.service": "tillgate-api@8081.service",
  "deploy/systemd/tillgate-worker@.service": "tillgate-worker@8091.service",
  "deploy/systemd/tillgate-migrate.service": "tillgate-migrate.service",
};
/** Of the system's own units, those that ours name, and what these lead to. */
const SYSTEM_UNITS = ["/lib/systemd/system", "/usr/lib/systemd/system"];

export function checkUnits() {
  const tool = "systemd-analyze";
  if (!isThere(tool)) return Object.keys(UNITS).map((file) => skipped(file, tool, "is missing"));
  const root = mkdtempSync(join(tmpdir(), "tillgate-systemd-"));
  try {
    const units = join(root, "etc/systemd/system");
    cpSync(join(ROOT, "deploy/systemd"), units, { recursive: true });
    const system = SYSTEM_UNITS.find(existsSync);
    if (system !== undefined)
      cpSync(system, join(root, "usr/lib/systemd/system"), { recursive: true, verbatimSymlinks: true });
    mkdirSync(join(root, "usr/local/bin"), { recursive: true });
    writeFileSync(join(root, "usr/local/bin/tillgate"), "");
    chmodSync(join(root, "usr/local/bin/tillgate"), 0o755);
    return Object.entries(UNITS).map(([file, unit]) => checkUnit(file, unit, root));
  } finally {
    rmSync(root, { recursive: true });
  }
}

function checkUnit(file, unit, root) {
  const verified = run("systemd-analyze", ["verify", `--root=${root}`, "--man=no", unit]);
  // It warns of a setting that it does not know, and still succeeds.
  if (!verified.ok || verified.said !== "") return failed(file, "systemd-analyze verify", verified.said);
  const { said } = run("systemd-analyze", ["security", "--offline=true", "--no-pager", `--root=${root}`, unit]);
  const [, exposure] = /Overall exposure level for \S+: ([\d.]+)/.exec(said) ?? [];
  if (exposure === undefined) return failed(file, "systemd-analyze security", said);
  const text = `verify accepts it; security: exposure ${exposure}, at most ${EXPOSURE_MAX}`;
  return (Number(exposure) <= EXPOSURE_MAX ? ok : failed)(file, "systemd-analyze", text);
}
