import { groupBy } from "../group-by.ts";
import { type BankFacts, NO_SBP_CODE, transliterate } from "../merchants/bank.ts";

/** A bank of either side, with every name that it goes by. Short names and nicknames are left out: they fit several banks. */
export type MatchedBank = Omit<BankFacts, "name"> & { readonly symbol: string; readonly names: readonly string[] };

/** How a bank of ours and one of theirs were found to be the same. */
export type PairSource = "code" | "name" | "file";
export type BankPair = { readonly symbol: string; readonly theirSymbol: string; readonly source: PairSource };

/** Banks that could be one another: which, only an operator can say. */
type AmbiguousBanks = {
  readonly by: "code" | "name";
  readonly ours: readonly string[];
  readonly theirs: readonly string[];
};

export type BankMatch = {
  readonly pairs: readonly BankPair[];
  readonly ambiguous: readonly AmbiguousBanks[];
  readonly unmatchedOurs: readonly string[];
  readonly unmatchedTheirs: readonly string[];
};

/**
 * Finds out what a provider calls our banks: what an operator's file says, then the payment system's code, then the name
 * within the country. A payout to the wrong bank may not come back, so that what fits twice is not matched at all.
 */
export function matchBanks(
  ours: readonly MatchedBank[],
  theirs: readonly MatchedBank[],
  fromFile: readonly Omit<BankPair, "source">[],
): BankMatch {
  const pairs: BankPair[] = fromFile.map((pair) => ({ ...pair, source: "file" }));
  const ambiguous: AmbiguousBanks[] = [];
  const taken = {
    ours: new Set(pairs.map(({ symbol }) => symbol)),
    theirs: new Set(pairs.map(({ theirSymbol }) => theirSymbol)),
  };
  for (const by of ["code", "name"] as const) {
    const left = {
      ours: ours.filter(({ symbol }) => !taken.ours.has(symbol)),
      theirs: theirs.filter(({ symbol }) => !taken.theirs.has(symbol)),
    };
    for (const group of groupsOf(left.ours, left.theirs, by)) {
      const [symbol, secondOfOurs] = group.ours;
      const [theirSymbol, secondOfTheirs] = group.theirs;
      if (symbol === undefined || theirSymbol === undefined) continue;
      const isOne = secondOfOurs === undefined && secondOfTheirs === undefined;
      if (isOne) pairs.push({ symbol, theirSymbol, source: by });
      else ambiguous.push({ by, ...group });
      for (const each of group.ours) taken.ours.add(each);
      for (const each of group.theirs) taken.theirs.add(each);
    }
  }
  return {
    pairs,
    ambiguous,
    unmatchedOurs: ours.map(({ symbol }) => symbol).filter((symbol) => !taken.ours.has(symbol)),
    unmatchedTheirs: theirs.map(({ symbol }) => symbol).filter((symbol) => !taken.theirs.has(symbol)),
  };
}

type Group = { readonly ours: readonly string[]; readonly theirs: readonly string[] };

/** Banks that hang together by what they have in common, directly or through others. */
function groupsOf(ours: readonly MatchedBank[], theirs: readonly MatchedBank[], by: "code" | "name"): Group[] {
  const keysOf = by === "code" ? codeOf : namesOf;
  const theirsByKey = groupBy(
    theirs.flatMap((bank) => keysOf(bank).map((key) => ({ key, bank }))),
    ({ key }) => key,
  );
  const theirsOf = new Map<string, Set<string>>();
  const oursOf = new Map<string, Set<string>>();
  for (const bank of ours) {
    for (const other of keysOf(bank)
      .flatMap((key) => theirsByKey.get(key) ?? [])
      .map((each) => each.bank)) {
      // One name and two codes are two banks.
      if (by === "name" && hasCode(bank) && hasCode(other)) continue;
      link(theirsOf, bank.symbol, other.symbol);
      link(oursOf, other.symbol, bank.symbol);
    }
  }
  const seen = new Set<string>();
  return [...theirsOf.keys()].flatMap((symbol) => (seen.has(symbol) ? [] : [gather(symbol, theirsOf, oursOf, seen)]));
}

function gather(
  first: string,
  theirsOf: ReadonlyMap<string, ReadonlySet<string>>,
  oursOf: ReadonlyMap<string, ReadonlySet<string>>,
  seen: Set<string>,
): Group {
  const ours = [first];
  const theirs = new Set<string>();
  seen.add(first);
  // The list grows while it is read.
  for (const symbol of ours) {
    for (const other of theirsOf.get(symbol) ?? []) {
      theirs.add(other);
      for (const next of oursOf.get(other) ?? []) {
        if (seen.has(next)) continue;
        seen.add(next);
        ours.push(next);
      }
    }
  }
  return { ours, theirs: [...theirs] };
}

function link(links: Map<string, Set<string>>, from: string, to: string): void {
  const known = links.get(from);
  if (known === undefined) links.set(from, new Set([to]));
  else known.add(to);
}

function hasCode({ sbpCode }: MatchedBank): boolean {
  return sbpCode !== NO_SBP_CODE;
}

function codeOf(bank: MatchedBank): string[] {
  return hasCode(bank) ? [bank.sbpCode] : [];
}

/** In one script and without signs, as symbols are made: `Сбербанк` is `sberbank`. */
function namesOf({ names, countryCode }: MatchedBank): string[] {
  const words = names.map(transliterate).filter((name) => name !== "");
  return [...new Set(words)].map((name) => `${countryCode} ${name}`);
}
