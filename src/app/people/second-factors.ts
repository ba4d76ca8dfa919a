import { randomBytes } from "node:crypto";
import type { Id } from "../../core/ids.ts";
import { newId } from "../../platform/new-id.ts";
import type { Keyring } from "../../platform/secrets.ts";
import { hashToken } from "../../platform/token.ts";
import { base32, findTotpStep } from "../../platform/totp.ts";
import type { Transaction } from "../../store/db.ts";
import { replaceRecoveryCodes, useRecoveryCode } from "../../store/people/recovery-codes.ts";
import { countFactors } from "../../store/people/second-factors.ts";
import { lockTotpFactor, saveTotpStep, totpSecretPlace } from "../../store/people/totp-factors.ts";

/** What proves a person besides the password: codes of an app, passkeys, and codes on paper for when both are lost. */
export type FactorKind = "totp" | "passkey" | "recovery_code";

/** What a person can prove a sign-in with; empty where there is no second factor. */
export async function listFactorKinds(tx: Transaction, personId: Id): Promise<readonly FactorKind[]> {
  const { totp, passkeys, recoveryCodes } = await countFactors(tx, personId);
  if (!totp && passkeys === 0) return [];
  return [
    ...(totp ? (["totp"] as const) : []),
    ...(passkeys > 0 ? (["passkey"] as const) : []),
    ...(recoveryCodes > 0 ? (["recovery_code"] as const) : []),
  ];
}

/** Each code is right once. */
export async function useCode(
  tx: Transaction,
  { keyring, nowMs }: { readonly keyring: Keyring; readonly nowMs: number },
  personId: Id,
  { kind, code }: { readonly kind: "totp" | "recovery_code"; readonly code: string },
): Promise<boolean> {
  if (kind === "recovery_code") return useRecoveryCode(tx, personId, hashRecoveryCode(code));
  const factor = await lockTotpFactor(tx, personId, "confirmed");
  if (factor === undefined) return false;
  const secret = keyring.unseal(totpSecretPlace(factor.id), factor.secret).reveal();
  const step = findTotpStep(secret, code, nowMs, factor.lastStep);
  if (step === undefined) return false;
  await saveTotpStep(tx, factor.id, step);
  return true;
}

const RECOVERY_CODES = 10;
/** 80 bits: too many to guess from a stolen table, so a plain hash is enough. */
const RECOVERY_CODE_BYTES = 10;

/** A new set, which replaces the one before it; shown once. */
export async function renewRecoveryCodes(tx: Transaction, personId: Id): Promise<readonly string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, () => {
    const text = base32(randomBytes(RECOVERY_CODE_BYTES)).toLowerCase();
    return text.match(/.{4}/g)?.join("-") ?? text;
  });
  const rows = codes.map((code) => ({ id: newId(), hash: hashRecoveryCode(code) }));
  await replaceRecoveryCodes(tx, personId, rows);
  return codes;
}

/** As people type it: in either case, with dashes, spaces or neither. */
function hashRecoveryCode(code: string): Buffer {
  return hashToken(code.toLowerCase().replaceAll(/[^a-z2-7]/g, ""));
}
