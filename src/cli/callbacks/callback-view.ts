import type { ShownAttempt } from "../../store/callbacks/callback-attempts.ts";
import type { ShownCallback } from "../../store/callbacks/read-callbacks.ts";
import type { DisabledUrl } from "../../store/callbacks/read-disabled-callback-urls.ts";
import { foreignJson, hideLongNumbers, showForeignText, showMerchantText } from "../kit/foreign-text.ts";
import { renderPairs, renderTable, showInstant } from "../kit/output.ts";

/** How callbacks and their results are shown. */

const PAYMENT_ID_SHOWN_MAX = 32;
const URL_SHOWN_MAX = 80;
const ANSWER_SHOWN_MAX = 100;

export function renderCallbacks(callbacks: readonly ShownCallback[]): string {
  const titles = ["CALLBACK", "STATE", "WRITTEN", "DUE", "TRIES", "LAST", "PROJECT", "PAYMENT ID", "TELLS", "URL"];
  return renderTable(
    titles.map((title) => (title === "TRIES" ? { title, align: "right" } : { title })),
    callbacks.map((callback) => [
      callback.id,
      stateOf(callback),
      showInstant(callback.createdAt),
      callback.dueAt === null ? "-" : showInstant(callback.dueAt),
      String(callback.attemptCount),
      outcomeOf(callback.lastStatus, callback.lastFailure),
      callback.projectId,
      showMerchantText(callback.paymentId, PAYMENT_ID_SHOWN_MAX),
      newsOf(callback),
      showMerchantText(callback.url, URL_SHOWN_MAX),
    ]),
  );
}

export function renderCallback(callback: ShownCallback & { readonly body: object }): string {
  const { replayedAt, deliveredAt, dueAt } = callback;
  const facts = renderPairs([
    ["callback", callback.id],
    ["state", stateOf(callback)],
    ["project", callback.projectId],
    ["payment id", showMerchantText(callback.paymentId, Number.POSITIVE_INFINITY)],
    ["request", callback.requestId],
    ["tells", newsOf(callback)],
    ["url", showMerchantText(callback.url, Number.POSITIVE_INFINITY)],
    ["written", showInstant(callback.createdAt)],
    ...(dueAt === null ? [] : [["due", showInstant(dueAt)] as const]),
    ...(deliveredAt === null ? [] : [["delivered", showInstant(deliveredAt)] as const]),
    ...(replayedAt === null ? [] : [["replayed", `${showInstant(replayedAt)} by ${callback.replayedBy}`] as const]),
  ]);
  return `${facts}\n\nThe body, to which requisites are added when it is sent:\n${foreignJson(callback.body, 2)}`;
}

export function renderAttempts(attempts: readonly ShownAttempt[]): string {
  const titles = ["TRY", "TIME", "OUTCOME", "TOOK", "ANSWER BEGINS"];
  return renderTable(
    titles.map((title) => (title === "TRY" || title === "TOOK" ? { title, align: "right" } : { title })),
    attempts.map((attempt) => [
      String(attempt.number),
      showInstant(attempt.startedAt),
      outcomeOf(attempt.status, attempt.failure),
      `${attempt.latencyMs} ms`,
      attempt.answer === null ? "-" : showForeignText(attempt.answer.toString("utf8"), ANSWER_SHOWN_MAX),
    ]),
  );
}

export function renderDisabledUrls(urls: readonly DisabledUrl[]): string {
  return renderTable(
    [{ title: "PROJECT" }, { title: "SINCE" }, { title: "HELD", align: "right" }, { title: "URL" }],
    urls.map(({ projectId, disabledAt, held, url }) => [
      projectId,
      showInstant(disabledAt),
      String(held),
      // In full: it is what enabling it takes.
      showMerchantText(url, Number.POSITIVE_INFINITY),
    ]),
  );
}

export function callbackJson(callback: ShownCallback) {
  return {
    callback_id: callback.id,
    state: callback.state,
    under_way: callback.underWay,
    project_id: callback.projectId,
    request_id: callback.requestId,
    payment_id: callback.paymentId,
    sequence: callback.sequence,
    status: callback.status,
    sub_status: callback.subStatus,
    url: callback.url,
    attempt_count: callback.attemptCount,
    last_status: callback.lastStatus,
    last_failure: callback.lastFailure,
    created_at: callback.createdAt.toISOString(),
    due_at: callback.dueAt?.toISOString() ?? null,
    delivered_at: callback.deliveredAt?.toISOString() ?? null,
    replayed_at: callback.replayedAt?.toISOString() ?? null,
    replayed_by: callback.replayedBy,
  };
}

export function attemptJson(attempt: ShownAttempt) {
  return {
    number: attempt.number,
    started_at: attempt.startedAt.toISOString(),
    latency_ms: attempt.latencyMs,
    status: attempt.status,
    failure: attempt.failure,
    answer: attempt.answer === null ? null : hideLongNumbers(attempt.answer.toString("utf8")),
  };
}

export function disabledUrlJson({ projectId, url, disabledAt, held }: DisabledUrl) {
  return { project_id: projectId, url, disabled_at: disabledAt.toISOString(), held };
}

function stateOf({ state, underWay }: ShownCallback): string {
  return underWay && state === "pending" ? "sending" : state;
}

/** `#3 processing / awaiting_confirm` */
function newsOf({ sequence, status, subStatus }: ShownCallback): string {
  return `#${sequence} ${status}${subStatus === null ? "" : ` / ${subStatus}`}`;
}

function outcomeOf(status: number | null, failure: string | null): string {
  return failure ?? (status === null ? "-" : String(status));
}
