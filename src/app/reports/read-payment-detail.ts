import { groupBy } from "../../core/group-by.ts";
import type { Id } from "../../core/ids.ts";
import { maskReceiver } from "../../core/payments/receiver.ts";
import { maskRequisites } from "../../core/payments/requisites-text.ts";
import { curlText } from "../../core/reports/curl-text.ts";
import { changeOf, type Standing } from "../../core/reports/statement.ts";
import { fail, ok, type Result } from "../../core/result.ts";
import { type Log, reasonOf } from "../../platform/log.ts";
import type { Keyring } from "../../platform/secrets.ts";
import type { Database } from "../../store/db.ts";
import { listPageChoices, type PageChoice } from "../../store/page/page-choices.ts";
import {
  type HistoryEntry,
  listHistory,
  listTransfers,
  type TransferEntry,
} from "../../store/payments/payment-trail.ts";
import { findBatchOfPayment } from "../../store/payout-batches/read-batches.ts";
import {
  type DetailedAttempt,
  type DetailedCallback,
  type DetailedPayment,
  findDetailedPayment,
  listAttemptsOfCallbacks,
  listDetailedCallbacks,
} from "../../store/reports/payment-detail.ts";
import { readReport } from "../../store/reports/read-report.ts";
import { unsealReceiver, unsealRequisites } from "../payments/payment-secrets.ts";
import { idsOf, type ReportScope, type ScopeProject } from "./report-scope.ts";

/** Who did something, as a merchant may know it: the operator's people are not named. */
type ShownActor = "merchant" | "payer" | "provider" | "service" | "operator";

type TimelineEntry = Pick<HistoryEntry, "number" | "fromState" | "toState" | "event" | "createdAt"> & {
  readonly actor: ShownActor;
};

/** Where the money was to go, masked. */
type MaskedPlace = {
  readonly type: string;
  readonly value: string;
  readonly bank: string | undefined;
  readonly brand: string | undefined;
};

/** A line of the ledger; a provider's clearing account is `clearing`, whichever provider it is. */
type DetailLine = Omit<TransferEntry, "from" | "to"> & {
  readonly from: string;
  readonly to: string;
  /** What it changed of the project's balance. */
  readonly change: Standing;
};

export type PaymentDetail = {
  readonly project: ScopeProject;
  readonly payment: Omit<DetailedPayment, "requisites" | "receiver" | "mask" | "brand">;
  readonly place: MaskedPlace | undefined;
  /** What the payer of a hosted page chose. */
  readonly choices: readonly PageChoice[];
  readonly timeline: readonly TimelineEntry[];
  readonly lines: readonly DetailLine[];
  readonly callbacks: readonly (DetailedCallback & { readonly attempts: readonly DetailedAttempt[] })[];
  readonly curl: string;
  /** Who made it by hand; undefined where the merchant's server did. */
  readonly madeBy: Awaited<ReturnType<typeof findBatchOfPayment>>;
};

type DetailDeps = {
  readonly db: Database;
  readonly keyring: Keyring;
  readonly publicUrl: () => string;
  readonly log: Pick<Log, "error">;
};

/** Everything that a merchant's people may know of one payment, in one snapshot. */
export function readPaymentDetail(
  deps: DetailDeps,
  scope: ReportScope,
  requestId: Id,
): Promise<Result<PaymentDetail, "not_found">> {
  return readReport(deps.db, async (tx) => {
    const found = await findDetailedPayment(tx, idsOf(scope.projects), requestId);
    const project = scope.projects.find(({ id }) => id === found?.projectId);
    if (found === undefined || project === undefined) return fail("not_found");
    const { requisites: _requisites, receiver: _receiver, mask: _mask, brand: _brand, ...payment } = found;
    const [history, transfers, callbacks, attempts, madeBy, choices] = await Promise.all([
      listHistory(tx, found),
      listTransfers(tx, found),
      listDetailedCallbacks(tx, found),
      listAttemptsOfCallbacks(tx, found),
      found.direction === "payout" ? findBatchOfPayment(tx, found) : undefined,
      found.product === "widget" ? listPageChoices(tx, found) : [],
    ]);
    const byCallback = groupBy(attempts, ({ callbackId }) => callbackId);
    return ok({
      project,
      payment,
      place: findPlace(deps, found),
      choices,
      timeline: history.map(timelineEntry),
      lines: transfers.filter(isMerchants).map(detailLine),
      callbacks: callbacks.map((callback) => ({ ...callback, attempts: byCallback.get(callback.id) ?? [] })),
      curl: curlText(deps.publicUrl(), payment),
      madeBy,
    });
  });
}

/** What cannot be opened does not hide the rest of the payment. */
function findPlace({ keyring, log }: DetailDeps, payment: DetailedPayment): MaskedPlace | undefined {
  try {
    return placeOf(keyring, payment);
  } catch (error) {
    const reason = reasonOf(error);
    log.error({ payment_request_id: payment.requestId, reason }, "requisites cannot be read");
    return { type: "unreadable", value: "", bank: undefined, brand: undefined };
  }
}

function placeOf(keyring: Keyring, { requestId, requisites, receiver, mask, brand }: DetailedPayment) {
  if (mask !== null) return { type: "card", value: mask, bank: undefined, brand: brand ?? undefined };
  if (requisites !== null) {
    const { type, value, bank } = maskRequisites(unsealRequisites(keyring, requestId, requisites));
    return { type, value, bank, brand: undefined };
  }
  if (receiver === null) return undefined;
  const opened = unsealReceiver(keyring, requestId, receiver);
  const bank = opened.type === "card" ? undefined : opened.bank;
  return { type: opened.type, value: maskReceiver(opened), bank, brand: undefined };
}

/** As the history writes them; every other name is an operator's. */
const ACTORS: Readonly<Record<string, ShownActor>> = {
  merchant: "merchant",
  payer: "payer",
  provider: "provider",
  worker: "service",
  api: "service",
};

/** Without the detail, which is written for operators. */
function timelineEntry({ number, fromState, toState, event, actor, createdAt }: HistoryEntry): TimelineEntry {
  const shown = Object.hasOwn(ACTORS, actor) ? ACTORS[actor] : undefined;
  return { number, fromState, toState, event, actor: shown ?? "operator", createdAt };
}

/** What a provider charges the operator is no affair of the merchant's. */
function isMerchants({ kind }: TransferEntry): boolean {
  return kind !== "cost";
}

function detailLine(transfer: TransferEntry): DetailLine {
  const plain = (account: string) => (account.startsWith("clearing:") ? "clearing" : account);
  return { ...transfer, from: plain(transfer.from), to: plain(transfer.to), change: changeOf(transfer) };
}
