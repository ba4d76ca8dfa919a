// Runs the tools that understand the files of deploy/, each that is on this machine, and says which file was tried by which.
//
//   npm run check:deploy             what takes seconds
//   npm run check:deploy -- --build  builds the image too, or does its steps where there is no engine; takes minutes and a network
//
// With CI=true it fails where a tool is missing that .ci/run installs. NODE_IMAGE is the image to build from, if not the usual one.
import { buildImage } from "./check-deploy/build-image.mjs";
import { checkHaproxy, checkKubernetes, compose, hadolint } from "./check-deploy/file-checks.mjs";
import { checkUnits } from "./check-deploy/systemd.mjs";

/** What continuous integration has; the others may be absent there too. */
const INSTALLED_BY_CI = ["haproxy"];

const checks = [hadolint, compose, checkHaproxy, checkUnits, checkKubernetes];
if (process.argv.includes("--build")) checks.push(buildImage);

let failed = false;
for (const check of checks) {
  for (const result of await check()) {
    const missingHere = result.kind === "skipped" && process.env.CI === "true" && INSTALLED_BY_CI.includes(result.tool);
    failed ||= result.kind === "failed" || missingHere;
    console.log(`${result.kind.toUpperCase().padEnd(8)} ${result.file.padEnd(44)} ${result.tool}: ${result.text}`);
  }
}
process.exitCode = failed ? 1 : 0;
