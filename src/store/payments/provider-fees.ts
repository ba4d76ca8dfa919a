import type { Id } from "../../core/ids.ts";
import type { Minor } from "../../core/money.ts";
import type { Database, Transaction } from "../db.ts";
import type { PaymentKey } from "./payments.ts";

/** An attempt, by what its provider knows it by. */
export type AttemptName = PaymentKey & { readonly reference: string };

/** What a provider keeps for itself under one of its references, and the id of the transfer that pays it. */
export type NotedFee = AttemptName & { readonly fee: Minor; readonly transferId: Id };

/** Each attempt has one fee: of an attempt that has it already, nothing is written. The payments must be locked. */
export async function noteProviderFees(tx: Transaction, fees: readonly NotedFee[]): Promise<void> {
  await tx.run({
    name: "note_provider_fees",
    text: "select note_provider_fees($1::uuid[], $2::uuid[], $3::text[], $4::bigint[], $5::uuid[])",
    values: [
      fees.map(({ projectId }) => projectId),
      fees.map(({ requestId }) => requestId),
      fees.map(({ reference }) => reference),
      fees.map(({ fee }) => fee),
      fees.map(({ transferId }) => transferId),
    ],
  });
}

/** Null: its provider has not said. */
export async function findProviderFee(
  db: Pick<Database, "run">,
  { projectId, requestId, reference }: AttemptName,
): Promise<Minor | null> {
  const [row] = await db.run<{ fee: Minor | null }>({
    name: "find_provider_fee",
    text: "select fee from attempts where project_id = $1 and request_id = $2 and reference = $3",
    values: [projectId, requestId, reference],
  });
  return row?.fee ?? null;
}
