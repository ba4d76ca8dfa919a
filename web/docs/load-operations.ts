import type { Operation } from "./operations.ts";

/** The operations of this page, or none: the page names their file only if it has a section of one. */
export async function loadOperations(): Promise<readonly Operation[]> {
  const file = document.body.dataset.operations;
  if (file === undefined) return [];
  const answer = await fetch(file);
  return answer.ok ? await answer.json() : [];
}
