import "../styles/console.css";
import type { Operation } from "../operations.ts";
import { mountCheckForm, mountTryIt } from "./mount.tsx";

/**
 * Called once on every page of `/docs`. It mounts into `[data-console]` of each `section.operation`, and into
 * `[data-check-signature]`, which `/docs/check-signature` has. On pages without operations the list is empty.
 */
export function mountConsole(operations: readonly Operation[]): void {
  for (const operation of operations) {
    const place = document.getElementById(operation.anchor)?.querySelector("[data-console]");
    if (place !== null && place !== undefined) mountTryIt(place, operation);
  }
  const check = document.querySelector("[data-check-signature]");
  if (check !== null) mountCheckForm(check, pathsOf(operations));
}

function pathsOf(operations: readonly Operation[]): string[] {
  return operations.filter(({ isSigned }) => isSigned).map(({ path }) => path);
}
