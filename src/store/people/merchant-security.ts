import type { Id } from "../../core/ids.ts";
import type { Transaction } from "../db.ts";

export async function findRequireSecondFactor(tx: Transaction, merchantId: Id): Promise<boolean> {
  const rows = await tx.run<{ required: boolean }>({
    text: "select require_second_factor as required from merchant_security where merchant_id = $1",
    values: [merchantId],
  });
  return rows[0]?.required ?? false;
}

export async function saveRequireSecondFactor(tx: Transaction, merchantId: Id, required: boolean): Promise<void> {
  await tx.run({
    text: `insert into merchant_security (merchant_id, require_second_factor) values ($1, $2)
           on conflict (merchant_id) do update set require_second_factor = excluded.require_second_factor`,
    values: [merchantId, required],
  });
}
