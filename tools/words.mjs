// Counts words that the style forbids (STYLE.md, "Plain English"). Each count may only fall: tools/words.json keeps it.
// `node tools/words.mjs --list` shows each place; `node tools/words.mjs --lower` writes counts that have fallen.
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const COUNTS = "tools/words.json";
const WHERE = ["src", "web", "sdk/src", "docs", "sdk/README.md", "README.md"].concat([
  "ARCHITECTURE.md",
  "CONTRIBUTING.md",
  "STYLE.md",
]);
const ENDINGS = /\.(ts|tsx|md|yaml|html)$/;
/** Tests, and what only tests use: their names and fixtures are not read by an operator or a merchant. */
const LEFT_OUT = /\.test\.tsx?$|^src\/testing\/|\/node_modules\/|\/dist\//;

/** The word, how it is found, and what to write instead. */
const FORBIDDEN = [
  ["nobody", /\bnobody\b/gi, "name the actor, or write 'no payment', 'unmatched', 'not assigned'"],
  ["somebody", /\b(some|any|every)body\b/gi, "name the actor: the operator, the worker, the payer"],
  ["whoever", /\bwho(ever|mever|soever)\b/gi, "name the actor: 'the process that', 'the operator who'"],
  ["anew", /\banew\b/gi, "again"],
  [
    "what became of",
    /\bwhat(ever)? (became|becomes|has become|had become|came|comes) of\b/gi,
    "the result, the outcome",
  ],
  ["blanks", /\bblanks?\b/gi, "spaces, whitespace"],
  ["at night", /\b(payments at night|to the night)\b/gi, "stuck payments; what the operator does"],
  ["vouch", /\bvouch(es|ed|ing)?\b/gi, "confirm, prove"],
  ["for ever", /\bfor (ever|good)\b/gi, "permanently; 'never changes'"],
  ["mend", /\bmend(s|ed|ing)?\b/gi, "fix, correct"],
  ["all the same", /\ball the same\b/gi, "still, anyway"],
  ["once more", /\bonce more\b/gi, "again"],
  ["tell of", /\b(hears?|heard|hearing|tells?|told) of\b/gi, "reports, learns, is notified of"],
];

/** The faults of the tree as it is: a count that rose, or one that fell and is not written down yet. */
export function checkWords() {
  const allowed = readCounts();
  const places = findPlaces();
  return FORBIDDEN.flatMap(([word, , instead]) => {
    const found = places.filter((place) => place.word === word);
    const limit = allowed[word] ?? 0;
    if (found.length > limit) {
      const lines = found.map(({ file, line }) => `  ${file}:${line}`).join("\n");
      return [`"${word}" is written ${found.length} times, at most ${limit}. Write instead: ${instead}.\n${lines}`];
    }
    if (found.length < limit)
      return [`"${word}" is written ${found.length} times: lower ${limit} in ${COUNTS} (node tools/words.mjs --lower)`];
    return [];
  });
}

function findPlaces() {
  return WHERE.flatMap(filesBelow).flatMap((file) =>
    readFileSync(join(ROOT, file), "utf8")
      .split("\n")
      .flatMap((text, index) =>
        FORBIDDEN.flatMap(([word, pattern]) =>
          [...text.matchAll(pattern)].map(() => ({ word, file, line: index + 1, text: text.trim() })),
        ),
      ),
  );
}

function filesBelow(start) {
  const path = join(ROOT, start);
  const entries = statSync(path).isFile()
    ? [path]
    : readdirSync(path, { withFileTypes: true, recursive: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath ?? entry.path, entry.name));
  return entries.map((entry) => relative(ROOT, entry)).filter((file) => ENDINGS.test(file) && !LEFT_OUT.test(file));
}

function readCounts() {
  return JSON.parse(readFileSync(join(ROOT, COUNTS), "utf8"));
}

/** Writes what has fallen, and leaves alone what has risen: that is for a person to rewrite. */
function lowerCounts() {
  const allowed = readCounts();
  const places = findPlaces();
  const counts = FORBIDDEN.map(([word]) => {
    const found = places.filter((place) => place.word === word).length;
    return [word, Math.min(found, allowed[word] ?? 0)];
  });
  const kept = Object.fromEntries(counts.filter(([, count]) => count > 0));
  writeFileSync(join(ROOT, COUNTS), `${JSON.stringify(kept, null, 2)}\n`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (process.argv.includes("--lower")) lowerCounts();
  if (process.argv.includes("--list"))
    for (const { word, file, line, text } of findPlaces()) console.log(`${file}:${line}: [${word}] ${text}`);
  console.log(`words: ${findPlaces().length} that the style forbids`);
}
