import type { ToldFinding } from "../../store/alerts/alert-findings.ts";
import type { Finding } from "../attention/findings.ts";

/** What is to be told: what is new, what is still there, and what is gone. */
export type News = {
  readonly appeared: readonly Finding[];
  readonly lasting: readonly Finding[];
  readonly gone: readonly string[];
};

/** What is not dealt with is told again after this time. */
const REPEAT_AFTER_MS = 6 * 3_600_000;
/** And sooner when there is so many times as much of it. */
const REPEAT_AT_FACTOR = 2;
/** What comes and goes is not told each time: gone is what no look has found for this long. */
const GONE_AFTER_MS = 10 * 60_000;

export function compareFindings(findings: readonly Finding[], told: readonly ToldFinding[], now: Date): News {
  const known = new Map(told.map((each) => [each.finding, each]));
  const present = new Set(findings.map(nameOfFinding));
  const isLasting = (finding: Finding) => {
    const before = known.get(nameOfFinding(finding));
    if (before === undefined) return false;
    const isDue = now.getTime() - before.toldAt.getTime() >= REPEAT_AFTER_MS;
    return isDue || finding.count >= before.toldCount * REPEAT_AT_FACTOR;
  };
  return {
    appeared: findings.filter((finding) => !known.has(nameOfFinding(finding))),
    lasting: findings.filter(isLasting),
    gone: told
      .filter(({ finding, seenAt }) => !present.has(finding) && now.getTime() - seenAt.getTime() >= GONE_AFTER_MS)
      .map(({ finding }) => finding),
  };
}

export function isNothing({ appeared, lasting, gone }: News): boolean {
  return appeared.length + lasting.length + gone.length === 0;
}

/** By which a channel knows it: `disputes live dispute:payout_timeout RUB`. */
export function nameOfFinding({ entry, book, subject }: Finding): string {
  return `${entry} ${book ?? "all"} ${subject}`;
}
