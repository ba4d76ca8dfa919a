import { isOver, type View } from "./view.ts";

/** The merchant's page that shows this one in a frame. It is told of the end, and nothing of the payment besides. */
export const isFramed = window.parent !== window;

export type ParentEvent = "open" | "success" | "decline" | "close";

export function tellParent({ frame_origins, order }: View, event: ParentEvent): void {
  if (!isFramed) return;
  for (const origin of frame_origins) parent.postMessage({ tillgate: event, payment_id: order }, origin);
}

export function tellParentOfStep(view: View): void {
  tellParent(view, isOver(view) ? (view.step as "success" | "decline") : "open");
}
