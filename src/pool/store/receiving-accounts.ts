import type { Currency } from "../../core/currency.ts";
import type { Id } from "../../core/ids.ts";
import type { Book } from "../../core/merchants/book.ts";
import type { Minor } from "../../core/money.ts";
import type { Database, Transaction } from "../../store/db.ts";

/** What an operator says about a receiving account and may change later. */
export type AccountSettings = {
  readonly bank: string;
  readonly country: string;
  readonly owner: string;
  readonly timeZone: string;
  readonly enabled: boolean;
  readonly priority: number;
  readonly minAmount: Minor;
  readonly maxAmount: Minor;
  readonly dayCountMax: number | null;
  readonly daySumMax: Minor | null;
  readonly parallelMax: number | null;
  readonly coolDownS: number;
  /** `HH:MM:SS` in its time zone; null: around the clock. */
  readonly opensAt: string | null;
  readonly closesAt: string | null;
  readonly quarantineS: number;
  readonly openingBalance: bigint;
  readonly statementMapping: unknown;
};

export type ReceivingAccount = AccountSettings & {
  readonly id: Id;
  readonly code: string;
  readonly book: Book;
  readonly currency: Currency;
  /** Sealed. */
  readonly holder: Buffer;
  readonly number: Buffer | null;
  readonly numberHash: Buffer | null;
};

export type StoredAccount = ReceivingAccount & {
  readonly liveCount: number;
  readonly lastLentAt: Date | null;
  readonly createdAt: Date;
};

const SETTING_COLUMNS = {
  bank: "bank",
  country: "country",
  owner: "owner",
  timeZone: "time_zone",
  enabled: "enabled",
  priority: "priority",
  minAmount: "min_amount",
  maxAmount: "max_amount",
  dayCountMax: "day_count_max",
  daySumMax: "day_sum_max",
  parallelMax: "parallel_max",
  coolDownS: "cool_down_s",
  opensAt: "opens_at",
  closesAt: "closes_at",
  quarantineS: "quarantine_s",
  openingBalance: "opening_balance",
  statementMapping: "statement_mapping",
} as const satisfies Record<keyof AccountSettings, string>;

const COLUMN_OF = {
  id: "id",
  code: "code",
  book: "book",
  currency: "currency",
  holder: "holder",
  number: "number",
  numberHash: "number_hash",
  ...SETTING_COLUMNS,
} as const satisfies Record<keyof ReceivingAccount, string>;

const COLUMNS = [
  ...Object.entries(COLUMN_OF),
  ["liveCount", "live_count"],
  ["lastLentAt", "last_lent_at"],
  ["createdAt", "created_at"],
]
  .map(([name, column]) => `a.${column} as "${name}"`)
  .join(", ");

const MEMBERS = Object.keys(COLUMN_OF) as (keyof ReceivingAccount)[];

/** False when the code is taken; then nothing was written. */
export async function insertReceivingAccount(tx: Transaction, account: ReceivingAccount): Promise<boolean> {
  const rows = await tx.run({
    text: `insert into receiving_accounts (${MEMBERS.map((member) => COLUMN_OF[member]).join(", ")})
           values (${MEMBERS.map((_, index) => `$${index + 1}`).join(", ")})
           on conflict (code) do nothing
           returning id`,
    values: MEMBERS.map((member) => toColumn(member, account[member])),
  });
  return rows.length === 1;
}

/** All of what may change; the sealed holder and number too. */
export async function updateReceivingAccount(tx: Transaction, account: ReceivingAccount): Promise<void> {
  const members = MEMBERS.filter((member) => !["id", "code", "book", "currency"].includes(member));
  await tx.run({
    text: `update receiving_accounts set ${members.map((member, index) => `${COLUMN_OF[member]} = $${index + 2}`).join(", ")}
            where id = $1`,
    values: [account.id, ...members.map((member) => toColumn(member, account[member]))],
  });
}

function toColumn(member: keyof ReceivingAccount, value: unknown): unknown {
  return member === "statementMapping" && value !== null ? JSON.stringify(value) : value;
}

export function listReceivingAccounts(db: Pick<Database, "run">): Promise<StoredAccount[]> {
  return db.run<StoredAccount>({ text: `select ${COLUMNS} from receiving_accounts a order by a.code` });
}

export async function findReceivingAccount(
  db: Pick<Database, "run">,
  code: string,
): Promise<StoredAccount | undefined> {
  const rows = await db.run<StoredAccount>({
    text: `select ${COLUMNS} from receiving_accounts a where a.code = $1`,
    values: [code],
  });
  return rows[0];
}

export async function lockReceivingAccount(tx: Transaction, code: string): Promise<StoredAccount | undefined> {
  const rows = await tx.run<StoredAccount>({
    text: `select ${COLUMNS} from receiving_accounts a where a.code = $1 for no key update`,
    values: [code],
  });
  return rows[0];
}

/** PostgreSQL knows the zones that its `at time zone` understands, and no others can be used here. */
export async function isTimeZone(db: Pick<Database, "run">, name: string): Promise<boolean> {
  const rows = await db.run({ text: "select from pg_timezone_names where name = $1", values: [name] });
  return rows.length > 0;
}
