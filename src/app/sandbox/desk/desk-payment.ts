import type { Id } from "../../../core/ids.ts";
import { minorToJson } from "../../../core/money.ts";
import { kindOf } from "../../../core/payments/kinds.ts";
import { wireStatus } from "../../../core/payments/states.ts";
import { shownRequisites } from "../../../core/payments/view.ts";
import { actionsOn, type DeskAction, type DeskKind } from "../../../core/sandbox/desk-actions.ts";
import type { DeskPaymentRow } from "../../../store/sandbox/desk-payments.ts";
import { unsealPageToken } from "../../cards/card-secrets.ts";
import type { Directory } from "../../merchants/directory.ts";
import { formUrlOf } from "../../page/page-secrets.ts";
import { pageUrl } from "../../page/payer-step.ts";
import { withBankName } from "../../payments/payment-answers.ts";
import { unsealRequisites } from "../../payments/payment-secrets.ts";
import type { DeskDeps } from "./desk-deps.ts";

/** A payment as the tester's desk shows it. */
export type DeskPayment = {
  readonly direction: "payin" | "payout";
  readonly payment_id: string;
  readonly id: string;
  readonly kind: DeskKind;
  readonly method: string | null;
  readonly status: string;
  readonly sub_status: string | null;
  readonly amount: number;
  readonly currency: string;
  readonly received_amount: number;
  readonly requisites?: object | undefined;
  /** When the time of the present state is up, where it has one. */
  readonly expires_at?: string | undefined;
  readonly created_at: string;
  readonly challenge_url?: string | undefined;
  readonly form_url?: string | undefined;
  readonly actions: readonly DeskAction[];
};

const KINDS = { p2p: "transfer", card: "card", payout: "payout" } as const;
const SANDBOX_CODE = "sandbox";

export function deskKindOf(row: Pick<DeskPaymentRow, "direction" | "method">): DeskKind {
  return KINDS[kindOf(row)];
}

export function deskActionsOn(row: DeskPaymentRow): readonly DeskAction[] {
  return actionsOn({
    kind: deskKindOf(row),
    state: row.state,
    isKnownOutside: row.provider === SANDBOX_CODE && row.reference !== null,
    hasRequisites: row.requisites !== null,
    hasReceived: row.receivedAmount > 0n,
    isContradicted: row.contradictedAt !== null,
    hasEnd: endOfState(row) !== null,
  });
}

/** When the time of the present state is up; null where it waits for no point in time. */
export function endOfState({ finishedAt, deadlineAt }: DeskPaymentRow): Date | null {
  return finishedAt === null ? deadlineAt : null;
}

export function viewDeskPayment(deps: DeskDeps, directory: Directory, row: DeskPaymentRow): DeskPayment {
  const { keyring, publicUrl } = deps;
  const { requestId, token, requisites: sealed } = row;
  const requisites = sealed === null ? undefined : unsealRequisites(keyring, requestId, sealed);
  return {
    direction: row.direction,
    payment_id: row.paymentId,
    id: requestId,
    kind: deskKindOf(row),
    method: row.method,
    ...wireStatus(row.state),
    amount: minorToJson(row.amount),
    currency: row.currency,
    received_amount: minorToJson(row.receivedAmount),
    requisites: requisites && shownRequisites(row, withBankName(requisites, directory)),
    expires_at: endOfState(row)?.toISOString(),
    created_at: row.createdAt.toISOString(),
    challenge_url: findChallengeUrl(deps, row),
    form_url: token === null ? undefined : formUrlOf(keyring, publicUrl(), { requestId, token }),
    actions: deskActionsOn(row),
  };
}

/** The page of ours that takes the payer to the issuer, while the issuer waits. */
function findChallengeUrl({ keyring, publicUrl }: DeskDeps, row: DeskPaymentRow): string | undefined {
  const isAwaited =
    row.state === "processing:awaiting_3ds_result" || row.state === "processing:awaiting_redirect_result";
  if (!isAwaited || row.pageToken === null) return undefined;
  return pageUrl(publicUrl(), unsealPageToken(keyring, row.requestId as Id, row.pageToken));
}
