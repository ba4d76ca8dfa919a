import { type ListedCall, listCallsInScope } from "../../../app/request-log/list-calls.ts";
import { readCallInScope } from "../../../app/request-log/read-call.ts";
import { accountFault } from "../../../core/people/account-fault.ts";
import { curlOf } from "../../../core/reports/curl-text.ts";
import { CALL_FILTERS, readCallFilter } from "../../../core/request-log/call-filter.ts";
import { timeOfId } from "../../../core/request-log/logged-call.ts";
import { fail, ok } from "../../../core/result.ts";
import { NO_PROJECT, queryFault, reportQuery, scopeOf } from "../report-query.ts";
import { get, idOf } from "../route.ts";

const NO_CALL = accountFault("not_found", "there is no such call");

export const REQUEST_LOG_ROUTES = [
  get({
    path: "log",
    right: "log.read",
    query: reportQuery(...CALL_FILTERS),
    handler: async (deps, { merchantId, query }) => {
      const filter = readCallFilter(query);
      if (!filter.ok) return fail(queryFault(filter.error));
      const page = await listCallsInScope(deps.reportsDb, await scopeOf(deps, merchantId), filter.value);
      if (!page.ok) return fail(NO_PROJECT);
      const { rows, next = null, stoppedAt, missed } = page.value;
      return ok({
        json: { rows: rows.map(callJson), next, stopped_at: stoppedAt?.toISOString() ?? null, missed },
      });
    },
  }),
  get({
    path: "log/:id",
    right: "log.read",
    handler: async (deps, { merchantId, params }) => {
      const detail = await readCallInScope(deps.reportsDb, await scopeOf(deps, merchantId), idOf(params.id));
      if (!detail.ok) return fail(NO_CALL);
      const { call, request, answer } = detail.value;
      return ok({
        json: {
          call: { ...callJson(call), request_size: call.requestSize, answer_size: call.answerSize },
          request,
          answer,
          curl: curlOf(`${deps.publicUrl()}${call.path}`, request),
        },
      });
    },
  }),
];

function callJson(call: ListedCall): object {
  return {
    id: call.id,
    at: timeOfId(call.id).toISOString(),
    project_id: call.project.id,
    book: call.project.book,
    method: "POST",
    path: call.path,
    status: call.status,
    code: call.code,
    message: call.message,
    latency_ms: call.ms,
    address: call.address,
    key: call.keyId === null ? null : { id: call.keyId, label: call.keyLabel ?? "" },
    is_signed: call.isSigned,
    is_replay: call.isReplay,
    payment_id: call.paymentId,
    request_id: call.requestId,
  };
}
