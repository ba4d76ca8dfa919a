import type { Operation } from "../operations.ts";

/**
 * Called once on every page of `/docs`. It mounts into `[data-console]` of each `section.operation`, and into
 * `[data-check-signature]`, which `/docs/check-signature` has. On pages without operations the list is empty.
 */
export function mountConsole(_operations: readonly Operation[]): void {}
