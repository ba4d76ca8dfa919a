import { execFileSync } from "node:child_process";

/**
 * Whether a program that a test needs is on this machine; if not, the run says so: `describe.skipIf(!isThere("haproxy", …))`.
 * Only Node, npm packages and Chromium are demanded of the machine that runs `npm test`.
 */
export function isThere(program: string, tested: string): boolean {
  try {
    execFileSync("sh", ["-c", `command -v ${program}`], { stdio: "ignore" });
    return true;
  } catch {
    process.stderr.write(`\nSKIPPED: the tests of ${tested} need ${program}, which this machine lacks.\n\n`);
    return false;
  }
}
