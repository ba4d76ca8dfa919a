import { inject } from "vitest";

/** `npm test` runs the stress tests in their short form, `npm run test:stress` in their long one. */
export type RunForm = "short" | "long";

/** The numbers of a stress test. The rule that it checks is the same in both forms. */
export function sizeOf<Size>(sizes: Readonly<Record<RunForm, Size>>): Size {
  return sizes[inject("form")];
}
