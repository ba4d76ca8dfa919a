import type { PaymentDetail } from "../../app/reports/read-payment-detail.ts";
import { minorToJson } from "../../core/money.ts";
import { payerAttempts } from "../../core/page/payer-attempts.ts";
import { paymentJson, projectJson, standingJson, statusJson } from "./report-json.ts";

/** One payment, with all that its people may know of it. */
export function detailJson(detail: PaymentDetail): object {
  const { payment, project, place, curl } = detail;
  return {
    project: projectJson(project),
    payment: {
      ...paymentJson(payment, project),
      product: payment.product,
      description: payment.description,
      expires_at: payment.expiresAt?.toISOString() ?? null,
      confirmed_at: payment.confirmedAt?.toISOString() ?? null,
    },
    requisites: place ?? null,
    attempts: payerAttempts(payment.state, detail.choices) ?? [],
    timeline: detail.timeline.map((entry) => ({
      ...{ number: entry.number, at: entry.createdAt.toISOString(), actor: entry.actor, event: entry.event },
      ...{ from: statusJson(entry.fromState), to: statusJson(entry.toState) },
    })),
    callbacks: detail.callbacks.map(callbackJson),
    ledger: detail.lines.map((line) => ({
      ...{ id: line.id, at: line.createdAt.toISOString(), kind: line.kind, from: line.from, to: line.to },
      ...{ amount: minorToJson(line.amount), currency: line.currency, change: standingJson(line.change) },
    })),
    curl,
    made_by:
      detail.madeBy === undefined
        ? null
        : { batch_id: detail.madeBy.batchId, author: detail.madeBy.author, approved_by: detail.madeBy.approvedBy },
  };
}

function callbackJson(callback: PaymentDetail["callbacks"][number]): object {
  return {
    ...{ id: callback.id, sequence: callback.sequence, url: callback.url, state: callback.state, body: callback.body },
    created_at: callback.createdAt.toISOString(),
    due_at: callback.dueAt?.toISOString() ?? null,
    delivered_at: callback.deliveredAt?.toISOString() ?? null,
    replayed_at: callback.replayedAt?.toISOString() ?? null,
    attempts: callback.attempts.map(({ number, startedAt, latencyMs, status, failure, answer }) => ({
      ...{ number, at: startedAt.toISOString(), latency_ms: latencyMs, status, failure },
      // What is not UTF-8 in it becomes a replacement character: it is shown to people.
      answer: answer?.toString("utf8") ?? null,
    })),
  };
}
