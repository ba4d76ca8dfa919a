import { randomBytes } from "node:crypto";
import { expect } from "vitest";
import type { Connector, PayinRequest, PayinState, PayoutRequest, RequisitesAnswer } from "../core/connector.ts";
import type { Minor } from "../core/money.ts";
import type { NotifyingWorld } from "./conformance-notifications.ts";
import { isNotPending, type ProviderWays, settled, USUAL_WAYS } from "./conformance-ways.ts";

/**
 * What every connector must do, for any provider. The suite speaks to the connector only; the provider's side is
 * played by a world, which every connector's test brings along.
 */
export type ConformanceWorld = {
  readonly connector: () => Connector;
  /** The same provider, by a connector with a time-out shorter than the `timeout` trouble. */
  readonly impatient: () => Connector;
  /** A connector whose provider cannot be reached at all. */
  readonly unreachable: () => Connector;
  /** The next answer about this reference is lost in this way; the work is done. */
  readonly trouble: (kind: Trouble, reference: string) => Promise<void>;
  /** The next request under this reference is lost before the provider saw it. */
  readonly troubleBefore: (reference: string) => Promise<void>;
  readonly payin: (reference: string, wish: "usual" | "no_requisites") => PayinRequest;
  /** `usual` stays pending until the world ends it. */
  readonly payout: (reference: string, wish: "usual" | "declined") => PayoutRequest;
  readonly moneyArrives: (reference: string, amount: Minor) => Promise<void>;
  readonly payoutEnds: (reference: string, end: PayoutEnd) => Promise<void>;
  /** The provider takes its requisites back. */
  readonly payinIsDeclined: (reference: string) => Promise<void>;
  /** What really left under this reference, by the provider's own books. */
  readonly listLeft: (reference: string) => Promise<readonly Minor[]>;
  /** Undefined: this provider sends no notifications. */
  readonly notifications: NotifyingWorld | undefined;
  /** It has an acquirer, which `describeCardConformance` is given. */
  readonly chargesCards?: true;
  /** Where the provider differs from the usual ones. */
  readonly ways?: Partial<ProviderWays>;
};

export function waysOf({ ways }: Pick<ConformanceWorld, "ways">): ProviderWays {
  return { ...USUAL_WAYS, ...ways };
}

export const TROUBLES = ["timeout", "error500", "garbage", "reset"] as const;
export type Trouble = (typeof TROUBLES)[number];
export const PAYOUT_ENDS = ["approved", "declined", "may_have_left", "receiver_wrong"] as const;
type PayoutEnd = (typeof PAYOUT_ENDS)[number];

export function newReference(): string {
  return randomBytes(16).toString("hex");
}

export async function issuedPayin(world: ConformanceWorld): Promise<PayinRequest> {
  const request = world.payin(newReference(), "usual");
  expect((await requisitesOf(world, request)).kind).toBe("issued");
  return request;
}

export function requisitesOf(world: ConformanceWorld, request: PayinRequest): Promise<RequisitesAnswer> {
  return settled(waysOf(world), () => world.connector().askForRequisites(request), isNotPending);
}

/** With its requisites, if it is to have any. */
export function payinStateOf(world: ConformanceWorld, reference: string): Promise<PayinState> {
  const hasRequisites = (state: PayinState) => state.kind !== "open" || state.requisites !== undefined;
  return settled(waysOf(world), () => world.connector().askPayinState(reference), hasRequisites);
}

export function payoutStateOf(world: ConformanceWorld, reference: string): ReturnType<Connector["askPayoutState"]> {
  return settled(waysOf(world), () => world.connector().askPayoutState(reference), isNotPending);
}
