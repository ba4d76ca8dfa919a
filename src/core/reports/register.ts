import { groupBy } from "../group-by.ts";
import type { Minor } from "../money.ts";
import { addStanding, changeOf, type Movement, type Standing } from "./statement.ts";

/** The lines of one day of one kind that move money the same way, together. */
export type RegisterGroup = Movement & { readonly day: string; readonly kind: string; readonly count: number };

/** A day of the daily register. Days on which nothing moved are left out. */
export type RegisterDay = {
  readonly day: string;
  readonly count: number;
  readonly opening: Standing;
  /** What entered and what left the balance; a hold moves money inside it, and is neither. */
  readonly received: Minor;
  readonly spent: Minor;
  readonly closing: Standing;
  readonly groups: readonly RegisterGroup[];
};

export function registerOf(opening: Standing, groups: readonly RegisterGroup[]): RegisterDay[] {
  let standing = opening;
  return [...groupBy(groups, ({ day }) => day)].map(([day, ofDay]) => {
    const changes = ofDay.map((group) => changeOf(group));
    const totals = changes.map(({ available, locked }) => available + locked);
    const before = standing;
    standing = changes.reduce(addStanding, before);
    return {
      day,
      count: ofDay.reduce((count, group) => count + group.count, 0),
      opening: before,
      received: totals.reduce((sum, total) => (total > 0n ? sum + total : sum), 0n) as Minor,
      spent: totals.reduce((sum, total) => (total < 0n ? sum - total : sum), 0n) as Minor,
      closing: standing,
      groups: ofDay,
    };
  });
}
