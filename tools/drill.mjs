// npm run drill: breaks a cluster under load, and says what clients noticed and whether anything was lost. Exit code: 0 when nothing
// was, 1 when something was lost, doubled or wrong, 2 when the command was not understood.
import { argv, exit } from "node:process";
import { HELP, readOptions } from "./drill/options.mjs";
import { endAll, killAll } from "./drill/processes.mjs";
import { findRequirements } from "./drill/requirements.mjs";
import { runDrill } from "./drill/run-drill.mjs";
import { SCENARIOS } from "./drill/scenarios.mjs";

const names = SCENARIOS.map(({ name }) => name);
const options = readOptions(argv.slice(2), names);
if (options.fault !== undefined) {
  console.error(`${options.fault}\n\n${HELP}`);
  exit(2);
}
if (options.help || options.list) {
  console.log(options.help ? HELP : names.join("\n"));
  exit(0);
}
const requirements = findRequirements();
if (requirements.lacks.length > 0) {
  console.error(`THE DRILL WAS SKIPPED:\n${requirements.lacks.map((lack) => `  - ${lack}`).join("\n")}`);
  // Continuous integration installs all of it, so there it is a fault.
  exit(process.env.CI === "true" ? 1 : 0);
}

const LIMIT_MS = options.short ? 300_000 : 1_800_000;

process.on("exit", killAll);
setTimeout(() => {
  console.error(`THE DRILL FAILED: it did not end within ${LIMIT_MS / 60_000} minutes.`);
  exit(1);
}, LIMIT_MS).unref();
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => endAll().finally(() => exit(1)));
const code = await runDrill(options, requirements).catch((error) => {
  console.error(error);
  return 1;
});
await endAll();
exit(code);
