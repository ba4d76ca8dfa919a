// What may be said on the command line: questions by name, and how large they are.
import { parseArgs } from "node:util";

const NUMBERS = { count: "count", "at-once": "atOnce", rate: "rate", projects: "projects", seconds: "seconds" };

/** Ends the process with a sentence where a question or an option is not known. */
export function readOptions(known) {
  const { values, positionals: wanted } = parse();
  const unknown = wanted.filter((name) => !known.includes(name));
  if (unknown.length > 0) stop(`There is no question ${unknown.join(", ")}. There are: ${known.join(", ")}.`);
  const { long = false, rsa, statements, profile } = values;
  const options = { long, rsa, statements, profile };
  for (const [name, member] of Object.entries(NUMBERS)) {
    if (values[name] === undefined) continue;
    options[member] = Number(values[name]);
    if (!(options[member] > 0)) stop(`--${name} must be a number above 0. It is "${values[name]}".`);
  }
  return { wanted, options };
}

function parse() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        long: { type: "boolean" },
        rsa: { type: "boolean" },
        statements: { type: "boolean" },
        profile: { type: "string" },
        ...Object.fromEntries(Object.keys(NUMBERS).map((name) => [name, { type: "string" }])),
      },
    });
  } catch (error) {
    return stop(error.message);
  }
}

function stop(sentence) {
  console.error(sentence);
  process.exit(2);
}
