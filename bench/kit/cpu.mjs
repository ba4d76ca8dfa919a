// How much processor time processes took, on Linux. Unlike a rate, it hardly depends on what else the machine does.
import { readdirSync, readFileSync } from "node:fs";

const TICKS_PER_SECOND = 100;

/** Of the process itself, in seconds; NaN where there is no /proc. */
export function cpuSeconds(pid) {
  return secondsOf(statOf(`/proc/${pid}`), OWN_FIELDS);
}

/** Of its first thread, which in Node runs the event loop. */
export function mainThreadSeconds(pid) {
  return secondsOf(statOf(`/proc/${pid}/task/${pid}`), OWN_FIELDS);
}

/** Of the process and its children, those that have ended too. */
export function familyCpuSeconds(pid) {
  const living = childrenOf(pid).reduce((sum, child) => sum + cpuSeconds(child), 0);
  return living + secondsOf(statOf(`/proc/${pid}`), FAMILY_FIELDS);
}

/** Resident memory in MB. */
export function rssMb(pid) {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024;
}

function childrenOf(pid) {
  return readdirSync("/proc")
    .filter((name) => /^[0-9]+$/.test(name) && statOf(`/proc/${name}`)[PARENT_FIELD] === String(pid))
    .map(Number);
}

/** What the service runs beside itself, but for its database: the sandbox. */
export function helpersOf(pid) {
  return childrenOf(pid).filter((child) => !nameOf(child).startsWith("postgres"));
}

function nameOf(pid) {
  try {
    return readFileSync(`/proc/${pid}/comm`, "utf8");
  } catch {
    return "";
  }
}

const PARENT_FIELD = 1;
/** User and system time, of the process itself, and of it and its children that have ended. */
const OWN_FIELDS = [11, 12];
const FAMILY_FIELDS = [11, 12, 13, 14];

function secondsOf(fields, places) {
  return places.reduce((sum, place) => sum + Number(fields[place] ?? 0), 0) / TICKS_PER_SECOND;
}

/** From the third field on: the second is a name in brackets, which may hold blanks. Empty when it has ended. */
function statOf(directory) {
  try {
    return readFileSync(`${directory}/stat`, "utf8")
      .replace(/^.*\) /s, "")
      .split(" ");
  } catch {
    return [];
  }
}
