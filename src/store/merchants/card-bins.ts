import type { CardBin } from "../../core/cards/card-bins.ts";
import type { Id } from "../../core/ids.ts";
import type { Database, Transaction } from "../db.ts";

/** Who issued a card, by the first digits of its number. */

export type BinImport = {
  readonly id: Id;
  readonly prefixCount: number;
  /** SHA-256 of the file, in hex. */
  readonly fileHash: string;
};

const ROWS_AT_ONCE = 10_000;

/** What an earlier list says is no longer known. */
export async function saveCardBins(tx: Transaction, made: BinImport, bins: readonly CardBin[]): Promise<void> {
  // One list after the other, so that no half of each is left.
  await tx.run({ text: "lock table card_bin_imports in share row exclusive mode" });
  await tx.run({
    text: `insert into card_bin_imports (id, prefix_count, file_hash, imported_at) values ($1, $2, $3, clock_timestamp())`,
    values: [made.id, made.prefixCount, made.fileHash],
  });
  for (let from = 0; from < bins.length; from += ROWS_AT_ONCE) {
    const some = bins.slice(from, from + ROWS_AT_ONCE);
    await tx.run({
      text: `insert into card_bins (prefix, country, bank, import_id)
             select b.*, $4 from unnest($1::text[], $2::text[], $3::text[]) as b
             on conflict (prefix) do update set country = excluded.country, bank = excluded.bank, import_id = excluded.import_id`,
      values: [
        some.map(({ prefix }) => prefix),
        some.map(({ country }) => country),
        some.map(({ bank }) => bank),
        made.id,
      ],
    });
  }
}

const LAST = "(select id from card_bin_imports order by imported_at desc, id desc limit 1)";

export function listCardBins(tx: Pick<Database, "run">): Promise<CardBin[]> {
  return tx.run<CardBin>({ text: `select prefix, country, bank from card_bins where import_id = ${LAST}` });
}

/** Undefined: there was no import. */
export async function findLastBinImport(tx: Pick<Database, "run">): Promise<Id | undefined> {
  const [row] = await tx.run<{ id: Id | null }>({
    text: `select ${LAST} as id`,
  });
  return row?.id ?? undefined;
}

/** Those that begin so, or that it begins with. */
export function listBinsOf(db: Pick<Database, "run">, digits: string): Promise<CardBin[]> {
  return db.run<CardBin>({
    text: `select prefix, country, bank from card_bins
            where (starts_with(prefix, $1) or starts_with($1, prefix)) and import_id = ${LAST}
            order by prefix limit 1000`,
    values: [digits],
  });
}
