import { Type } from "typebox";
import { NO_BATCH } from "../../../app/payout-batches/batch-scope.ts";
import { confirmBatch } from "../../../app/payout-batches/confirm-batch.ts";
import { approveBatch, refuseBatch, withdrawBatch } from "../../../app/payout-batches/decide-batch.ts";
import { exportResults, listBatchesInScope, viewBatch } from "../../../app/payout-batches/read-batches.ts";
import { findId } from "../../../core/ids.ts";
import { BATCH_ROW_STATES } from "../../../core/payout-batches/batch-states.ts";
import { accountFault } from "../../../core/people/account-fault.ts";
import { fail, ok } from "../../../core/result.ts";
import { CLOSED } from "../../merchant/blocks.ts";
import { plainText } from "../../merchant/text-forms.ts";
import { csvAnswer } from "../report-file.ts";
import { exportFault, NO_PROJECT, reportQuery, scopeOf } from "../report-query.ts";
import type { AccountDeps, MemberCall } from "../route.ts";
import { get, idOf, post } from "../route.ts";
import { batchJson, viewJson } from "./batch-json.ts";
import { CHECK_ROUTES } from "./check.ts";
import { OPTION_ROUTES } from "./options.ts";

const REASON_MAX = 500;
const LINE = /^[0-9]{1,6}$/;
const WRONG_CURSOR = accountFault("validation_failed", "cursor must be one that an answer gave");

/** Payouts that a merchant's people make by hand. Everything is read from the database itself: it was changed just now. */
export const PAYOUT_BATCH_ROUTES = [
  ...OPTION_ROUTES,
  ...CHECK_ROUTES,
  get({
    path: "payout-batches",
    right: "payouts.make",
    query: reportQuery("project", "cursor"),
    handler: async (deps, { merchantId, session, query }) => {
      const below = query.cursor === undefined ? undefined : findId(query.cursor);
      if (query.cursor !== undefined && below === undefined) return fail(WRONG_CURSOR);
      const projectId = query.project === undefined ? undefined : idOf(query.project);
      const asked = { projectId, reader: session.personId, below };
      const page = await listBatchesInScope(deps.db, await scopeOf(deps, merchantId), asked);
      if (!page.ok) return fail(NO_PROJECT);
      return ok({ json: { batches: page.value.batches.map(batchJson), next: page.value.next ?? null } });
    },
  }),
  get({
    path: "payout-batches/:id",
    right: "payouts.make",
    query: Type.Object(
      { state: Type.Optional(Type.Enum([...BATCH_ROW_STATES])), cursor: Type.Optional(Type.String({ maxLength: 6 })) },
      CLOSED,
    ),
    handler: async (deps, call) => {
      const { merchantId, params, query } = call;
      if (query.cursor !== undefined && !LINE.test(query.cursor)) return fail(WRONG_CURSOR);
      const asked = { id: idOf(params.id), state: query.state, above: Number(query.cursor ?? 0), now: nowOf(deps) };
      const view = await viewBatch(deps.db, await scopeOf(deps, merchantId), asked);
      return view.ok ? ok({ json: viewJson(view.value, call) }) : fail(NO_BATCH);
    },
  }),
  get({
    path: "payout-batches/:id/results.csv",
    right: "payouts.make",
    handler: async (deps, { merchantId, params }) => {
      const source = { db: deps.db, places: deps.exportPlaces };
      const opened = await exportResults(source, await scopeOf(deps, merchantId), idOf(params.id));
      if (opened.ok) return ok(csvAnswer(deps.log, "payout-results.csv", opened.value));
      return fail(opened.error === "not_found" ? NO_BATCH : exportFault(opened.error));
    },
  }),
  post({
    path: "payout-batches/:id/confirm",
    right: "payouts.make",
    stepUp: true,
    handler: async (deps, call) => madeDue(deps, await confirmBatch(deps, wishOf(deps, call))),
  }),
  post({
    path: "payout-batches/:id/approve",
    right: "payouts.approve",
    stepUp: true,
    handler: async (deps, call) => madeDue(deps, await approveBatch(deps.db, wishOf(deps, call))),
  }),
  post({
    path: "payout-batches/:id/refuse",
    right: "payouts.approve",
    stepUp: false,
    body: Type.Object({ reason: plainText(1, REASON_MAX) }, CLOSED),
    handler: async (deps, call) => madeDue(deps, await refuseBatch(deps.db, wishOf(deps, call), call.body.reason)),
  }),
  post({
    path: "payout-batches/:id/withdraw",
    right: "payouts.make",
    stepUp: false,
    handler: async (deps, call) => madeDue(deps, await withdrawBatch(deps.db, wishOf(deps, call))),
  }),
];

function nowOf({ clock }: AccountDeps): Date {
  return new Date(clock.nowMs());
}

function wishOf(deps: AccountDeps, { merchantId, actor, params }: MemberCall) {
  return { merchantId, actor, id: idOf(params.id), now: nowOf(deps) };
}

type Decided = Awaited<ReturnType<typeof confirmBatch>>;

/** How the batch stands now; the maker need not wait for its next look. */
function madeDue({ wakeBatchMaker }: AccountDeps, decided: Decided) {
  if (!decided.ok) return decided;
  if (decided.value.state === "making") wakeBatchMaker();
  return ok({ json: { state: decided.value.state } });
}
