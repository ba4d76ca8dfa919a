import type { ChargeDeclineReason } from "../card-acquirer.ts";
import type { ClearingAccount } from "../ledger/accounts.ts";
import type { Minor } from "../money.ts";
import { CARD_CHANCES } from "../page/second-chance.ts";
import type { Movement, PayinTerms } from "../payments/payin.ts";
import { moveReceived, settleReceived } from "../payments/receive.ts";
import { type CardPayinState, isFinal } from "../payments/states.ts";
import { type CardPayinEvent, nextCardState } from "./card-transitions.ts";

/** What the rules need to know of a pay-in by card. */
export type CardPayin = PayinTerms & {
  readonly state: CardPayinState;
  /** It has its provider and reference. */
  readonly sent: boolean;
  /** A charge that came after the end was given back. */
  readonly reversed: boolean;
  readonly mayChooseAgain?: boolean;
};

type CardDeclineCode =
  | "expired"
  | "cancelled"
  | "insufficient_funds"
  | "card_expired"
  | "three_ds_failed"
  | "provider_declined"
  | "no_provider"
  | "operator";

export type CardHappening =
  | {
      readonly kind: Exclude<
        CardPayinEvent,
        "approved_exact" | "approved_other" | "approved_no_room" | "declined" | "reversed" | "operator_settled"
      >;
    }
  /** `no_provider`: it was sent to none, since none takes cards now. */
  | { readonly kind: "declined"; readonly reason: ChargeDeclineReason | "no_provider" }
  | {
      readonly kind: "approved";
      readonly amount: Minor;
      readonly clearing: ClearingAccount;
      /** The merchant's balance cannot take it now. */
      readonly noRoom?: true;
    }
  | { readonly kind: "reversed"; readonly clearing: ClearingAccount }
  /** An operator confirms the money; what no provider reported is recorded against `clearing`. */
  | { readonly kind: "operator_settled"; readonly clearing: ClearingAccount };

export type CardDecision =
  | { readonly kind: "refused" }
  | {
      readonly kind: "accepted";
      readonly event: CardPayinEvent;
      readonly payin: CardPayin;
      readonly changed: boolean;
      /** The payer's choice is over, and the payer chooses again; the decline code says why. */
      readonly endsChoice: boolean;
      readonly declineCode: CardDeclineCode | undefined;
      readonly movements: readonly Movement[];
    };

/** What follows from a happening: the new state, and every movement of money that goes with it. */
export function decideCard(payin: CardPayin, happening: CardHappening): CardDecision {
  const event = eventOf(payin, happening);
  if (!mayHappen(payin, event)) return { kind: "refused" };
  const endsChoice = payin.mayChooseAgain === true && CARD_CHANCES[payin.state]?.includes(event) === true;
  const state = endsChoice ? "processing:new" : nextCardState(payin.state, event);
  if (state === undefined) return { kind: "refused" };
  const moved = moveMoney(payin, happening, state);
  return {
    kind: "accepted",
    event,
    payin: {
      ...payin,
      ...moved.payin,
      state,
      sent: payin.sent || event === "sent",
      reversed: payin.reversed || event === "reversed",
    },
    changed: state !== payin.state,
    endsChoice,
    declineCode:
      endsChoice || (state === "decline" && payin.state !== "decline") ? declineCodeOf(payin, happening) : undefined,
    movements: moved.movements,
  };
}

function eventOf(payin: CardPayin, happening: CardHappening): CardPayinEvent {
  if (happening.kind !== "approved") return happening.kind;
  if (happening.amount !== payin.requestedAmount) return "approved_other";
  return happening.noRoom && !isFinal(payin.state) ? "approved_no_room" : "approved_exact";
}

/** A card is sent once, money is charged once, finds room only if it waits for it, and is given back once, if it is here. */
function mayHappen(payin: CardPayin, event: CardPayinEvent): boolean {
  const charged = payin.receivedAmount > 0n;
  switch (event) {
    // Another reference would be another charge.
    case "sent":
      return !payin.sent;
    case "approved_exact":
    case "approved_other":
    case "approved_no_room":
      return !charged;
    case "room_found":
      return payin.receivedAmount === payin.requestedAmount;
    case "reversed":
      return charged && !payin.reversed;
    // What was charged is never forgotten by a decline or a timer; it waits for room, or for an operator.
    case "declined":
    case "never_seen":
    case "expired":
    case "timed_out":
      return !charged;
    default:
      return true;
  }
}

type Moved = { readonly payin: Partial<CardPayin>; readonly movements: readonly Movement[] };

function moveMoney(payin: CardPayin, happening: CardHappening, next: CardPayinState): Moved {
  switch (happening.kind) {
    case "approved":
      return moveReceived(payin, happening, next === "success" && !isFinal(payin.state));
    case "room_found":
      return settleReceived(payin, undefined);
    case "operator_settled":
      return settleReceived(payin, happening.clearing);
    case "reversed":
      return {
        payin: {},
        movements: [{ from: "suspense", to: happening.clearing, amount: payin.receivedAmount, kind: "reverse" }],
      };
    default:
      return { payin: {}, movements: [] };
  }
}

const CODES: Readonly<Record<ChargeDeclineReason | "no_provider", CardDeclineCode>> = {
  card_declined: "provider_declined",
  insufficient_funds: "insufficient_funds",
  card_expired: "card_expired",
  processing_error: "provider_declined",
  authentication_failed: "three_ds_failed",
  cancelled: "cancelled",
  expired: "expired",
  other: "provider_declined",
  no_provider: "no_provider",
};

function declineCodeOf({ sent }: CardPayin, happening: CardHappening): CardDeclineCode {
  if (happening.kind === "declined") return CODES[happening.reason];
  if (happening.kind === "expired") return "expired";
  // The process that took the card died before it had sent it to any.
  if (happening.kind === "never_seen" && !sent) return "no_provider";
  return happening.kind === "operator_declined" ? "operator" : "provider_declined";
}
