import { inject } from "vitest";

/** `npm test` runs tests with chance in them in their short form, `npm run test:stress` in their long one. */
export type RunForm = "short" | "long";

/** The numbers of such a test. The rule that it checks is the same in both forms. */
export function sizeOf<Size>(sizes: Readonly<Record<RunForm, Size>>): Size {
  return sizes[inject("form")];
}

/** Cases of one rule that differ little, such as two widths: `npm test` runs the first ones, `npm run test:stress` all of them. */
export function variants<Case>(first: readonly Case[], others: readonly Case[]): readonly Case[] {
  return sizeOf({ short: first, long: [...first, ...others] });
}
