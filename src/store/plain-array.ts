import type { Id } from "../core/ids.ts";

/** What needs no quotes in the text of an array. */
type Plain = number | bigint | Id | null | undefined;

/**
 * The text of an array for PostgreSQL. The library looks for characters to escape in each item, one of the larger costs of a
 * batch; here the type says that there are none.
 */
export function plainArray<T>(items: readonly T[], pick: (item: T) => Plain): string {
  let text = "";
  for (const item of items) text += `${text === "" ? "" : ","}${pick(item) ?? "NULL"}`;
  return `{${text}}`;
}
