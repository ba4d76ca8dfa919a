import { nameOfEntry } from "../../app/attention/findings.ts";
import type { Attention } from "../../app/attention/read-attention.ts";
import { ATTENTION_ENTRIES, type AttentionEntry } from "../../core/attention/attention.ts";
import { minorToJson } from "../../core/money.ts";
import type { Pile } from "../../store/attention/attention.ts";
import { openBatchJson } from "../payments/payout-batches.ts";
import { restoreJson } from "../restore/restore-view.ts";

/** Every entry, whether there is anything in it or not. */
export function attentionJson(found: Attention): Record<string, unknown> {
  return Object.fromEntries(ATTENTION_ENTRIES.map((entry) => [nameOfEntry(entry), jsonOf(entry, found)]));
}

function jsonOf<E extends AttentionEntry>(entry: E, found: Attention): unknown {
  return JSON_OF[entry](found[entry]);
}

const JSON_OF: { readonly [E in AttentionEntry]: (part: Attention[E]) => unknown } = {
  restores: (restores) => restores.map(restoreJson),
  lateBatches: (batches) => batches.map(openBatchJson),
  late: ({ count, oldestS }) => ({ count, oldest_s: Math.floor(oldestS) }),
  lateCallbacks: (late) =>
    late.map(({ projectId, book, endpointCount, oldestS }) => ({
      project_id: projectId,
      book,
      endpoint_count: endpointCount,
      oldest_s: Math.floor(oldestS),
    })),
  openBreakers: (breakers) =>
    breakers.map(({ provider, openCount, processCount, oldestS }) => ({
      provider,
      open_count: openCount,
      process_count: processCount,
      oldest_s: Math.floor(oldestS),
    })),
  faultyRequisites: (faulty) =>
    faulty.map(({ id, account, mask, fault }) => ({ requisite_id: id, account, mask, fault })),
  ledgerViolations: (checks) =>
    checks.map(({ violationCount, ageS }) => ({ count: violationCount, age_s: Math.floor(ageS) })),
  unknown: pilesJson,
  shortfalls: pilesJson,
  contradicted: pilesJson,
  unexplainedDebits: pilesJson,
  disputes: (piles) => piles.map((pile) => ({ state: pile.state, ...pileJson(pile) })),
  waitingPayouts: pilesJson,
  unsentPayouts: pilesJson,
  lowProviderBalances: (balances) =>
    balances.map(({ provider, book, currency, balance, waiting, count }) => ({
      provider,
      book,
      currency,
      balance: minorToJson(balance),
      waiting: minorToJson(waiting),
      count,
    })),
  unreadProviders: (unread) =>
    unread.map(({ provider, what, book, ageS, never }) => ({ provider, what, book, age_s: Math.floor(ageS), never })),
  waitingForRoom: pilesJson,
  pausedPayouts: pilesJson,
  unreversedCharges: (piles) => piles.map((pile) => ({ provider: pile.provider, ...pileJson(pile) })),
  suspense: pilesJson,
  deadCallbacks: (piles) =>
    piles.map(({ projectId, book, count, oldestS }) => ({
      project_id: projectId,
      book,
      count,
      oldest_s: Math.floor(oldestS),
    })),
  heldCallbacks: (piles) =>
    piles.map(({ projectId, book, count, urlCount, oldestS }) => ({
      project_id: projectId,
      book,
      count,
      url_count: urlCount,
      oldest_s: Math.floor(oldestS),
    })),
  endingKeys: (keys) =>
    keys.map(({ id, label, merchantId, projectId, book, notAfter }) => ({
      key_id: id,
      label,
      merchant_id: merchantId,
      project_id: projectId,
      book,
      not_after: notAfter.toISOString(),
    })),
  endingCallbackKeys: (keys) =>
    keys.map(({ kind, projectId, retiresAt }) => ({
      kind,
      project_id: projectId,
      retires_at: retiresAt.toISOString(),
    })),
  unpromotedKeys: (keys) =>
    keys.map(({ kind, projectId, retiresAt }) => ({
      kind,
      project_id: projectId,
      retires_at: retiresAt.toISOString(),
    })),
  pauses: (pauses) =>
    pauses.map(({ kind, name, reason, actor, createdAt }) => ({
      kind,
      name,
      reason,
      actor,
      since: createdAt.toISOString(),
    })),
  pausedProjects: (projects) => projects.map(({ id, name }) => ({ project_id: id, name })),
};

function pilesJson(piles: readonly Pile[]) {
  return piles.map(pileJson);
}

function pileJson({ book, currency, count, sum, oldestS }: Pile) {
  return { book, currency, count, sum: minorToJson(sum), oldest_s: Math.floor(oldestS) };
}
