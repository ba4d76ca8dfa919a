import type { DeclineReason, FaultCall, FaultKind } from "../../../core/sandbox/desk-words.ts";
import type { Clock } from "../../../platform/clock.ts";
import type { Keyring } from "../../../platform/secrets.ts";
import type { Database } from "../../../store/db.ts";
import type { Directory } from "../../merchants/directory.ts";

/** What the tester's desk stands on. */
export type DeskDeps = {
  readonly db: Database;
  readonly keyring: Keyring;
  readonly clock: Clock;
  readonly publicUrl: () => string;
  readonly currentDirectory: () => Directory | Promise<Directory>;
  /** Undefined where this installation runs no sandbox. */
  readonly world: SandboxWorld | undefined;
  /** How far the time stamp of a callback may be from now. */
  readonly signatureWindowS: number;
};

/** `unknown`: the sandbox has no such request. `silent`: it did not answer, and what was done is not known. */
export type WorldAnswer = "done" | "unknown" | "silent";

export type OrderedFault = {
  readonly kind: FaultKind;
  readonly call: FaultCall | undefined;
  readonly ms: number | undefined;
  readonly times: number | "always" | undefined;
};

/** One that is still ordered. `charge` is the call of what changes a card's charge. */
export type WaitingFault = {
  readonly kind: string;
  readonly call: string;
  readonly ms: number;
  readonly times: number | "always";
};

type ChargeEnd =
  | { readonly status: "approved"; readonly amount?: number }
  | { readonly status: "declined"; readonly reason?: DeclineReason }
  | { readonly status: "pending" | "reversed" };

/** The outside world of test projects, as its tester plays it. All of it is done over HTTP. */
export type SandboxWorld = {
  readonly moveClock: (projectId: string, seconds: number) => Promise<boolean>;
  /** From now on nothing happens to the request by itself: only what the tester does. */
  readonly takeOver: (direction: "payin" | "payout", reference: string) => Promise<WorldAnswer>;
  readonly sendMoney: (reference: string, amount: number) => Promise<WorldAnswer>;
  readonly takeMoneyBack: (reference: string) => Promise<WorldAnswer>;
  readonly cancelPayin: (reference: string) => Promise<WorldAnswer>;
  readonly endPayout: (
    reference: string,
    status: "paid" | "rejected" | "failed" | "wrong_details" | "returned",
  ) => Promise<WorldAnswer>;
  readonly endCharge: (reference: string, end: ChargeEnd) => Promise<WorldAnswer>;
  /** Whether the acquirer has the charge and does not decide yet; undefined when the sandbox does not answer. */
  readonly isHeld: (reference: string) => Promise<boolean | undefined>;
  readonly addFault: (projectId: string, fault: OrderedFault) => Promise<WorldAnswer>;
  readonly clearFaults: (projectId: string) => Promise<WorldAnswer>;
  /** Undefined when the sandbox does not answer. */
  readonly listFaults: (projectId: string) => Promise<readonly WaitingFault[] | undefined>;
};
