import type { RestoreReport } from "../../app/restore/check-restore.ts";
import type { Currency } from "../../core/currency.ts";
import { formatMoney, type Minor, minorToJson } from "../../core/money.ts";
import { RESTORE_REASON_WORDS } from "../../core/restore/judge-database.ts";
import type { Restore } from "../../store/restore/restores.ts";
import { countOf, renderPairs, renderTable, showInstant } from "../kit/output.ts";

export function renderRestore(restore: Restore): string {
  const { noticedAt, noticedBy, why, knownUntil, checkedAt, checkedBy, passed, resumedAt, resumedBy, despite } =
    restore;
  const by = (at: Date | null, name: string | null) => (at === null ? "no" : `${showInstant(at)} by ${name}`);
  const checked = checkedAt === null ? "no" : `${by(checkedAt, checkedBy)}: ${passed ? "passed" : "did not pass"}`;
  return renderPairs([
    ["restore", restore.id],
    ["noticed", by(noticedAt, noticedBy)],
    ["why", RESTORE_REASON_WORDS[why]],
    ["written until", showInstant(knownUntil)],
    ["checked", checked],
    ["resumed", `${by(resumedAt, resumedBy)}${despite === null ? "" : `, despite the check: ${despite}`}`],
  ]);
}

export function restoreJson(restore: Restore) {
  const { noticedAt, noticedBy, why, knownUntil, facts, checkedAt, checkedBy, resumedAt, resumedBy } = restore;
  return {
    restore_id: restore.id,
    noticed_at: noticedAt.toISOString(),
    noticed_by: noticedBy,
    why,
    known_until: knownUntil.toISOString(),
    facts,
    checked_at: checkedAt?.toISOString() ?? null,
    checked_by: checkedBy,
    passed: restore.passed,
    resumed_at: resumedAt?.toISOString() ?? null,
    resumed_by: resumedBy,
    despite: restore.despite,
  };
}

/** As it is printed with --json, and kept with the restore. */
export function reportJson(report: RestoreReport) {
  const { transfers, projects, openHolds, violations } = report.ledger;
  return {
    passed: report.passed,
    ledger: { transfers: Number(transfers), projects: Number(projects), open_holds: Number(openHolds), violations },
    providers: report.providers,
    news: report.news.map(({ requestId, projectId, paymentId, direction, provider, reference, state, ...attempt }) => ({
      ...{ request_id: requestId, project_id: projectId, payment_id: paymentId, direction, state, provider, reference },
      ...{ amount: minorToJson(attempt.amount), currency: attempt.currency, answer: attempt.answer },
    })),
    manual_payouts: report.manualPayouts.map(
      ({ requestId, code, amount, currency, account, exportedAt, exportedBy }) => ({
        ...{ request_id: requestId, code, amount: minorToJson(amount as Minor), currency, account },
        ...{ exported_at: exportedAt?.toISOString() ?? null, exported_by: exportedBy },
      }),
    ),
    imported_until: report.importedUntil.map(({ account, lastBookedAt }) => ({
      account,
      last_booked_at: lastBookedAt?.toISOString() ?? null,
    })),
    registers: report.registers,
  };
}

/** Of a long list the operator needs the kinds first; --json has all of it. */
const LISTED_MAX = 50;

export function renderReport(report: RestoreReport): string {
  return [ledgerPart(report), providersPart(report), newsPart(report), manualPart(report)]
    .filter((part) => part !== "")
    .join("\n\n");
}

function ledgerPart({ ledger: { transfers, projects, openHolds, violations } }: RestoreReport): string {
  const checked = `${transfers} transfers, ${projects} projects, ${openHolds} open holds`;
  if (violations.length === 0) return `The books are right: ${checked}.`;
  const lines = violations.slice(0, LISTED_MAX).map(({ rule, where, detail }) => `  ${rule}: ${where}: ${detail}`);
  return [`The books are wrong: ${countOf(violations.length, "violation")} in ${checked}.`, ...lines].join("\n");
}

function providersPart({ providers }: RestoreReport): string {
  if (providers.length === 0) return "No provider has an open attempt.";
  const rows = providers.map(({ provider, asked, unanswered, answers }) => [
    provider,
    String(asked),
    String(unanswered),
    Object.entries(answers)
      .map(([answer, count]) => `${answer} ${count}`)
      .join(", "),
  ]);
  const columns = [{ title: "PROVIDER" }, right("OPEN"), right("NO ANSWER"), { title: "ANSWERS" }];
  return `What providers say of the payments that are open here:\n${renderTable(columns, rows)}`;
}

function newsPart({ news }: RestoreReport): string {
  if (news.length === 0) return "";
  const rows = news
    .slice(0, LISTED_MAX)
    .map(({ requestId, direction, provider, state, amount, currency, answer }) => [
      ...[requestId, direction, formatMoney(amount, currency), state, provider],
      ANSWER_WORDS[answer] ?? answer,
    ]);
  const titles = ["REQUEST", "DIRECTION", "AMOUNT", "STATE HERE", "PROVIDER", "THE PROVIDER SAYS"];
  const table = renderTable(
    titles.map((title) => (title === "AMOUNT" ? right(title) : { title })),
    rows,
  );
  return `The worker applies these answers by itself:\n${table}${restOf(news.length)}`;
}

const ANSWER_WORDS: Readonly<Record<string, string>> = {
  approved: "done",
  declined: "declined",
  never_seen: "never seen; a payout is sent after the resume",
  conflict: "it has another request under this reference",
  unknown: "no answer",
  money_arrived: "money arrived that is not counted here",
};

function manualPart({ manualPayouts }: RestoreReport): string {
  if (manualPayouts.length === 0) return "";
  const rows = manualPayouts
    .slice(0, LISTED_MAX)
    .map((payout) => [
      payout.requestId,
      payout.code,
      formatMoney(payout.amount as Minor, payout.currency as Currency),
      payout.account ?? "",
      payout.exportedAt === null ? "not known here" : `${showInstant(payout.exportedAt)} by ${payout.exportedBy}`,
    ]);
  const titles = ["REQUEST", "CODE", "AMOUNT", "ACCOUNT", "EXPORTED"];
  const table = renderTable(
    titles.map((title) => (title === "AMOUNT" ? right(title) : { title })),
    rows,
  );
  return `Manual payouts that wait here; an operator may have paid them since:\n${table}${restOf(manualPayouts.length)}`;
}

function restOf(count: number): string {
  return count > LISTED_MAX ? `\nThe first ${LISTED_MAX} of ${count}; --json lists all.` : "";
}

function right(title: string) {
  return { title, align: "right" } as const;
}
