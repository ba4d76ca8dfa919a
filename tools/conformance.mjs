// npm run conformance -- NAME: holds one connector to the rules that every connector must keep, and prints each rule with its
// result. Exit code: 0 when no rule was broken, 1 when one was, 2 when the command was not understood.
import { existsSync } from "node:fs";
import { argv, exit } from "node:process";
import { fileURLToPath } from "node:url";
import { stripVTControlCharacters } from "node:util";

const ROOT = fileURLToPath(new URL("..", import.meta.url));

/** The tests that run the suites of src/connectors for a connector. A row without `cards`: it charges none, which a rule checks. */
export const CONNECTORS = {
  sandbox: { requests: "src/connectors/sandbox/connector.test.ts", cards: "src/connectors/sandbox/cards.test.ts" },
  pool: { requests: "src/pool/connector/connector.test.ts" },
  upstream: { requests: "src/connectors/upstream/connector.test.ts", cards: "src/connectors/upstream/cards.test.ts" },
  example: { requests: "examples/connector/connector.test.ts", needsDatabase: false },
};

const WORDS = { passed: "passed", failed: "FAILED", skipped: "not offered", pending: "FAILED" };
const ERROR_LINES_MAX = 12;

if (argv[1] === fileURLToPath(import.meta.url)) exit(await main(argv.slice(2)));

async function main(words) {
  const wanted = words.filter((word) => word !== "--no-database");
  const plan = wanted.length === 1 ? planOf(wanted[0], words.includes("--no-database")) : undefined;
  if (plan === undefined) {
    const names = Object.keys(CONNECTORS).join(", ");
    console.error(
      `npm run conformance -- NAME, where NAME is one of: ${names}; or the path of a test file of your own.`,
    );
    return 2;
  }
  const { suites, faults } = await run(plan);
  return report(plan, suites, faults);
}

/** What to run: a connector of the table, or a file that calls the suites. */
function planOf(name, withoutDatabase) {
  if (Object.hasOwn(CONNECTORS, name)) {
    const { requests, cards, needsDatabase = true } = CONNECTORS[name];
    const files = [requests, cards].filter((file) => file !== undefined);
    return { name, files, prefix: `${name}: `, hasCards: cards !== undefined, needsDatabase };
  }
  if (!name.endsWith(".ts") || !existsSync(name)) return undefined;
  return { name, files: [name], prefix: "", hasCards: true, needsDatabase: !withoutDatabase };
}

/** The rules by suite, in order, and what went wrong outside of them. */
async function run({ files, prefix, needsDatabase }) {
  const suites = new Map();
  const faults = [];
  const onTestRunEnd = (modules, unhandled) => {
    for (const testModule of modules) {
      faults.push(...testModule.errors());
      for (const test of testModule.children.allTests()) {
        const suite = test.parent.name ?? "";
        if (!suite.startsWith(prefix)) continue;
        const { state, errors = [] } = test.result();
        suites.set(suite, [...(suites.get(suite) ?? []), { rule: test.name, state, errors }]);
      }
    }
    faults.push(...unhandled);
  };
  // Here, and not above: a word that is not understood is answered at once.
  const { startVitest } = await import("vitest/node");
  const vitest = await startVitest("test", files, {
    ...{ root: ROOT, watch: false, include: files, reporters: [{ onTestRunEnd }] },
    ...(prefix === "" ? {} : { testNamePattern: `^${prefix}` }),
    ...(needsDatabase ? {} : { globalSetup: [] }),
  });
  await vitest.close();
  return { suites, faults };
}

function report({ name, hasCards }, suites, faults) {
  const counts = { passed: 0, FAILED: 0, "not offered": 0 };
  for (const [suite, rules] of suites) {
    console.log(`\n${suite}`);
    for (const { rule, state, errors } of rules) {
      const word = WORDS[state];
      counts[word] += 1;
      console.log(`  ${word.padEnd(12)} ${rule}`);
      for (const error of errors) printError(error);
    }
  }
  if (!hasCards) {
    counts["not offered"] += 1;
    console.log("  not offered  the suite of cards: this connector charges none");
  }
  for (const fault of faults) printError(fault);
  const { passed, FAILED: failed, "not offered": absent } = counts;
  console.log(`\n${name}: ${passed} passed, ${failed} failed, ${absent} not offered.`);
  return failed === 0 && faults.length === 0 && passed > 0 ? 0 : 1;
}

function printError({ message = "", diff = "", stacks: [place] = [] }) {
  const where = place === undefined ? "" : `\nat ${place.file}:${place.line}`;
  const lines = stripVTControlCharacters(`${message}\n${diff}`).trim().split("\n").slice(0, ERROR_LINES_MAX);
  for (const line of [...lines, ...where.trim().split("\n")]) console.log(`      ${line}`);
}
