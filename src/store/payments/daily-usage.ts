import type { Transaction } from "../db.ts";
import type { StoredPayment } from "./payments.ts";

/** Takes declined payments out of the usage of the day they were counted in. Usage is locked before balances. */
export async function uncountInDay(tx: Transaction, payments: readonly StoredPayment[]): Promise<void> {
  await tx.run({
    name: "uncount_in_day",
    text: `select uncount_in_day($1::uuid[], $2::text[], $3::text[], $4::date[], $5::text[], $6::bigint[])`,
    values: [
      payments.map((payment) => payment.projectId),
      payments.map((payment) => payment.direction),
      payments.map((payment) => payment.currency),
      payments.map((payment) => payment.countedOn),
      payments.map((payment) => payment.customerId),
      payments.map((payment) => payment.requestedAmount),
    ],
  });
}
