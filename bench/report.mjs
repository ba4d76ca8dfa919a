// Answers as text for a terminal and as Markdown for docs/performance.md. Ratios come first: rates depend on the machine.
import { spawnSync } from "node:child_process";
import { cpus } from "node:os";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("..", import.meta.url));

/** Of a published table. Each column has its title, the member of a row that it shows, and how many decimals. */
const PUBLISHED = [
  ["ratio", "ratio", 2],
  ["of", "of"],
  ["aim", "aim", 2],
  ["met", "met"],
  ["a second", "perSecond", 0],
  ["p50 ms", "p50Ms", 1],
  ["p99 ms", "p99Ms", 1],
  ["p99.9 ms", "p999Ms", 1],
  ["stolen %", "stolen", 1],
  ["service ms", "serviceMs", 2],
  ["PostgreSQL ms", "postgresMs", 2],
  ["sandbox ms", "sandboxMs", 2],
  ["load ms", "loadMs", 2],
  ["memory MB", "rssMb", 0],
];
const PLAIN = [
  ["a second", "perSecond", 0],
  ["p50 ms", "p50Ms", 2],
  ["p99 ms", "p99Ms", 2],
  ["ratio", "ratio", 2],
  ["aim", "aim", 2],
];

export function asText(answer) {
  const { head, body } = cellsOf(answer);
  const lines = [head, ...body];
  const widths = head.map((_, place) => Math.max(...lines.map((cells) => cells[place].length)));
  const line = (cells) =>
    cells.map((cell, place) => (place === 0 ? cell.padEnd(widths[0]) : cell.padStart(widths[place]))).join("  ");
  return [
    `\n${answer.question}\n`,
    ...(body.length === 0 ? [] : lines.map((cells) => line(cells).trimEnd())),
    ...answer.notes.map((note) => `\n${note}`),
  ].join("\n");
}

export function asMarkdown(name, answer) {
  const { head, body } = cellsOf(answer);
  const line = (cells) => `| ${cells.join(" | ")} |`;
  const rule = `|---|${"---:|".repeat(head.length - 1)}`;
  const sentence = answer.question[0].toUpperCase() + answer.question.slice(1);
  return [
    `### ${name}`,
    `${sentence}.`,
    ...(body.length === 0 ? [] : [[line(head), rule, ...body.map(line)].join("\n")]),
    ...answer.notes.map((note) => (note.includes("\n") ? `\`\`\`\n${note}\n\`\`\`` : note)),
    ...(answer.failure === undefined ? [] : [`**Failed:** ${answer.failure.split("\n")[0]}`]),
  ].join("\n\n");
}

/** Columns that no row has anything in are left out. */
function cellsOf({ rows, columns, published }) {
  const all = columns ?? (published ? PUBLISHED : PLAIN);
  const shown = all.filter(([, member]) => rows.some((row) => row[member] !== undefined));
  return {
    head: ["", ...shown.map(([title]) => title)],
    body: rows.map((row) => [row.name, ...shown.map(([, member, digits]) => show(row[member], digits))]),
  };
}

function show(value, digits) {
  if (value === undefined) return "";
  if (typeof value === "boolean") return value ? "yes" : "no";
  return typeof value === "number" ? value.toFixed(digits) : value;
}

/** Which code was measured, and on what. */
export function describeRun() {
  const commit = git("rev-parse", "--short=12", "HEAD") ?? "unknown";
  const changed = git("status", "--porcelain", "--untracked-files=no") !== "";
  return {
    at: new Date().toISOString(),
    commit: changed ? `${commit}-changed` : commit,
    machine: { node: process.version, cores: cpus().length, cpu: cpus()[0]?.model },
  };
}

function git(...words) {
  const { status, stdout } = spawnSync("git", words, { cwd: ROOT, encoding: "utf8" });
  return status === 0 ? stdout.trim() : undefined;
}
