import type { Currency } from "../../core/currency.ts";
import type { Id } from "../../core/ids.ts";
import type { Direction, Method } from "../../core/merchants/methods.ts";
import type { Minor } from "../../core/money.ts";
import type { UnprovenEnd } from "../../core/payments/after-end.ts";
import type { PaymentState } from "../../core/payments/states.ts";
import type { Database, Transaction } from "../db.ts";

/** Which product a payment was made through: its paths see no others. */
export type PaymentProduct = "p2p" | "ecom" | "widget";

/** A payment as it is stored; what is sealed stays sealed. */
export type StoredPayment = {
  readonly projectId: Id;
  readonly requestId: Id;
  readonly direction: Direction;
  readonly product: PaymentProduct;
  readonly paymentId: string;
  readonly state: PaymentState;
  readonly sequence: number;
  readonly declineCode: string | null;
  readonly statusDescription: string | null;
  readonly method: Method | null;
  readonly currency: Currency;
  readonly requestedAmount: Minor;
  readonly amount: Minor;
  readonly receivedAmount: Minor;
  readonly feeBp: number | null;
  readonly feeFixed: Minor | null;
  readonly fee: Minor | null;
  readonly customerId: string;
  readonly request: PaymentRequest;
  readonly receiver: Buffer | null;
  readonly requisites: Buffer | null;
  /** The provider that has it now, and the reference that it has it under. */
  readonly provider: string | null;
  readonly reference: string | null;
  readonly confirmedAt: Date | null;
  readonly confirmTold: boolean;
  readonly releasedAt: Date | null;
  readonly unknownSince: Date | null;
  readonly shortfallAt: Date | null;
  /** An operator ended it without the provider's word, which is asked for until it is certain. */
  readonly unprovenEnd: UnprovenEnd | null;
  readonly contradictedAt: Date | null;
  readonly countedOn: string | null;
  readonly attemptCount: number;
  /** How often the payer of a hosted page has chosen; null: not yet. */
  readonly choiceCount: number | null;
  readonly tries: number;
  readonly expiresAt: Date | null;
  readonly deadlineAt: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly finishedAt: Date | null;
};

/** What the merchant said and we keep as it is. What was not said is not stored. */
export type PaymentRequest = {
  readonly callbackUrl?: string | undefined;
  readonly successCallbackUrl?: string | undefined;
  readonly declineCallbackUrl?: string | undefined;
  readonly redirectUrl?: string | undefined;
  readonly description?: string | undefined;
  readonly paymentSystem?: string | undefined;
  /** Which method the hosted page shows first. */
  readonly widgetMethod?: string | undefined;
  readonly sender?: Readonly<Record<string, unknown>> | undefined;
  readonly customer?: Readonly<Record<string, unknown>> | undefined;
};

const NAMES = {
  projectId: "project_id",
  requestId: "request_id",
  direction: "direction",
  product: "product",
  paymentId: "payment_id",
  state: "state",
  sequence: "sequence",
  declineCode: "decline_code",
  statusDescription: "status_description",
  method: "method",
  currency: "currency",
  requestedAmount: "requested_amount",
  amount: "amount",
  receivedAmount: "received_amount",
  feeBp: "fee_bp",
  feeFixed: "fee_fixed",
  fee: "fee",
  customerId: "customer_id",
  request: "request",
  receiver: "receiver",
  requisites: "requisites",
  provider: "provider",
  reference: "reference",
  confirmedAt: "confirmed_at",
  confirmTold: "confirm_told",
  releasedAt: "released_at",
  unknownSince: "unknown_since",
  shortfallAt: "shortfall_at",
  unprovenEnd: "unproven_end",
  contradictedAt: "contradicted_at",
  countedOn: "counted_on::text",
  attemptCount: "attempt_count",
  choiceCount: "choice_count",
  tries: "tries",
  expiresAt: "expires_at",
  deadlineAt: "deadline_at",
  createdAt: "created_at",
  updatedAt: "updated_at",
  finishedAt: "finished_at",
} as const satisfies Record<keyof StoredPayment, string>;

/** Every column of a StoredPayment, from the table or alias `p`. */
export const PAYMENT_COLUMNS = columnsOf(() => true);

/** What may be shown to people who look after payments: nothing that is sealed, and nothing of the customer's person. */
export type PlainPayment = Omit<StoredPayment, "receiver" | "requisites" | "request">;

export const PLAIN_PAYMENT_COLUMNS = columnsOf((name) => !["receiver", "requisites", "request"].includes(name));

const VIEWED: ReadonlySet<string> = new Set<keyof StoredPayment>(
  ([] as (keyof StoredPayment)[]).concat(
    ["projectId", "requestId", "paymentId", "direction", "state", "statusDescription", "declineCode", "method"],
    ["currency", "amount", "requestedAmount", "receivedAmount", "fee"],
    ["createdAt", "updatedAt", "expiresAt", "finishedAt"],
  ),
);

/** What merchants may know of a payment, from the table or alias `p`. */
export const VIEWED_PAYMENT_COLUMNS = columnsOf((name) => VIEWED.has(name));

function columnsOf(isWanted: (name: string) => boolean): string {
  return Object.entries(NAMES)
    .filter(([name]) => isWanted(name))
    .map(([name, column]) => `p.${column} as "${name}"`)
    .join(", ");
}

export type PaymentKey = { readonly projectId: Id; readonly requestId: Id };

/** When a worker must look at a payment next, and who has it until when. */
export type QueuePlace = {
  readonly dueAt: Date | null;
  /** Until when a worker has it; the end of a lease is also what the lease is known by. */
  readonly leaseUntil: Date | null;
  /** There is news that the worker which has it does not know of. */
  readonly hinted: boolean;
};

export const QUEUE_COLUMNS = `p.due_at as "dueAt", p.lease_until as "leaseUntil", p.hinted`;

/** A payment that is ours to change, with what its change needs to know. */
export type LockedPayment = StoredPayment &
  QueuePlace & {
    readonly now: Date;
    readonly projectCallbackUrl: string | null;
    readonly projectSuccessCallbackUrl: string | null;
    readonly projectDeclineCallbackUrl: string | null;
    /** How often the payer of a hosted page may choose. */
    readonly payerAttempts: number;
    /** False while a restored backup is not checked: then no payout is given to a provider. */
    readonly mayMoneyLeave: boolean;
  };

/** In the order of their keys, so that two callers never wait for each other in a circle. */
export function lockPayments(tx: Transaction, keys: readonly PaymentKey[]): Promise<LockedPayment[]> {
  return tx.run<LockedPayment>({
    name: "lock_payments",
    text: `select ${PAYMENT_COLUMNS}, ${QUEUE_COLUMNS}, now() as now,
                  j.callback_url as "projectCallbackUrl", j.success_callback_url as "projectSuccessCallbackUrl",
                  j.decline_callback_url as "projectDeclineCallbackUrl", j.payer_attempts as "payerAttempts",
                  (select may_money_leave()) as "mayMoneyLeave"
             from unnest((select $1::uuid[]), $2::uuid[]) as k (project_id, request_id)
             join payments p on p.project_id = k.project_id and p.request_id = k.request_id
             join projects j on j.id = p.project_id
            order by p.project_id, p.request_id
              for no key update of p`,
    values: [keys.map((key) => key.projectId), keys.map((key) => key.requestId)],
  });
}

export async function findPayment(
  db: Pick<Database, "run">,
  projectId: Id,
  requestId: Id,
): Promise<StoredPayment | undefined> {
  const rows = await db.run<StoredPayment>({
    name: "find_payment",
    text: `select ${PAYMENT_COLUMNS} from payments p where p.project_id = $1 and p.request_id = $2`,
    values: [projectId, requestId],
  });
  return rows[0];
}

/** By the merchant's own name for it. */
export async function findPaymentOfId(
  db: Pick<Database, "run">,
  projectId: Id,
  direction: Direction,
  paymentId: string,
): Promise<(StoredPayment & { readonly bodyHash: Buffer }) | undefined> {
  const rows = await db.run<StoredPayment & { bodyHash: Buffer }>({
    name: "find_payment_of_id",
    text: `select ${PAYMENT_COLUMNS}, p.body_hash as "bodyHash" from payments p
            where p.project_id = $1 and p.direction = $2 and p.payment_id = $3`,
    values: [projectId, direction, paymentId],
  });
  return rows[0];
}
