import { type AccountFault, accountFault } from "../../core/people/account-fault.ts";
import { type GuessBucket, type GuessRate, refundGuess, takeGuess } from "../../store/people/sign-in-guesses.ts";
import type { PeopleDeps } from "./people-deps.ts";

/** Ten guesses at once, then one every three minutes: fewer than five hundred a day at one login, from all addresses together. */
const LOGIN_RATE: GuessRate = { burst: 10, perSecond: 1 / 180 };
/** An office behind one address has many people, and each of them mistypes. */
const ADDRESS_RATE: GuessRate = { burst: 50, perSecond: 1 / 20 };
const BUCKETS = 65_536;
const RETRY_AFTER_S = 60;

type Deps = Pick<PeopleDeps, "db" | "keyring" | "clock">;

export type GuessPass = { readonly refund: () => Promise<void> };

/**
 * Takes a guess at a login from an address, before anything is looked up: the answer is the same whether the login exists. A guess
 * that is right is given back, so people who know their password never wait.
 */
export async function takeGuesses(deps: Deps, login: string, address: string): Promise<GuessPass | AccountFault> {
  const now = new Date(deps.clock.nowMs());
  const buckets: readonly GuessBucket[] = [
    { kind: "address", bucket: bucketOf(deps, address), rate: ADDRESS_RATE },
    { kind: "login", bucket: bucketOf(deps, login), rate: LOGIN_RATE },
  ];
  const refund = async () => {
    for (const bucket of buckets) await refundGuess(deps.db, bucket);
  };
  for (const bucket of buckets) {
    if (!(await takeGuess(deps.db, bucket, now)))
      return { ...accountFault("rate_limited", "too many attempts; try again later"), retryAfterS: RETRY_AFTER_S };
  }
  return { refund };
}

/** By a keyed hash: no stranger can choose a login that shares its bucket with another's. */
function bucketOf({ keyring }: Deps, name: string): number {
  return keyring.lookupHash("sign_in_guesses", name).readUInt32BE(0) % BUCKETS;
}
