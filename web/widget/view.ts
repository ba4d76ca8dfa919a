import type { View } from "./page-state.ts";

export type * from "./page-state.ts";

export function isOver({ step }: View): boolean {
  return step === "success" || step === "decline";
}

/** The server puts it into the page, so that there is something to draw at once. */
export function readFirstView(): View {
  return JSON.parse(document.getElementById("view")?.textContent ?? "");
}
