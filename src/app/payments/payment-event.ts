import type { Method } from "../../core/merchants/methods.ts";
import type { RouteReasons } from "../../core/merchants/routing.ts";
import type { Minor } from "../../core/money.ts";
import type { FeeRates } from "../../core/payments/fees.ts";
import type { CardPayinRow } from "../../store/cards/card-payins.ts";
import type { AttemptOutcome } from "../../store/payments/attempts.ts";
import type { PaymentKey } from "../../store/payments/payments.ts";
import type { Receipt } from "../../store/payments/receipts.ts";
import type { Happening } from "./decide-event.ts";

/** Something that happened to a payment, with what must be written in the same commit. */
export type PaymentEvent = PaymentKey &
  Happening & {
    /** Who made it happen: merchant, worker, provider, or an operator's name. */
    readonly actor: string;
    readonly detail?: string;
    /** Money names its receipt, so that a provider that reports it twice does not make it count twice. */
    readonly receivedFrom?: Pick<Receipt, "provider" | "receiptReference" | "receivedAt" | "amount">;
    /** What the provider keeps for itself under one of its references. It is posted once for each. */
    readonly providerFee?: { readonly reference: string; readonly fee: Minor };
    /** Sealed. */
    readonly requisites?: Buffer;
    /** What the payer of a hosted page chose, and the card where that was it. */
    readonly choice?: PayerChoice;
    /** Sealed: where the payer of a card goes on. */
    readonly challenge?: Buffer;
    /** The provider that is asked next. Its reference is made and committed here, before the provider is called. */
    readonly nextProvider?: string;
    /** Why that one, where another came before it or shares with it. */
    readonly routeReasons?: RouteReasons;
    /** A payment that is new is submitted by the same write, before this: its attempt was committed with its create. */
    readonly submits?: true;
    /** The result of the present attempt. */
    readonly attemptEnd?: { readonly outcome: AttemptOutcome; readonly detail: string | null };
    /** The process that holds the payment's lease does it; others leave a hint for it. */
    readonly byWorker?: true;
    /** The worker of this process has room for the payment: where it is due now and no other has it, its lease is taken. */
    readonly takesLease?: true;
    /** The worker's look ends with it: the lease is given back and the next look planned by the same write. */
    readonly endsLook?: { readonly leaseUntil: Date };
    /**
     * The number of the attempt that it is about. A worker that was away so long that another one took over, and asked
     * the next provider, comes too late with it: the payment is no longer where that worker left it.
     */
    readonly ofAttempt?: number;
    /**
     * What had been counted when the provider was asked for its total. If more has been counted since, the answer may be older than
     * that, and the event changes nothing: the next look compares again.
     */
    readonly ofReceived?: Minor;
    /**
     * The choice of a hosted page's payer that it is about, as `presentChoice` says it. The payer may have chosen again since: then
     * it changes nothing, and money that it brings is counted for the choice that it is about.
     */
    readonly ofChoice?: number;
  };

export type PayerChoice = {
  readonly method: Method;
  readonly rates: FeeRates;
  /** The lifetime that restarts with the first choice. */
  readonly lifetimeS: number;
  readonly bank: string | undefined;
  readonly card: CardPayinRow | undefined;
};
