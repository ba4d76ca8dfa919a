import type { Operation } from "../operations.ts";

/** Called once on every page of `/docs`. It mounts into `[data-samples]` of each `section.operation`. */
export function mountSamples(_operations: readonly Operation[]): void {}
