import type { Currency } from "../../core/currency.ts";
import type { Direction, Method } from "../../core/merchants/methods.ts";
import type { Minor } from "../../core/money.ts";
import type { PaymentState } from "../../core/payments/states.ts";
import type { Database } from "../db.ts";
import type { PaymentKey } from "../payments/payments.ts";

/** A payment that is not over, and what its provider has it under. */
export type OpenAttempt = PaymentKey & {
  readonly paymentId: string;
  readonly direction: Direction;
  readonly method: Method | null;
  readonly state: PaymentState;
  readonly provider: string;
  readonly reference: string;
  readonly amount: Minor;
  readonly receivedAmount: Minor;
  readonly currency: Currency;
};

/** All of them, however many: what is not over is always due at some time, and the index of due times has it. */
export function listOpenAttempts(db: Database): Promise<OpenAttempt[]> {
  return db.transaction(async (tx) => {
    await tx.run({ text: "set local statement_timeout = 0" });
    return tx.run<OpenAttempt>({
      timeoutMs: 0,
      text: `select project_id as "projectId", request_id as "requestId", payment_id as "paymentId", direction, method, state,
                    provider, reference, amount, received_amount as "receivedAmount", currency
               from payments
              where due_at is not null and finished_at is null and provider is not null and reference is not null
              order by provider, request_id`,
    });
  }, "snapshot");
}
