import type { BankPair } from "../../core/provider-books/match-banks.ts";
import type { Transaction } from "../db.ts";

/** What a provider calls a bank of ours. */
export type ProviderBankName = BankPair & { readonly provider: string };

/** Of one provider, or of all. */
export function listProviderBanks(tx: Transaction, provider?: string): Promise<ProviderBankName[]> {
  return tx.run<ProviderBankName>({
    text: `select provider, symbol, their_symbol as "theirSymbol", source from provider_banks
            where their_symbol is not null and ($1::text is null or provider = $1) order by provider, symbol`,
    values: [provider],
  });
}

/** Pairs are matched all together: the lock keeps a process that reads the list from undoing what an operator's file says. */
export async function lockProviderBanks(tx: Transaction): Promise<void> {
  await tx.run({ text: "lock table provider_banks in share row exclusive mode" });
}

/** Before their banks are given to others of ours. */
export async function endProviderBanks(tx: Transaction, provider: string, symbols: readonly string[]): Promise<void> {
  await tx.run({
    text: `update provider_banks set their_symbol = null, updated_at = now()
            where provider = $1 and symbol = any($2) and their_symbol is not null`,
    values: [provider, symbols],
  });
}

export async function saveProviderBanks(tx: Transaction, provider: string, pairs: readonly BankPair[]): Promise<void> {
  await tx.run({
    text: `insert into provider_banks (provider, symbol, their_symbol, source)
           select $1, symbol, their_symbol, source
             from unnest($2::text[], $3::text[], $4::text[]) as n (symbol, their_symbol, source)
           on conflict (provider, symbol) do update
              set their_symbol = excluded.their_symbol, source = excluded.source, updated_at = now()`,
    values: [
      provider,
      pairs.map(({ symbol }) => symbol),
      pairs.map(({ theirSymbol }) => theirSymbol),
      pairs.map(({ source }) => source),
    ],
  });
}
