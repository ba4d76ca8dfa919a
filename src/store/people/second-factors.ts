import type { Id } from "../../core/ids.ts";
import type { Transaction } from "../db.ts";

/** What a person has besides the password. */
export type FactorCounts = { readonly totp: boolean; readonly passkeys: number; readonly recoveryCodes: number };

export async function countFactors(tx: Transaction, personId: Id): Promise<FactorCounts> {
  const [row] = await tx.run<FactorCounts>({
    text: `select exists (select from totp_factors
                           where person_id = $1 and removed_at is null and confirmed_at is not null) as totp,
                  (select count(*)::int from passkeys where person_id = $1 and removed_at is null) as passkeys,
                  (select count(*)::int from recovery_codes where person_id = $1 and ended_at is null) as "recoveryCodes"`,
    values: [personId],
  });
  return row ?? { totp: false, passkeys: 0, recoveryCodes: 0 };
}
