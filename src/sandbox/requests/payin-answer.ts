import { type Answer, answerJson, CONFLICT, UNKNOWN_REFERENCE } from "../answer.ts";

/** A request as its table has it, with the transfers that arrived for it as JSON. */
export type PayinRow = {
  readonly reference: string;
  readonly request_hash: string;
  readonly status: string;
  readonly amount: string;
  readonly currency: string;
  readonly confirmed: boolean;
  readonly expires_at: Date;
  readonly requisite_type: string | null;
  readonly requisite_value: string | null;
  readonly holder: string | null;
  readonly bank: string | null;
  readonly bank_name: string | null;
  readonly transfers: readonly object[];
};

export function showPayin(row: PayinRow | undefined): Answer {
  return row === undefined ? UNKNOWN_REFERENCE : answerJson(JSON.stringify(bodyOf(row)));
}

/** The same reference with the same order answers the order; with another it is a conflict. */
export function replayPayin(row: PayinRow | undefined, requestHash: string): Answer {
  return row !== undefined && row.request_hash !== requestHash ? CONFLICT : showPayin(row);
}

function bodyOf(row: PayinRow): object {
  return {
    reference: row.reference,
    status: row.status,
    // At most 10^13, so exact.
    amount: Number(row.amount),
    currency: row.currency,
    confirmed: row.confirmed,
    expires_at: row.expires_at.toISOString(),
    requisites: row.requisite_value === null ? undefined : requisitesOf(row),
    transfers: row.transfers,
  };
}

function requisitesOf(row: PayinRow): object {
  return {
    type: row.requisite_type,
    value: row.requisite_value,
    holder: row.holder ?? undefined,
    bank: row.bank ?? undefined,
    bank_name: row.bank_name ?? undefined,
  };
}
