import type { ClearingAccount } from "../ledger/accounts.ts";
import { AMOUNT_MAX, type Minor } from "../money.ts";
import { P2P_CHANCES } from "../page/second-chance.ts";
import type { Movement, Payin, PayinDeclineCode } from "./payin.ts";
import { nextPayinState, type P2pPayinEvent } from "./payin-transitions.ts";
import { type Moved, moveReceived, settleReceived } from "./receive.ts";
import { isFinal, type P2pPayinState } from "./states.ts";

/** Something that happened, with what it brings. */
export type PayinHappening =
  | {
      readonly kind: Exclude<
        P2pPayinEvent,
        "received_exact" | "received_other" | "received_no_room" | "operator_settled"
      >;
    }
  | {
      readonly kind: "received";
      readonly amount: Minor;
      readonly clearing: ClearingAccount;
      /** The merchant's balance cannot take it now. */
      readonly noRoom?: true;
    }
  /** An operator confirms the money; what did not arrive through a provider is recorded against `clearing`. */
  | { readonly kind: "operator_settled"; readonly clearing: ClearingAccount };

export type PayinDecision =
  /** Not now: nothing changes, and the history records the attempt. */
  | { readonly kind: "refused" }
  | {
      readonly kind: "accepted";
      readonly event: P2pPayinEvent;
      readonly payin: Payin;
      readonly changed: boolean;
      /** The payer's choice is over, and the payer chooses again; the decline code says why. */
      readonly endsChoice: boolean;
      readonly declineCode: PayinDeclineCode | undefined;
      readonly movements: readonly Movement[];
    };

/**
 * What follows from a happening: the new state, and every movement of money that goes with it. It knows no clock and no
 * database, so all of it can be tested as a table.
 */
export function decidePayin(payin: Payin, happening: PayinHappening): PayinDecision {
  // Only what waits for room can find it.
  if (happening.kind === "room_found" && payin.receivedAmount !== payin.requestedAmount) return { kind: "refused" };
  // More than a payment can be worth: it can only be sent back.
  if (happening.kind === "operator_settled" && payin.receivedAmount > AMOUNT_MAX) return { kind: "refused" };
  const event = eventOf(payin, happening);
  const endsChoice = payin.mayChooseAgain === true && P2P_CHANCES[payin.state]?.includes(event) === true;
  const state = endsChoice ? "processing:new" : nextPayinState(payin.state, event, payin);
  if (state === undefined) return { kind: "refused" };
  const moved = moveMoney(payin, happening, state);
  return {
    kind: "accepted",
    event,
    payin: { ...payin, ...moved.payin, state, confirmed: payin.confirmed || event === "confirmed" },
    changed: state !== payin.state,
    endsChoice,
    declineCode: endsChoice || (state === "decline" && payin.state !== "decline") ? DECLINE_CODES[event] : undefined,
    movements: moved.movements,
  };
}

function eventOf(payin: Payin, happening: PayinHappening): P2pPayinEvent {
  if (happening.kind !== "received") return happening.kind;
  if (payin.receivedAmount + happening.amount !== payin.requestedAmount) return "received_other";
  return happening.noRoom && !isFinal(payin.state) ? "received_no_room" : "received_exact";
}

const DECLINE_CODES: Partial<Record<P2pPayinEvent, PayinDeclineCode>> = {
  cancelled: "cancelled",
  expired: "expired",
  grace_over: "expired",
  requisites_late: "expired",
  no_requisites: "no_requisites",
  provider_declined: "provider_declined",
  left: "cancelled",
  operator_declined: "operator",
};

const NOTHING_MOVED: Moved = { payin: {}, movements: [] };

function moveMoney(payin: Payin, happening: PayinHappening, next: P2pPayinState): Moved {
  if (happening.kind === "received") return moveReceived(payin, happening, next === "success" && !isFinal(payin.state));
  if (happening.kind === "room_found") return settleReceived(payin, undefined);
  if (happening.kind === "operator_settled") return settleReceived(payin, happening.clearing);
  return NOTHING_MOVED;
}
