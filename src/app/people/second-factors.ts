import type { Id } from "../../core/ids.ts";
import type { Transaction } from "../../store/db.ts";
import { countFactors } from "../../store/people/second-factors.ts";

export type FactorKind = "totp" | "passkey" | "recovery_code";

/** What a person can prove a sign-in with besides the password; empty where there is no second factor. */
export async function listFactorKinds(tx: Transaction, personId: Id): Promise<readonly FactorKind[]> {
  const { totp, passkeys, recoveryCodes } = await countFactors(tx, personId);
  if (!totp && passkeys === 0) return [];
  return [
    ...(totp ? (["totp"] as const) : []),
    ...(passkeys > 0 ? (["passkey"] as const) : []),
    ...(recoveryCodes > 0 ? (["recovery_code"] as const) : []),
  ];
}
