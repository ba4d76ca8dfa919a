import { exportPayments } from "../../app/reports/export-payments.ts";
import { listPaymentsInScope } from "../../app/reports/list-payments.ts";
import { listReportProjects } from "../../app/reports/list-projects.ts";
import { readPaymentDetail } from "../../app/reports/read-payment-detail.ts";
import { findId } from "../../core/ids.ts";
import { readPaymentQuestion } from "../../core/reports/payment-filter.ts";
import { fail, ok } from "../../core/result.ts";
import { detailJson } from "./payment-json.ts";
import { csvAnswer } from "./report-file.ts";
import { listedProjectJson, paymentJson, totalsJson } from "./report-json.ts";
import { exportFault, NO_PAYMENT, NO_PROJECT, queryFault, reportQuery, scopeOf } from "./report-query.ts";
import { get } from "./route.ts";

const FILTERS = [
  ...(["direction", "q", "status", "method", "currency", "min", "max", "from", "to", "project", "customer"] as const),
  ...(["sort", "order"] as const),
];

export const PAYMENT_ROUTES = [
  get({
    path: "projects",
    right: "payments.read",
    handler: async (deps, { merchantId }) =>
      ok({ json: { projects: (await listReportProjects(deps, merchantId)).map(listedProjectJson) } }),
  }),
  get({
    path: "payments",
    right: "payments.read",
    query: reportQuery(...FILTERS, "cursor"),
    handler: async (deps, { merchantId, query }) => {
      const question = readPaymentQuestion(query);
      if (!question.ok) return fail(queryFault(question.error));
      const page = await listPaymentsInScope(deps.reportsDb, await scopeOf(deps, merchantId), question.value);
      if (!page.ok) return fail(NO_PROJECT);
      const { rows, next = null, totals } = page.value;
      return ok({
        json: { rows: rows.map((row) => paymentJson(row, row.project)), next, totals: totalsJson(totals) },
      });
    },
  }),
  get({
    path: "payments.csv",
    right: "payments.export",
    query: reportQuery(...FILTERS),
    handler: async (deps, { merchantId, query }) => {
      const question = readPaymentQuestion(query);
      if (!question.ok) return fail(queryFault(question.error));
      const source = { db: deps.reportsDb, places: deps.exportPlaces };
      const opened = await exportPayments(source, await scopeOf(deps, merchantId), question.value);
      return opened.ok ? ok(csvAnswer(deps.log, "payments.csv", opened.value)) : fail(exportFault(opened.error));
    },
  }),
  get({
    path: "payments/:request_id",
    right: "payments.read",
    handler: async (deps, { merchantId, params }) => {
      const requestId = findId(params.request_id ?? "");
      if (requestId === undefined) return fail(NO_PAYMENT);
      // Of the database itself: a person looks here right after a change.
      const detail = await readPaymentDetail(deps, await scopeOf(deps, merchantId), requestId);
      return detail.ok ? ok({ json: detailJson(detail.value) }) : fail(NO_PAYMENT);
    },
  }),
];
