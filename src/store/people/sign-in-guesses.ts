import type { Transaction } from "../db.ts";

/** How many guesses a bucket holds, and how fast it fills again. */
export type GuessRate = { readonly burst: number; readonly perSecond: number };

export type GuessBucket = {
  readonly kind: "login" | "address";
  readonly bucket: number;
  readonly rate: GuessRate;
};

/**
 * Takes one guess from a bucket; false when none is left. One statement, so that guesses that arrive at many processes at once are counted one after the other.
 */
export async function takeGuess(tx: Transaction, { kind, bucket, rate }: GuessBucket, now: Date): Promise<boolean> {
  const rows = await tx.run({
    name: "take_guess",
    text: `insert into sign_in_guesses as g (kind, bucket, tokens, at) values ($1, $2, $3::float8 - 1, $5)
           on conflict (kind, bucket) do update
              set tokens = least($3::float8, g.tokens + extract(epoch from greatest($5, g.at) - g.at) * $4::float8) - 1,
                  at = greatest($5, g.at)
            where least($3::float8, g.tokens + extract(epoch from greatest($5, g.at) - g.at) * $4::float8) >= 1
           returning bucket`,
    values: [kind, bucket, rate.burst, rate.perSecond, now],
  });
  return rows.length === 1;
}

/** Gives back a guess that was right. */
export async function refundGuess(tx: Transaction, { kind, bucket, rate }: GuessBucket): Promise<void> {
  await tx.run({
    name: "refund_guess",
    text: "update sign_in_guesses set tokens = least($3::float8, tokens + 1) where kind = $1 and bucket = $2",
    values: [kind, bucket, rate.burst],
  });
}
