// npm run bench: one file a question. Prints the answers, and writes them to bench/results/ as JSON and as Markdown.
import { mkdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { askAll } from "./ask.mjs";
import { stopAllServices } from "./kit/service.mjs";
import { readOptions } from "./options.mjs";
import { benchAccount } from "./questions/account.mjs";
import { benchCallbacks } from "./questions/callbacks.mjs";
import { benchCalls } from "./questions/calls.mjs";
import { benchCards } from "./questions/cards.mjs";
import { benchGrowth } from "./questions/growth.mjs";
import { benchLending } from "./questions/lending.mjs";
import { benchPage } from "./questions/page.mjs";
import { benchPayins } from "./questions/payins.mjs";
import { benchPayments } from "./questions/payments.mjs";
import { benchQueue } from "./questions/queue.mjs";
import { benchReqlog } from "./questions/reqlog.mjs";
import { benchSoak } from "./questions/soak.mjs";
import { benchStatement } from "./questions/statement.mjs";
import { benchUpstream } from "./questions/upstream.mjs";
import { asMarkdown, asText, describeRun } from "./report.mjs";

/** In the order in which they are asked. The last ones only by name or with --long. */
const QUESTIONS = {
  calls: benchCalls,
  cards: benchCards,
  payments: benchPayments,
  callbacks: benchCallbacks,
  growth: benchGrowth,
  queue: benchQueue,
  soak: benchSoak,
  payins: benchPayins,
  lending: benchLending,
  statement: benchStatement,
  account: benchAccount,
  reqlog: benchReqlog,
  page: benchPage,
  upstream: benchUpstream,
};
const ONLY_IF_LONG = ["payins", "lending", "statement", "account", "reqlog", "page", "upstream"];

const { wanted, options } = readOptions(Object.keys(QUESTIONS));
const asked = Object.keys(QUESTIONS).filter((name) =>
  wanted.length === 0 ? options.long || !ONLY_IF_LONG.includes(name) : wanted.includes(name),
);
const questions = Object.fromEntries(asked.map((name) => [name, () => QUESTIONS[name](options)]));
for (const signal of ["SIGINT", "SIGTERM"]) {
  process.once(signal, async () => {
    await stopAllServices();
    process.exit(1);
  });
}
const began = performance.now();
const run = describeRun();
const { results, failed } = await askAll(questions, printAnswer);
write();
if (failed.length > 0) {
  console.error(`\nFailed: ${failed.join(", ")}.`);
  process.exitCode = 1;
}

function printAnswer(answer) {
  console.log(asText(answer));
  if (answer.failure !== undefined) console.error(`\nFAILED: ${answer.failure}`);
}

/** A run of all questions is named by its commit alone. */
function write() {
  const directory = fileURLToPath(new URL("results/", import.meta.url));
  mkdirSync(directory, { recursive: true });
  const path = `${directory}${[run.commit, ...wanted].join("-")}`;
  const seconds = Math.round((performance.now() - began) / 1000);
  writeFileSync(`${path}.json`, `${JSON.stringify({ ...run, seconds, results }, null, 2)}\n`);
  const { at, commit, machine } = run;
  const about = `Commit ${commit}, ${at}, Node ${machine.node}, ${machine.cores} cores of ${machine.cpu}.`;
  const parts = Object.entries(results).map(([name, answer]) => asMarkdown(name, answer));
  writeFileSync(`${path}.md`, `${[about, ...parts].join("\n\n")}\n`);
  console.log(`\nWritten: ${path}.json and .md`);
}
