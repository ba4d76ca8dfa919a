import { adjustBalance } from "../../app/ledger/adjust-balance.ts";
import { generateRsaKey } from "../../app/merchants/api-keys.ts";
import { createMerchant, createProject } from "../../app/merchants/merchants.ts";
import type { Currency } from "../../core/currency.ts";
import type { Id } from "../../core/ids.ts";
import type { Book } from "../../core/merchants/book.ts";
import type { Minor } from "../../core/money.ts";
import { newId } from "../../platform/new-id.ts";
import { type Keyring, newDataKey, openKeyring } from "../../platform/secrets.ts";
import type { Database } from "../../store/db.ts";

export const RUB = "RUB" as Currency;

export function minor(amount: bigint | number): Minor {
  return BigInt(amount) as Minor;
}

export function testKeyring(): Keyring {
  return openKeyring([newDataKey("encrypt"), newDataKey("lookup")]);
}

export async function aProject(
  db: Database,
  book: Book = "test",
  merchant?: Id,
): Promise<{ merchantId: Id; projectId: Id }> {
  const merchantId = merchant ?? (await createMerchant(db, "Shop"));
  const project = await createProject(db, { merchantId, name: "Web", book });
  if (!project.ok) throw new Error(project.error);
  return { merchantId, projectId: project.value };
}

export async function credit(
  db: Database,
  projectId: Id,
  amount: bigint | number,
  currency: Currency = RUB,
): Promise<void> {
  const command = {
    projectId,
    currency,
    amount: minor(amount),
    direction: "credit" as const,
    reason: "test",
    actor: "test",
  };
  const credited = await adjustBalance(db, { ...command, reference: newId() });
  if (!credited.ok) throw new Error(credited.error);
}

export async function rsaKeyOf(db: Database, owner: { merchantId: Id; projectId: Id | null; book: Book }) {
  const key = await generateRsaKey(db, { ...owner, label: "test", notBefore: new Date(0), notAfter: null });
  if (!key.ok) throw new Error(key.error);
  return key.value;
}
