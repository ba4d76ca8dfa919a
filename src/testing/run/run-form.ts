import { inject } from "vitest";

/** `npm test` runs tests with chance in them in their short form, `npm run test:stress` in their long one. */
export type RunForm = "short" | "long";

/** The numbers of such a test. The rule that it checks is the same in both forms. */
export function sizeOf<Size>(sizes: Readonly<Record<RunForm, Size>>): Size {
  return sizes[inject("form")];
}
