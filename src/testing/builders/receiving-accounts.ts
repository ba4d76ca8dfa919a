import { randomInt } from "node:crypto";
import { seedBanks } from "../../app/merchants/seed-banks.ts";
import { passesLuhn } from "../../core/cards/luhn.ts";
import type { Currency } from "../../core/currency.ts";
import type { Book } from "../../core/merchants/book.ts";
import { openLog } from "../../platform/log.ts";
import type { Keyring } from "../../platform/secrets.ts";
import { openPoolDesk } from "../../pool/app/open-pool-desk.ts";
import { addRequisite } from "../../pool/app/pool-requisites.ts";
import { createReceivingAccount, type NewAccount } from "../../pool/app/receiving-accounts.ts";
import type { ReportedAccount } from "../../pool/app/reported-lines.ts";
import type { RequisiteType } from "../../pool/core/requisite-value.ts";
import type { Database } from "../../store/db.ts";
import { RUB } from "./projects.ts";

/** Receiving accounts as an operator would open them. */

export type AccountWish = {
  readonly code?: string;
  readonly book?: Book;
  readonly currency?: Currency;
  readonly type?: RequisiteType;
  readonly value?: string;
  readonly number?: string;
  readonly settings?: Partial<NewAccount["settings"]>;
};

let made = 0;

export async function anAccount(db: Database, keyring: Keyring, wish: AccountWish = {}): Promise<ReportedAccount> {
  await seedBanks(db);
  made += 1;
  // Lists are in the order of codes, and files that one worker runs share the count: acc-100 would come before acc-99.
  const code = wish.code ?? `acc-${String(made).padStart(5, "0")}`;
  const account = await createReceivingAccount(
    { db, keyring },
    {
      ...{ code, book: wish.book ?? "live", currency: wish.currency ?? RUB, holder: "IVAN I.", number: wish.number },
      settings: { bank: "sberbank", country: "RU", ...wish.settings },
    },
  );
  if (!account.ok) throw new Error(account.error);
  const type = wish.type ?? "card";
  const added = await addRequisite({ db, keyring }, { account: code, type, value: wish.value ?? aValue(type) });
  if (!added.ok) throw new Error(added.error);
  return { id: account.value.id, code, book: account.value.book };
}

const VALUES = {
  card: aCardNumber,
  phone: () => `+7900${randomInt(1_000_000, 10_000_000)}`,
  account: () => `40817810${randomInt(100_000_000, 1_000_000_000)}`,
  link: () => `https://pay.example/${randomInt(1_000_000)}`,
} as const satisfies Record<RequisiteType, () => string>;

function aValue(type: RequisiteType): string {
  return VALUES[type]();
}

function aCardNumber(): string {
  const stem = `220000${String(randomInt(1_000_000_000)).padStart(9, "0")}`;
  const digits = Array.from({ length: 10 }, (_, digit) => `${stem}${digit}`);
  return digits.find(passesLuhn) ?? stem;
}

/** A desk whose complaints a test can read. */
export function aDesk(db: Database, keyring: Keyring) {
  const lines: string[] = [];
  const log = openLog({ level: "error", destination: { write: (line: string) => void lines.push(line) } });
  return { ...openPoolDesk({ db, keyring, log }), complaints: lines };
}
