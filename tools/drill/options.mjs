// The words after `npm run drill --`.

export const HELP = `npm run drill [-- OPTIONS]

Starts three PostgreSQL servers under Patroni with etcd, HAProxy, two api and two worker processes, puts a steady load on them, breaks one
thing after the other, and says what clients noticed and whether anything was lost.

  --short         the two scenarios that continuous integration runs
  --only A,B      these scenarios, in this order
  --list          the scenarios' names
  --write         write the table to docs/reliability.md
  --keep          keep the directory with all logs and data
  --rate N        requests a second (60)`;

const FLAGS = ["--short", "--write", "--keep", "--list", "--help"];
const RATE_DEFAULT = 60;
const RATE_MAX = 1_000;

/** `{ fault }` when a word is not understood. */
export function readOptions(words, scenarioNames) {
  const options = { rate: RATE_DEFAULT };
  for (let place = 0; place < words.length; place += 1) {
    const word = words[place];
    if (FLAGS.includes(word)) options[word.slice(2)] = true;
    else if (word === "--only") {
      place += 1;
      options.only = (words[place] ?? "").split(",");
    } else if (word === "--rate") {
      place += 1;
      options.rate = Number(words[place]);
    } else return { fault: `${word} is not an option.` };
  }
  const unknown = options.only?.find((name) => !scenarioNames.includes(name));
  if (unknown !== undefined) return { fault: `"${unknown}" is not a scenario: ${scenarioNames.join(", ")}.` };
  if (!(options.rate >= 1 && options.rate <= RATE_MAX)) return { fault: `--rate is a number from 1 to ${RATE_MAX}.` };
  return options;
}
