import type { Attention } from "../../app/attention/read-attention.ts";
import { partOf } from "../../app/merchants/pauses.ts";
import { ATTENTION_ENTRIES, type AttentionEntry } from "../../core/attention/attention.ts";
import type { Book } from "../../core/merchants/book.ts";
import { formatMoney } from "../../core/money.ts";
import { RESTORE_REASON_WORDS } from "../../core/restore/judge-database.ts";
import type { Pile } from "../../store/attention/attention.ts";
import type { EndingCallbackKey, EndingKey } from "../../store/attention/attention-keys.ts";
import type { Pause } from "../../store/merchants/pauses.ts";
import { secondsBetween, showDistance, showDuration } from "../kit/durations.ts";
import { countOf, showInstant } from "../kit/output.ts";
import { namePart } from "../merchants/pause.ts";

/** What there is, and the command that helps. No text of a merchant's is part of a command: operators paste it. */
export type AttentionLine = { readonly what: string; readonly help: string };

export function attentionLines(found: Attention): AttentionLine[] {
  return ATTENTION_ENTRIES.flatMap((entry) => linesOf(entry, found));
}

export function linesOf<E extends AttentionEntry>(entry: E, found: Attention): AttentionLine[] {
  return LINES[entry](found[entry]);
}

const LINES: { readonly [E in AttentionEntry]: (part: Attention[E]) => AttentionLine[] } = {
  restores: (restores) =>
    restores.map(({ why, noticedAt, knownUntil, passed }) => ({
      what: `The database was restored: ${RESTORE_REASON_WORDS[why]}. What was written after ${showInstant(knownUntil)} may be lost; payouts, exports, card charges and callbacks are paused since ${showInstant(noticedAt)}`,
      help: passed ? "restore resume" : "restore check",
    })),
  lateBatches: (batches) =>
    batches.map(({ id, projectId, book, rowCount, waitingCount, sinceS }) => ({
      what: `Batch ${id} of project ${projectId}${inBook(book)} still has ${waitingCount} of ${countOf(rowCount, "payout")} to make after ${showDuration(sinceS)}: is a worker running?`,
      help: "payout batches",
    })),
  late: ({ count, oldestS }) =>
    count === 0
      ? []
      : [
          {
            what: `${countOf(count, "payment")} due and not looked at for ${showDuration(oldestS)}: is the service running?`,
            help: "payment list --attention late",
          },
        ],
  lateCallbacks: (late) =>
    late.map(({ projectId, book, endpointCount, oldestS }) => ({
      what: `Callbacks of project ${projectId}${inBook(book)} to ${countOf(endpointCount, "endpoint")} due and not sent, the first for ${showDuration(oldestS)}: is a worker running, and does the receiver answer?`,
      help: `callback list --state pending --project ${projectId}`,
    })),
  openBreakers: (breakers) =>
    breakers.map(({ provider, openCount, processCount, oldestS }) => ({
      what: `The breaker of ${provider} is open in ${openCount} of ${processCount} processes for ${showDuration(oldestS)}: it does not answer, and new payments pass it over`,
      help: "provider health",
    })),
  faultyRequisites: (faulty) =>
    faulty.map(({ id, mask, account, fault }) => ({
      what: `Requisite ${id} (${mask}) of account ${account} was switched off: ${fault}`,
      help: `pool requisite list ${account}`,
    })),
  ledgerViolations: (checks) =>
    checks.map(({ violationCount, ageS }) => ({
      what: `The last ledger check, ${showDuration(ageS)} ago, found ${countOf(violationCount, "violation")}`,
      help: "ledger check",
    })),
  unknown: pilesOf("with an unknown outcome, the oldest for", "payment list --attention unknown"),
  shortfalls: (piles) =>
    piles.map((pile) => ({
      what: `${sumOf(pile)} declined or settled another way, but paid by the provider, the oldest ${showDuration(pile.oldestS)} ago`,
      help: "payment list --attention shortfall",
    })),
  contradicted: (piles) =>
    piles.map((pile) => ({
      what: `${sumOf(pile)} contradicted by the provider after the end, the oldest ${showDuration(pile.oldestS)} ago`,
      help: "payment list --attention contradicted",
    })),
  unexplainedDebits: pilesOf(
    "of own accounts explained by no payout, the oldest for",
    "transfer list --outcome unexplained",
    "debit",
  ),
  disputes: (piles) =>
    piles.map((pile) => ({
      what: `${sumOf(pile)} in ${pile.state}, the oldest for ${showDuration(pile.oldestS)}`,
      help: `payment list --state ${pile.state}`,
    })),
  waitingPayouts: pilesOf("to be paid by hand, the oldest waiting for", "payout list --waiting"),
  unsentPayouts: pilesOf(
    "of payouts that no provider was given, since none of their route can be reached, the oldest for",
    "payment list --attention unsent",
  ),
  lowProviderBalances: (balances) =>
    balances.map(({ provider, book, currency, balance, waiting, count }) => ({
      what: `The balance at ${provider}${inBook(book)}, ${formatMoney(balance, currency)}, is lower than what waits for it: ${countOf(count, "payout")}, ${formatMoney(waiting, currency)}`,
      help: "provider balances",
    })),
  unreadProviders: (unread) =>
    unread.map(({ provider, what, book, ageS, never }) => ({
      what: `The ${what === "banks" ? "list of banks of" : "balance at"} ${provider}${inBook(book)} ${
        never
          ? `was never read, though the provider was added ${showDuration(ageS)} ago`
          : `was last read ${showDuration(ageS)} ago`
      }`,
      help: what === "banks" ? `provider banks ${provider}` : "provider balances",
    })),
  waitingForRoom: pilesOf(
    "arrived and waiting for room in the balance, the oldest for",
    "payment list --attention room",
  ),
  pausedPayouts: pilesOf(
    "of payouts waiting because payouts are paused, the oldest for",
    "payment list --attention paused",
  ),
  unreversedCharges: (piles) =>
    piles.map((pile) => ({
      what: `${sumOf(pile)} charged after the end at ${pile.provider}, which cannot reverse a charge, the oldest for ${showDuration(pile.oldestS)}; have the payer refunded at ${pile.provider}, then record it: suspense return --through ${pile.provider}`,
      help: "suspense list",
    })),
  suspense: pilesOf("in suspense, the oldest for", "suspense list"),
  deadCallbacks: (piles) =>
    piles.map(({ projectId, book, count, oldestS }) => ({
      what: `${countOf(count, "callback")} of project ${projectId}${inBook(book)} given up, the oldest written ${showDuration(oldestS)} ago; after the receiver is fixed, callback replay sends them again`,
      help: `callback list --state dead --project ${projectId}`,
    })),
  heldCallbacks: (piles) =>
    piles.map(({ projectId, book, count, urlCount, oldestS }) => ({
      what: `${countOf(count, "callback")} of project ${projectId}${inBook(book)} held, since ${countOf(urlCount, "URL")} answered 410 Gone, the oldest for ${showDuration(oldestS)}; callback enable sends there again`,
      help: `callback disabled --project ${projectId}`,
    })),
  endingKeys: (keys) => keys.map(keyLine),
  endingCallbackKeys: (keys) => keys.map(callbackKeyLine),
  unpromotedKeys: (keys) =>
    keys.map(({ kind, projectId, retiresAt }) => ({
      what: `${kind === "rsa" ? "The service's callback key" : `The callback secret of project ${projectId}`} retires ${showInstant(retiresAt)}, and its successor then makes x-access-signature`,
      help: `callback key promote${projectId === null ? "" : ` --project ${projectId}`}`,
    })),
  pauses: (pauses) => pauses.map(pauseLine),
  pausedProjects: (projects) =>
    projects.map(({ id, name }) => ({
      what: `Project ${id} (${name}) is paused by its settings`,
      help: `resume project ${id}`,
    })),
};

function pilesOf(words: string, help: string, what?: string): (piles: readonly Pile[]) => AttentionLine[] {
  return (piles) =>
    piles.map((pile) => ({ what: `${sumOf(pile, what)} ${words} ${showDuration(pile.oldestS)}`, help }));
}

/** `3 payments, 120.00 RUB (test),`. */
function sumOf({ count, sum, currency, book }: Pile, what = "payment"): string {
  return `${countOf(count, what)}, ${formatMoney(sum, currency)}${inBook(book)},`;
}

function inBook(book: Book): string {
  return book === "test" ? " (test)" : "";
}

function keyLine({ id, label, merchantId, projectId, book, notAfter, now }: EndingKey): AttentionLine {
  const named = label === "" ? id : `${id} (${label})`;
  const owner = projectId === null ? `merchant ${merchantId}` : `project ${projectId}`;
  const ends = notAfter > now ? "ends" : "ended";
  return {
    what: `Key ${named} of ${owner}${inBook(book)} ${ends} ${showDistance(notAfter, now)}, and no other key replaces it; key add makes one`,
    help: `key list --merchant ${merchantId}`,
  };
}

function callbackKeyLine({ kind, projectId, retiresAt, now }: EndingCallbackKey): AttentionLine {
  const owner = projectId === null ? "of the service" : `(${kind}) of project ${projectId}`;
  return {
    what: `The replaced callback key ${owner} signs for ${showDuration(secondsBetween(now, retiresAt))} more: by then receivers must know the new one`,
    help: `callback key show${projectId === null ? "" : ` --project ${projectId}`}`,
  };
}

function pauseLine({ kind, name, reason, actor, createdAt }: Pause): AttentionLine {
  const part = partOf(kind, name);
  const state = kind === "payouts" ? "are" : "is";
  return {
    what: `${namePart(part)} ${state} paused by ${actor} since ${showInstant(createdAt)}: ${reason}`,
    help: `resume ${kind}${name === "" ? "" : ` ${name}`}`,
  };
}
