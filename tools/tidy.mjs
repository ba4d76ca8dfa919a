// Keeps the house in order: who may import whom, who may read the environment, how long a file
// may be and how many a folder may hold. Import circles and long functions are found by biome: see biome.json.
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { checkWords } from "./words.mjs";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const LINES_MAX = 300;
const DECISION_LINES_MAX = 40;
/** Files of a folder that are not tests: a folder that a person can read as an index. */
const FOLDER_FILES_MAX = 25;

/** For each room, the rooms it may import from besides itself. */
const MAY_IMPORT = {
  core: [],
  platform: ["core"],
  store: ["core", "platform"],
  app: ["core", "store", "platform"],
  api: ["core", "app", "platform"],
  worker: ["core", "app", "store", "platform"],
  cli: ["core", "app", "store", "platform"],
  sandbox: ["platform"],
  connectors: ["core", "platform"],
  // The wing of own receiving accounts: each of its layers may import the same or a lower layer of the house.
  "pool/core": ["core", "platform"],
  "pool/store": ["pool/core", "core", "store", "platform"],
  "pool/app": ["pool/core", "pool/store", "core", "app", "store", "platform"],
  "pool/cli": ["pool/core", "pool/store", "pool/app", "core", "app", "store", "cli", "platform"],
  "pool/connector": ["pool/core", "core", "platform"],
};
/** The command table, and what composes processes, bring the pool in; nothing else of the house knows it. */
const MAY_IMPORT_POOL = ["src/cli/commands.ts"];
/** Files at the root of src put everything together; the tests' own room may use all of it. */
const COMPOSERS = [
  "main",
  "service",
  "compose-process",
  "compose-sandbox",
  "compose-providers",
  "compose-gauges",
  "compose-alerts",
  "open-store",
  "config",
  "testing",
];
/** The pages that sign normalise by the SDK's own module, which needs nothing of Node. */
const WEB_MAY_IMPORT = ["sdk/src/normalise.ts"];
/** The connector of docs/connectors.md keeps the rule that it teaches; what plays its provider needs the suites too. */
const EXAMPLE = "examples/connector";
const EXAMPLE_MAY_IMPORT = [`${EXAMPLE}/`, ...MAY_IMPORT.connectors.map((room) => `src/${room}/`)];
const MAY_READ_ENVIRONMENT = ["src/main.ts"];

/** `import … from "./x"`, `export … from "./x"`, `import "./x"` and `import("./x")`, wherever they stand. */
const IMPORT = /\b(?:from|import)\s*\(?\s*"(\.[^"]+)"/g;

const faults = [];
const sources = filesBelow("src").concat(
  ...["sdk/src", "test", "sdk/test", "web", EXAMPLE].map((directory) => filesBelow(directory)),
  ...[".tsx", ".css"].map((ending) => filesBelow("web", ending)),
);
for (const file of sources) {
  const text = readFileSync(join(ROOT, file), "utf8");
  checkLength(file, text);
  checkImports(file, text);
  checkEnvironment(file, text);
}
checkFolders(sources);
for (const file of filesBelow("docs/decisions", ".md")) {
  const lines = readFileSync(join(ROOT, file), "utf8").trimEnd().split("\n").length;
  if (lines > DECISION_LINES_MAX) faults.push(`${file}: ${lines} lines; a decision fits in ${DECISION_LINES_MAX}`);
}
faults.push(...checkWords());
if (faults.length > 0) {
  console.error(faults.join("\n"));
  process.exit(1);
}
console.log(`tidy: ${sources.length} files`);

function checkLength(file, text) {
  // A file that a tool writes is as long as what it is made from.
  if (text.startsWith("// Written by tools/")) return;
  const lines = text.split("\n").length - 1;
  if (lines > LINES_MAX && !file.endsWith(".test.ts"))
    faults.push(`${file}: ${lines} lines; split it below ${LINES_MAX}`);
}

function checkFolders(files) {
  const counts = new Map();
  for (const file of files) {
    const folder = dirname(file);
    const isCounted = /^(src|web)\//.test(file) && !file.endsWith(".test.ts");
    if (isCounted) counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  for (const [folder, count] of counts) {
    if (count > FOLDER_FILES_MAX) faults.push(`${folder}: ${count} files; a folder holds at most ${FOLDER_FILES_MAX}`);
  }
}

function checkImports(file, text) {
  for (const [, specifier] of text.matchAll(IMPORT)) {
    const target = relative(ROOT, join(ROOT, dirname(file), specifier));
    const reason = refusal(file, target);
    if (reason !== undefined) faults.push(`${file}: imports ${target}: ${reason}`);
  }
}

function refusal(file, target) {
  if (file.startsWith("sdk/")) return target.startsWith("sdk/") ? undefined : "the SDK stands alone";
  if (file.startsWith("web/")) {
    return target.startsWith("web/") || WEB_MAY_IMPORT.includes(target) ? undefined : "the browser's part stands alone";
  }
  if (file.startsWith("test/")) return undefined;
  if (file.startsWith(EXAMPLE)) {
    const isAllowed =
      /\/(acme-world|[\w-]+\.test)\.ts$/.test(file) || EXAMPLE_MAY_IMPORT.some((room) => target.startsWith(room));
    return isAllowed ? undefined : `a connector may import ${MAY_IMPORT.connectors.join(", ")}`;
  }
  const from = roomOf(file);
  if (file.endsWith(".test.ts") || COMPOSERS.includes(from)) {
    return from !== "testing" && !file.endsWith(".test.ts") && roomOf(target) === "testing"
      ? "testing is for tests"
      : undefined;
  }
  const allowed = MAY_IMPORT[from];
  if (allowed === undefined) return `src/${from} is not a room; add it to tools/tidy.mjs`;
  if (target.startsWith("src/pool/") && !file.startsWith("src/pool/")) {
    return MAY_IMPORT_POOL.includes(file) ? undefined : "only composers and the command table know the pool";
  }
  if (from === "connectors" && isOfAnotherConnector(file, target)) return "connectors do not know each other";
  const inside = roomOf(target) === from;
  return inside || allowed.some((room) => target.startsWith(`src/${room}/`))
    ? undefined
    : `${from} may import ${allowed.join(", ") || "nothing"}`;
}

/** Each connector has a folder; what lies beside the folders belongs to all. */
function isOfAnotherConnector(file, target) {
  const [, room, folder, ...rest] = target.split("/");
  return room === "connectors" && rest.length > 0 && folder !== file.split("/")[2];
}

function roomOf(file) {
  const [, room = "", layer = ""] = file.split("/");
  return room === "pool" ? `pool/${layer}` : room.replace(/\.ts$/, "").replace(/\.test$/, "");
}

function checkEnvironment(file, text) {
  if (!file.startsWith("src/") || file.endsWith(".test.ts") || MAY_READ_ENVIRONMENT.includes(file)) return;
  if (/\bprocess\.env\b/.test(text))
    faults.push(`${file}: reads process.env; src/config.ts is handed it by src/main.ts`);
}

function filesBelow(directory, ending = ".ts") {
  try {
    return readdirSync(join(ROOT, directory), { withFileTypes: true, recursive: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith(ending))
      .map((entry) => relative(ROOT, join(entry.parentPath ?? entry.path, entry.name)));
  } catch {
    return [];
  }
}
