// What other machines on the same host took of our processors: a stall that no program of ours can explain.
import { readFileSync } from "node:fs";

/** In ticks since the machine started; nothing where the system does not say it. */
export function readTicks() {
  try {
    const [, ...ticks] = readFileSync("/proc/stat", "utf8").split("\n", 1)[0].trim().split(/\s+/);
    const [user, nice, system, idle, wait, irq, softirq, stolen = 0] = ticks.map(Number);
    return { stolen, all: user + nice + system + idle + wait + irq + softirq + stolen };
  } catch {
    return undefined;
  }
}

/** Percent of the processors' time since `before`. */
export function stolenPercent(before, now = readTicks()) {
  if (before === undefined || now === undefined || now.all === before.all) return undefined;
  return (100 * (now.stolen - before.stolen)) / (now.all - before.all);
}
