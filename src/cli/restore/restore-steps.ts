import type { RestoreReport } from "../../app/restore/check-restore.ts";
import type { Restore } from "../../store/restore/restores.ts";
import { countOf, showInstant } from "../kit/output.ts";

/** What an operator must do before the resume, each with the command. */
export function stepsAfter(report: RestoreReport, { knownUntil }: Restore, now: Date): string[] {
  const since = showInstant(knownUntil);
  const unanswered = report.providers.filter(({ unanswered: count }) => count > 0);
  return [
    ...(report.ledger.violations.length > 0
      ? ["The books are wrong. Restore another backup, or find the cause; do not resume."]
      : []),
    ...unanswered.map(
      ({ provider, unanswered: count }) =>
        `${provider} did not answer for ${countOf(count, "attempt")}. Check again when it answers: restore check`,
    ),
    ...report.registers.map(
      (provider) =>
        `Get the register of ${provider} since ${since}; what it has and we do not is missing here: reconcile provider ${provider} FILE --since ${since} --until ${showInstant(now)}`,
    ),
    ...report.importedUntil.map(
      ({ account, lastBookedAt }) =>
        `Get the statement of account ${account} ${lastBookedAt === null ? "" : `since ${showInstant(lastBookedAt)} `}before payouts are exported: statement import FILE --account ${account}`,
    ),
    ...(report.manualPayouts.length > 0
      ? [
          "Ask who paid manual payouts since then, and mark those that left: payout complete REQUEST --account CODE --reference REF",
        ]
      : []),
    "Do not change routes and pauses until merchants have repeated what has no answer.",
    ...(report.passed ? ["Then let payouts, exports, card charges and callbacks go on: restore resume"] : []),
  ];
}
