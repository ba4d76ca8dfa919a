import { kindOf } from "../payments/kinds.ts";
import type { PageStep } from "./page-step.ts";

/**
 * A card is being charged: the payer stays on the page. A payer who returns to the shop now finds the order unpaid there, and may
 * pay a second time. A transfer that is being looked for is no such charge: it was sent already, and the page may be closed.
 */
export function isChargeUnderWay(step: PageStep, method: string | null): boolean {
  return CHARGING.has(step) && kindOf({ direction: "payin", method }) === "card";
}

const CHARGING: ReadonlySet<PageStep> = new Set(["prepare", "challenge", "check"]);
