import { exportStatement } from "../../app/reports/export-statement.ts";
import { type Register, readRegister } from "../../app/reports/read-register.ts";
import { readStatement, type StatementPage } from "../../app/reports/read-statement.ts";
import type { Currency } from "../../core/currency.ts";
import { readStatementQuestion } from "../../core/reports/statement.ts";
import { fail, ok } from "../../core/result.ts";
import { csvAnswer } from "./report-file.ts";
import { projectJson, standingJson, sumToJson } from "./report-json.ts";
import { exportFault, NO_PROJECT, queryFault, reportQuery, scopeOf } from "./report-query.ts";
import { get } from "./route.ts";

const FILTERS = ["project", "currency", "from", "to"] as const;

export const STATEMENT_ROUTES = [
  get({
    path: "statement",
    right: "statement.read",
    query: reportQuery(...FILTERS, "cursor"),
    handler: async (deps, { merchantId, query }) => {
      const question = readStatementQuestion(query);
      if (!question.ok) return fail(queryFault(question.error));
      const page = await readStatement(deps.reportsDb, await scopeOf(deps, merchantId), question.value);
      return page.ok ? ok({ json: statementJson(question.value.filter.currency, page.value) }) : fail(NO_PROJECT);
    },
  }),
  get({
    path: "statement.csv",
    right: "statement.read",
    query: reportQuery(...FILTERS),
    handler: async (deps, { merchantId, query }) => {
      const question = readStatementQuestion(query);
      if (!question.ok) return fail(queryFault(question.error));
      const source = { db: deps.reportsDb, places: deps.exportPlaces };
      const opened = await exportStatement(source, await scopeOf(deps, merchantId), question.value);
      const name = `statement-${question.value.filter.currency}.csv`;
      return opened.ok ? ok(csvAnswer(deps.log, name, opened.value)) : fail(exportFault(opened.error));
    },
  }),
  get({
    path: "register",
    right: "statement.read",
    query: reportQuery(...FILTERS),
    handler: async (deps, { merchantId, query }) => {
      const question = readStatementQuestion(query);
      if (!question.ok) return fail(queryFault(question.error));
      const register = await readRegister(deps.reportsDb, await scopeOf(deps, merchantId), question.value);
      return register.ok
        ? ok({ json: registerJson(question.value.filter.currency, register.value) })
        : fail(NO_PROJECT);
    },
  }),
];

function statementJson(currency: Currency, page: StatementPage): object {
  return {
    project: projectJson(page.project),
    currency,
    opening: standingJson(page.opening),
    closing: standingJson(page.closing),
    line_count: page.lineCount,
    lines: page.lines.map((line) => ({
      ...{ id: line.id, at: line.createdAt.toISOString(), kind: line.kind, subject_id: line.subjectId },
      ...{ payment_id: line.paymentId, type: line.direction, reference: line.reference },
      ...{ change: standingJson(line.change), after: standingJson(line.after) },
    })),
    next: page.next ?? null,
  };
}

function registerJson(currency: Currency, { project, opening, closing, days }: Register): object {
  return {
    project: projectJson(project),
    currency,
    opening: standingJson(opening),
    closing: standingJson(closing),
    days: days.map((day) => ({
      ...{ day: day.day, count: day.count, opening: standingJson(day.opening), closing: standingJson(day.closing) },
      ...{ received: sumToJson(day.received), spent: sumToJson(day.spent) },
      kinds: day.groups.map(({ kind, count, from, to, amount }) => ({
        ...{ kind, count, from: houseless(from), to: houseless(to), amount: sumToJson(amount) },
      })),
    })),
  };
}

/** Which provider it is does not concern the merchant. */
function houseless(account: string): string {
  return account.startsWith("clearing:") ? "clearing" : account;
}
