import type { DeskPayment } from "./wire.ts";

/** Who does it to a payment: money moves, a bank decides, or time passes. */
export const ACTION_GROUPS = ["money", "bank", "time"] as const;
export type ActionGroup = (typeof ACTION_GROUPS)[number];

const GROUP_OF_ACTION: Readonly<Record<string, ActionGroup>> = {
  arrive: "money",
  arrive_short: "money",
  arrive_over: "money",
  arrive_twice: "money",
  take_back: "money",
  return: "money",
  arrive_late: "time",
  never: "time",
  time_out: "time",
};

/** What can be done to a payment, by group, in the service's order. */
export function actionsOf({ actions }: DeskPayment, group: ActionGroup): readonly string[] {
  return actions.filter((action) => (GROUP_OF_ACTION[action] ?? "bank") === group);
}

/** What the payer can make the merchant's server say. */
export function payerActionsOf({ kind, sub_status }: DeskPayment): readonly ("confirm" | "cancel")[] {
  if (kind !== "transfer") return [];
  if (sub_status === "awaiting_confirm") return ["confirm", "cancel"];
  return sub_status === "no_payment" ? ["confirm"] : [];
}

/** The words that an issuer declines with; the first is the usual one. */
export const DECLINE_REASONS = [
  "card_declined",
  "insufficient_funds",
  "card_expired",
  "authentication_failed",
  "cancelled",
  "expired",
  "processing_error",
] as const;

export function isOver({ status }: DeskPayment): boolean {
  return status === "success" || status === "decline";
}
