import type { StatementItem, StatementLine } from "./statement-item.ts";

/** Finds the opening and closing balance of a file whose lines each carry the balance after them. */
export type RunningBalances = {
  readonly note: (line: StatementLine, balance: bigint) => void;
  /** A line could not be read, so from here on nothing can be said. */
  readonly interrupt: () => void;
  readonly list: () => StatementItem[];
};

/** A statement has one account, or a few; more would be a file of another kind. */
const ACCOUNTS_MAX = 1_000;

type Point = { readonly line: StatementLine; readonly balance: bigint };

type Run = { readonly first: Point; last: Point; isRising: boolean; isFalling: boolean };

/**
 * Some banks write the oldest line first and some the newest. Which it is follows from the sums: each balance must be
 * the one of its neighbour and the amount. Where neither holds for every line, no balance is given.
 */
export function trackBalances(): RunningBalances {
  const runs = new Map<string, Run>();
  let isBroken = false;
  return {
    note: (line, balance) => {
      const key = JSON.stringify([line.account, line.currency]);
      const point = { line, balance };
      const run = runs.get(key);
      if (run === undefined && runs.size >= ACCOUNTS_MAX) isBroken = true;
      else if (run === undefined) runs.set(key, { first: point, last: point, isRising: true, isFalling: true });
      else {
        run.isRising &&= balanceBefore(point) === run.last.balance;
        run.isFalling &&= balanceBefore(run.last) === balance;
        run.last = point;
      }
    },
    interrupt: () => {
      isBroken = true;
    },
    list: () => (isBroken ? [] : [...runs.values()].flatMap(endsOf)),
  };
}

function balanceBefore({ line, balance }: Point): bigint {
  return line.direction === "credit" ? balance - line.amount : balance + line.amount;
}

function endsOf({ first, last, isRising, isFalling }: Run): StatementItem[] {
  if (!isRising && !isFalling) return [];
  // When both hold, as for one line or sums that cancel out, the days decide.
  const isOldestFirst = isRising && (!isFalling || dayOf(first.line) <= dayOf(last.line));
  const [oldest, newest] = isOldestFirst ? [first, last] : [last, first];
  return [
    balanceItem("opening", oldest.line, balanceBefore(oldest)),
    balanceItem("closing", newest.line, newest.balance),
  ];
}

function balanceItem(which: "opening" | "closing", line: StatementLine, amount: bigint): StatementItem {
  const { account, currency } = line;
  return { kind: "balance", value: { account, which, amount, currency, day: dayOf(line) } };
}

function dayOf({ booked }: StatementLine): string {
  return booked.kind === "local" ? booked.from.slice(0, 10) : booked.from.toISOString().slice(0, 10);
}
