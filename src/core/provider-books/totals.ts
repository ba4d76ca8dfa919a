import type { Currency } from "../currency.ts";
import type { Direction } from "../merchants/methods.ts";
import { type Minor, ZERO } from "../money.ts";
import type { OurEntry, TheirEntry } from "./compare-entry.ts";

/** What moved, by one side's books. */
export type SideTotals = {
  readonly payins: Sum;
  readonly payouts: Sum;
  readonly fees: Minor;
  /** What is left of it at the provider: pay-ins less payouts and fees. */
  readonly net: Minor;
};
export type Sum = { readonly count: number; readonly amount: Minor };

export type CurrencyTotals = {
  readonly currency: Currency;
  readonly ours: SideTotals;
  readonly theirs: SideTotals;
  /** Successful entries of theirs that we do not have and whose direction the register does not say: in no sum of theirs. */
  readonly undirected: Sum;
  /** Theirs less ours. */
  readonly difference: Minor;
};

type Side = { payins: MutableSum; payouts: MutableSum; fees: bigint };
type MutableSum = { count: number; amount: bigint };
type Tally = { readonly ours: Side; readonly theirs: Side; readonly undirected: MutableSum };

export type Totals = {
  readonly addOurs: (entry: OurEntry) => void;
  readonly addTheirs: (entry: TheirEntry, direction: Direction | undefined) => void;
  readonly read: () => readonly CurrencyTotals[];
};

/** Adds up what moved on both sides, entry by entry. */
export function openTotals(): Totals {
  const tallies = new Map<Currency, Tally>();
  const of = (currency: Currency): Tally => {
    const known = tallies.get(currency);
    if (known !== undefined) return known;
    const made = { ours: newSide(), theirs: newSide(), undirected: newSum() };
    tallies.set(currency, made);
    return made;
  };
  return {
    addOurs: ({ status, currency, direction, amount, fee }) => {
      if (status === "success") addTo(of(currency).ours, direction, amount, fee ?? ZERO);
    },
    addTheirs: ({ status, currency, amount, fee }, direction) => {
      if (status !== "success") return;
      const { theirs, undirected } = of(currency);
      if (direction === undefined) addSum(undirected, amount);
      else addTo(theirs, direction, amount, fee ?? ZERO);
    },
    read: () =>
      [...tallies]
        .map(([currency, { ours, theirs, undirected }]) => {
          const sides = { ours: readSide(ours), theirs: readSide(theirs) };
          const difference = (sides.theirs.net - sides.ours.net) as Minor;
          return { currency, ...sides, undirected: readSum(undirected), difference };
        })
        .sort((a, b) => (a.currency < b.currency ? -1 : 1)),
  };
}

function newSum(): MutableSum {
  return { count: 0, amount: 0n };
}

function newSide(): Side {
  return { payins: newSum(), payouts: newSum(), fees: 0n };
}

function addSum(sum: MutableSum, amount: bigint): void {
  sum.count += 1;
  sum.amount += amount;
}

function addTo(side: Side, direction: Direction, amount: bigint, fee: bigint): void {
  addSum(direction === "payin" ? side.payins : side.payouts, amount);
  side.fees += fee;
}

function readSum({ count, amount }: MutableSum): Sum {
  return { count, amount: amount as Minor };
}

function readSide({ payins, payouts, fees }: Side): SideTotals {
  const net = (payins.amount - payouts.amount - fees) as Minor;
  return { payins: readSum(payins), payouts: readSum(payouts), fees: fees as Minor, net };
}
