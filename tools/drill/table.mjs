// The table of docs/reliability.md, and its place there.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const DOCUMENT = fileURLToPath(new URL("../../docs/reliability.md", import.meta.url));
const BEGIN = "<!-- drill: begin -->";
const END = "<!-- drill: end -->";
const HEAD = [
  ...[
    "scenario",
    "seconds without service (aim)",
    "answers that clients saw",
    "p99 of answers",
    "last payment in flight final after",
  ],
  ...["lost", "paid twice", "callbacks lost", "`attention`: unknown", "ledger", "`error` lines"],
];

export function renderTable(results) {
  const rows = results
    .filter(isUnderLoad)
    .map((result) => [
      result.title,
      `${seconds(result.gapMs)} (${result.aimS})`,
      result.answers.map(([word, count]) => `${count} × ${word}`).join(", "),
      `${(result.p99Ms / 1000).toFixed(2)} s`,
      result.inFlightMs === undefined ? "not within the limit" : `${seconds(result.inFlightMs)} s`,
      ...[result.lost, result.doubled, result.callbacksLost, result.unknown].map(String),
      result.ledger,
      String(result.errorLines),
    ]);
  return [HEAD, HEAD.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

function isUnderLoad({ name }) {
  return name !== RESTORE;
}

const RESTORE = "restore";

/** The one scenario that is not under load, as a sentence. */
function renderRestore({ acknowledged, paused, why, endedWhilePaused, checked, paid, doubled, ledger }) {
  const noticed = paused ? `The service noticed it (${why}) and started paused` : "The service DID NOT NOTICE it";
  return [
    `A backup was restored from before ${acknowledged} payouts were acknowledged and paid. ${noticed};`,
    `the merchant repeated the ${acknowledged}, and ${endedWhilePaused} of them ended before the operator resumed.`,
    `\`restore check\` ${checked === "passed" ? "passed" : "DID NOT PASS"}. After \`restore resume\` the provider's books show`,
    `${paid} of ${acknowledged} paid, ${doubled} of them twice; the ledger check says ${ledger}.`,
  ].join(" ");
}

function seconds(ms) {
  return (ms / 1000).toFixed(1);
}

/** The table, and below it a sentence for the restore and for each doubt. */
export function renderResults(results) {
  const underLoad = results.filter(isUnderLoad);
  return [
    ...(underLoad.length === 0 ? [] : [renderTable(underLoad)]),
    ...results.filter((result) => !isUnderLoad(result)).map(renderRestore),
    ...results.flatMap(doubtsOf),
  ].join("\n\n");
}

export function renderReport(results, { date, commit, machine, versions, rate }) {
  const programs = Object.entries(versions).map(([name, version]) => `${name} ${version}`);
  const head = `Measured on ${date} at commit ${commit}, on ${machine}, with ${programs.join(", ")}, ${rate} requests a second.`;
  return `${head}\n\n${renderResults(results)}`;
}

/** Beyond this the times of a scenario are not the service's. */
const STALL_MAX_MS = 1_000;

/** A sentence for each scenario during which the machine itself stood still. */
function doubtsOf({ name, stallMs = 0 }) {
  if (stallMs <= STALL_MAX_MS) return [];
  return [
    `${name}: the drill itself did not run for ${seconds(stallMs)} s. Repeat it on a machine that has nothing else to do.`,
  ];
}

/** Puts `report` between the two markers. */
export function placeReport(document, report) {
  const [from, to] = [document.indexOf(BEGIN), document.indexOf(END)];
  if (from === -1 || to < from) throw new Error(`the document has no ${BEGIN} … ${END}`);
  return `${document.slice(0, from + BEGIN.length)}\n\n${report}\n\n${document.slice(to)}`;
}

export function writeReport(report) {
  writeFileSync(DOCUMENT, placeReport(readFileSync(DOCUMENT, "utf8"), report));
}

/** What must never be: something lost or doubled, or a ledger that does not add up. A missed aim is shown, and is none of these. */
export function faultsOf(result) {
  const { name, lost = 0, doubled, callbacksLost = 0, unfinished = 0, ledger } = result;
  const faults = name === RESTORE ? faultsOfRestore(result) : [];
  if (lost > 0) faults.push(`${name}: ${lost} acknowledged payments were lost`);
  if (doubled > 0) faults.push(`${name}: ${doubled} payouts were paid twice`);
  if (callbacksLost > 0) faults.push(`${name}: ${callbacksLost} callbacks were lost`);
  if (unfinished > 0) faults.push(`${name}: ${unfinished} payments did not end`);
  if (ledger !== "correct") faults.push(`${name}: the ledger check says ${ledger}`);
  return faults;
}

function faultsOfRestore({ name, acknowledged, paused, endedWhilePaused, checked, paid }) {
  const faults = [];
  if (!paused) faults.push(`${name}: the service did not start paused`);
  if (endedWhilePaused > 0) faults.push(`${name}: ${endedWhilePaused} payouts went on before the resume`);
  if (checked !== "passed") faults.push(`${name}: restore check did not pass: ${checked}`);
  if (paid !== acknowledged) faults.push(`${name}: ${paid} of ${acknowledged} payouts were paid`);
  return faults;
}
