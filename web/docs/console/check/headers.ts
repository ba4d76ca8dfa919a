import type { Header } from "./read-request.ts";
import { faultStep, noteStep, okStep, type Step } from "./report.ts";

/** Headers that are missing, there twice, or still have the quotes and spaces of where they were copied from. */
export function checkHeaders(given: readonly Header[], required: readonly string[]): Step {
  const name = "Headers";
  const missing = required.filter((header) => !given.some(([each, value]) => each === header && value.trim() !== ""));
  if (missing.length > 0) return faultStep(name, `Send these headers too: ${missing.join(", ")}.`);
  const doubled = required.find((header) => given.filter(([each]) => each === header).length > 1);
  if (doubled !== undefined) return faultStep(name, `Send ${doubled} once; it is there twice.`);
  const quoted = given.find(([each, value]) => required.includes(each) && /^["'<].*["'>]$/.test(value.trim()));
  if (quoted !== undefined)
    return faultStep(name, `The value of ${quoted[0]} has quotes around it. Send it without them.`);
  return okStep(name, `All of ${required.join(", ")} are there, each once.`);
}

export function valuesOf(headers: readonly Header[]): ReadonlyMap<string, string> {
  return new Map(headers.map(([name, value]) => [name, value.trim()]));
}

const WINDOW_S = 300;

export function checkTimestamp(header: string, timestamp: string, nowMs: number): Step {
  const name = "Timestamp";
  if (/^[0-9]{13}$/.test(timestamp)) {
    return faultStep(
      name,
      `${header} is in milliseconds. Send Unix time in seconds, ten digits: ${timestamp.slice(0, 10)}.`,
    );
  }
  if (/^[0-9]{10}\.[0-9]+$/.test(timestamp)) {
    return faultStep(name, `${header} has a fraction. Send whole seconds: ${timestamp.slice(0, 10)}.`);
  }
  if (!/^[0-9]{10}$/.test(timestamp)) {
    return faultStep(name, `${header} is not Unix time in seconds, ten digits, but “${timestamp}”.`);
  }
  const offS = Math.round(nowMs / 1000 - Number(timestamp));
  if (Math.abs(offS) <= WINDOW_S) return okStep(name, `${timestamp} is within ${WINDOW_S} seconds of now.`);
  const side = offS > 0 ? "ago" : "from now";
  return noteStep(
    name,
    `${timestamp} is ${Math.abs(offS)} seconds ${side}. At most ${WINDOW_S} are accepted when it arrives: ` +
      "sign each attempt again, and check the clock of your server.",
  );
}
