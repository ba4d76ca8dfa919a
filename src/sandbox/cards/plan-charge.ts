import type { ChargeWish, StoredWish } from "../faults.ts";
import { type NewAuthentication, newAuthentication } from "./messages.ts";
import { type ChargeReason, cardScenario } from "./scenario.ts";

/** What a new charge begins as, and what it will do later: its card says, and the wishes of a test. */
export type ChargePlan = {
  readonly status: "approved" | "declined" | "challenge" | "redirect" | "pending";
  readonly reason: ChargeReason | null;
  readonly authentication: NewAuthentication | undefined;
  readonly methodStep: boolean;
  readonly paysAmount: bigint;
  readonly authorisesAfterMs: number | null;
  readonly lateApprovalMs: number | null;
  readonly silent: boolean;
};

const EXTRA_MINOR = 100n;
const APPROVAL_MS = 2_000;

export function planCharge(pan: string, amount: bigint, wishes: readonly StoredWish[]): ChargePlan {
  const find = (kind: ChargeWish): StoredWish | undefined => wishes.find((wish) => wish.kind === kind);
  const later = {
    methodStep: find("method_step") !== undefined,
    paysAmount: find("wrong_amount") === undefined ? amount : amount + EXTRA_MINOR,
    authorisesAfterMs: delayOf(find("slow_approval")),
    lateApprovalMs: delayOf(find("late_approval")),
  };
  const begin = { ...later, reason: null, authentication: undefined, silent: false };
  if (find("plain_redirect") !== undefined)
    return { ...begin, status: "redirect", authentication: newAuthentication("redirect") };
  const scenario = cardScenario(pan);
  const approved = later.authorisesAfterMs === null ? "approved" : "pending";
  switch (scenario.kind) {
    case "approves":
      return { ...begin, status: approved };
    case "approves_in_silence":
      return { ...begin, status: approved, silent: true };
    case "declines":
      return { ...begin, status: "declined", reason: scenario.reason };
    case "challenges":
      return { ...begin, status: "challenge", authentication: newAuthentication(scenario.version) };
  }
}

function delayOf(wish: StoredWish | undefined): number | null {
  return wish === undefined ? null : wish.ms || APPROVAL_MS;
}
