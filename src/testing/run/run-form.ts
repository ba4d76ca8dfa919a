import { inject, it, type TestAPI } from "vitest";

/**
 * `npm test` runs the short form of a test, `npm run test:stress` the long one. Continuous integration runs both, so the long form
 * need not repeat what the short one checks.
 */
export type RunForm = "short" | "long";

/** The numbers of a test. The rule that it checks is the same in both forms. */
export function sizeOf<Size>(sizes: Readonly<Record<RunForm, Size>>): Size {
  return sizes[inject("form")];
}

/** Cases of one rule that differ little, such as two widths: `npm test` runs the first ones, `npm run test:stress` the others. */
export function variants<Case>(first: readonly Case[], others: readonly Case[]): readonly Case[] {
  return sizeOf({ short: first, long: others });
}

/** The same, where the long form checks more of the first ones too. */
export function growing<Case>(first: readonly Case[], others: readonly Case[]): readonly Case[] {
  return sizeOf({ short: first, long: [...first, ...others] });
}

/** Declares no test: a run does not count as skipped what another run has. */
const none = Object.assign(() => undefined, { each: () => () => undefined }) as unknown as TestAPI;

/** A test that `npm test` alone runs, in a file that `npm run test:stress` has too. */
export const shortIt = sizeOf({ short: it, long: none });

/** A test that `npm run test:stress` alone runs: its rule has another test, or its kind has one, in `npm test`. */
export const longIt = sizeOf({ short: none, long: it });
