// npm run bench: one file a question. Prints a table, and writes the figures to bench/results/ as JSON.
import { mkdirSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { askAll } from "./ask.mjs";
import { benchBalance } from "./balance.mjs";
import { benchCallbacks } from "./callbacks.mjs";
import { benchCreates } from "./creates.mjs";
import { benchDrain } from "./drain.mjs";
import { benchEcom } from "./ecom.mjs";
import { benchLending } from "./lending.mjs";
import { benchPayins } from "./payins.mjs";
import { benchStatement } from "./statement.mjs";

const QUESTIONS = {
  payins: () => benchPayins(options),
  balance: benchBalance,
  creates: benchCreates,
  ecom: benchEcom,
  drain: benchDrain,
  callbacks: benchCallbacks,
  lending: benchLending,
  statement: benchStatement,
};

const { values, positionals: wanted } = parseArgs({
  allowPositionals: true,
  options: {
    count: { type: "string" },
    "at-once": { type: "string" },
    rate: { type: "string" },
    projects: { type: "string" },
    rsa: { type: "boolean" },
    statements: { type: "boolean" },
    profile: { type: "string" },
  },
});
const options = {
  ...values,
  ...Object.fromEntries(
    Object.entries({ count: values.count, atOnce: values["at-once"], rate: values.rate, projects: values.projects })
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, Number(value)]),
  ),
};
const unknown = wanted.filter((name) => !(name in QUESTIONS));
if (unknown.length > 0) {
  console.error(`There is no benchmark ${unknown.join(", ")}. There are: ${Object.keys(QUESTIONS).join(", ")}.`);
  process.exit(2);
}

const asked = Object.entries(QUESTIONS).filter(([name]) => wanted.length === 0 || wanted.includes(name));
const { results, failed } = await askAll(Object.fromEntries(asked), printResult);
const machine = { node: process.version, cores: cpus().length, cpu: cpus()[0]?.model };
const directory = fileURLToPath(new URL("results/", import.meta.url));
mkdirSync(directory, { recursive: true });
writeFileSync(
  `${directory}latest.json`,
  `${JSON.stringify({ at: new Date().toISOString(), machine, results }, null, 2)}\n`,
);
if (failed.length > 0) {
  console.error(`\nFailed: ${failed.join(", ")}.`);
  process.exitCode = 1;
}

function printResult({ question, rows, notes, failure }) {
  console.log(`\n${question}\n`);
  console.log("                             a second   p50 ms   p99 ms   ratio   aim");
  for (const { name, perSecond, p50Ms, p99Ms, ratio, aim } of rows) {
    const figures = [show(perSecond, 0, 10), show(p50Ms, 2, 8), show(p99Ms, 2, 8), show(ratio, 2, 7)];
    console.log(`${name.padEnd(26)} ${figures.join(" ")}   ${aim ?? ""}`);
  }
  for (const note of notes) console.log(`\n${note}`);
  if (failure !== undefined) console.error(`\nFAILED: ${failure}`);
}

function show(figure, digits, width) {
  return (figure?.toFixed(digits) ?? "").padStart(width);
}
