import { type Static, Type } from "typebox";
import { type Choice, type ChoiceFault, dismissChosen, replayChosen } from "../../../app/callbacks/chosen-callbacks.ts";
import { COUNTED_MAX, type ListedCallback, listCallbacksInScope } from "../../../app/callbacks/list-scope-callbacks.ts";
import { type EndpointHealth, readCallbackHealth } from "../../../app/callbacks/read-callback-health.ts";
import type { Replayed } from "../../../app/callbacks/replay-callbacks.ts";
import { readCallbackQuestion } from "../../../core/callbacks/callback-question.ts";
import { validationFault } from "../../../core/errors.ts";
import { type AccountFault, accountFault } from "../../../core/people/account-fault.ts";
import { openQuery } from "../../../core/reports/query-values.ts";
import { fail, ok, type Result } from "../../../core/result.ts";
import { CLOSED } from "../../merchant/blocks.ts";
import { NO_PROJECT, queryFault, reportQuery, scopeOf } from "../report-query.ts";
import { type AccountDeps, type AccountResult, get, idOf, type MemberCall, post } from "../route.ts";

const FILTERS = ["project", "state", "url", "from", "to"] as const;
/** As many as a page of the list can show. */
const CHOSEN_MAX = 500;

/** Either these, or all that match what the list shows. */
const choiceForm = Type.Object(
  {
    ids: Type.Optional(Type.Array(Type.String({ pattern: "^[0-9a-f]{32}$" }), { minItems: 1, maxItems: CHOSEN_MAX })),
    filter: Type.Optional(reportQuery(...FILTERS)),
  },
  CLOSED,
);

export const CALLBACK_LIST_ROUTES = [
  get({
    path: "callbacks/health",
    right: "callbacks.manage",
    query: reportQuery("project", "days"),
    handler: async (deps, { merchantId, query }) => {
      const read = openQuery(query, ["project", "days"]);
      const projectId = read.id("project");
      const days = Number(read.oneOf("days", ["1", "7"]) ?? "1");
      if (read.faults.length > 0) return fail(queryFault(validationFault(read.faults)));
      const now = new Date(deps.clock.nowMs());
      const health = await readCallbackHealth(deps.reportsDb, await scopeOf(deps, merchantId), {
        projectId,
        days,
        now,
      });
      if (!health.ok) return fail(NO_PROJECT);
      const { endpoints, others } = health.value;
      return ok({ json: { endpoints: endpoints.map(endpointJson), others } });
    },
  }),
  get({
    path: "callbacks",
    right: "callbacks.manage",
    query: reportQuery(...FILTERS, "cursor"),
    handler: async (deps, { merchantId, query }) => {
      const asked = readCallbackQuestion(query);
      if (!asked.ok) return fail(queryFault(asked.error));
      const { question, after } = asked.value;
      // Of the database itself: a person looks here right after a replay.
      const page = await listCallbacksInScope(deps.db, await scopeOf(deps, merchantId), question, after);
      if (!page.ok) return fail(NO_PROJECT);
      const { rows, next = null, count } = page.value;
      return ok({ json: { rows: rows.map(callbackJson), next, count, count_max: COUNTED_MAX } });
    },
  }),
  post({
    path: "callbacks/replay",
    right: "callbacks.manage",
    stepUp: false,
    body: choiceForm,
    handler: (deps, call) => replay(deps, call, readChoice(call.body)),
  }),
  post({
    path: "callbacks/:id/replay",
    right: "callbacks.manage",
    stepUp: false,
    handler: (deps, call) => replay(deps, call, ok({ ids: [idOf(call.params.id)] })),
  }),
  post({
    path: "callbacks/dismiss",
    right: "callbacks.manage",
    stepUp: false,
    body: choiceForm,
    handler: (deps, call) => dismiss(deps, call, readChoice(call.body)),
  }),
  post({
    path: "callbacks/:id/dismiss",
    right: "callbacks.manage",
    stepUp: false,
    handler: (deps, call) => dismiss(deps, call, ok({ ids: [idOf(call.params.id)] })),
  }),
];

type ReadChoice = Result<Choice, AccountFault>;

async function replay(deps: AccountDeps, { merchantId, actor }: MemberCall, choice: ReadChoice): AccountResult {
  if (!choice.ok) return choice;
  const done = await replayChosen(deps.db, await scopeOf(deps, merchantId), choice.value, actor);
  return done.ok ? ok({ json: replayedJson(done.value) }) : fail(FAULTS[done.error]);
}

async function dismiss(deps: AccountDeps, { merchantId, actor }: MemberCall, choice: ReadChoice): AccountResult {
  if (!choice.ok) return choice;
  const done = await dismissChosen(deps.db, await scopeOf(deps, merchantId), choice.value, actor);
  return done.ok ? ok({ json: { dismissed: done.value } }) : fail(FAULTS[done.error]);
}

const FAULTS: Readonly<Record<ChoiceFault, AccountFault>> = {
  not_found: accountFault("not_found", "there is no such callback"),
  too_many: accountFault("validation_failed", `more than ${COUNTED_MAX} match: narrow the filter`),
  nothing_left: accountFault("wrong_state", "nothing that was chosen can be changed now"),
};

function readChoice({ ids, filter }: Static<typeof choiceForm>): ReadChoice {
  if ((ids === undefined) === (filter === undefined))
    return fail(accountFault("validation_failed", "either ids or filter is required"));
  if (ids !== undefined) return ok({ ids: ids.map(idOf) });
  const asked = readCallbackQuestion(filter ?? {});
  return asked.ok ? ok({ question: asked.value.question }) : fail(queryFault(asked.error));
}

function endpointJson(endpoint: EndpointHealth): object {
  return {
    project_id: endpoint.projectId,
    origin: endpoint.origin,
    ...{ written: endpoint.written, delivered: endpoint.delivered },
    ...{ attempts: endpoint.attempts, failed_attempts: endpoint.failedAttempts },
    ...{ average_ms: endpoint.averageMs, p95_ms: endpoint.p95Ms },
    last_error: endpoint.lastError,
    last_error_at: endpoint.lastErrorAt?.toISOString() ?? null,
    ...{ waiting: endpoint.waiting, failing: endpoint.failing, held: endpoint.held, dead: endpoint.dead },
  };
}

function callbackJson(callback: ListedCallback): object {
  return {
    id: callback.id,
    project_id: callback.projectId,
    book: callback.project.book,
    request_id: callback.requestId,
    payment_id: callback.paymentId,
    type: callback.direction,
    sequence: callback.sequence,
    ...{ status: callback.status, sub_status: callback.subStatus },
    ...{ url: callback.url, state: callback.state, attempts: callback.attemptCount },
    ...{ last_status: callback.lastStatus, last_failure: callback.lastFailure },
    created_at: callback.createdAt.toISOString(),
    due_at: callback.dueAt?.toISOString() ?? null,
    delivered_at: callback.deliveredAt?.toISOString() ?? null,
    replayed_at: callback.replayedAt?.toISOString() ?? null,
  };
}

function replayedJson({ replayed, lastDueInS, left }: Replayed): object {
  return {
    replayed,
    last_due_in_s: lastDueInS,
    left_under_way: left.underWay,
    left_disabled: left.disabled,
  };
}
