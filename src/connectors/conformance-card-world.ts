import type {
  AuthenticationResult,
  CardAcquirer,
  ChargeOutcome,
  ChargeRequest,
  ChargeState,
  ThreeDsChallenge,
} from "../core/card-acquirer.ts";
import type { Minor } from "../core/money.ts";
import { type CardWays, isNotPending, settled, USUAL_CARD_WAYS } from "./conformance-ways.ts";
import { newReference, type Trouble } from "./conformance-world.ts";

/**
 * What every card acquirer must do, for any provider. The suite speaks to the acquirer only; the provider's side
 * and the payer, with a real browser or something that does as one, are played by a world.
 */
export type CardConformanceWorld = {
  readonly cards: () => CardAcquirer;
  /** Whether it has a `cancel`. */
  readonly canCancel: boolean;
  /** Whether it has no `reverse`. */
  readonly cannotReverse?: true;
  /** The same provider, with a time-out shorter than the `timeout` trouble. */
  readonly impatient: () => CardAcquirer;
  readonly unreachable: () => CardAcquirer;
  /** The next answer about this reference is lost in this way; the work is done. */
  readonly trouble: (kind: Trouble, reference: string) => Promise<void>;
  /** The next request under this reference is lost before the provider saw it. */
  readonly troubleBefore: (reference: string) => Promise<void>;
  readonly request: (reference: string, card: CardWish) => ChargeRequest;
  /** What a charge is to do besides what its card says; to be wished before it is requested. */
  readonly wish: (reference: string, wish: ChargeWish) => Promise<void>;
  /** Long enough for whatever happens by itself; `expiry`: beyond the request's lifetime too. */
  readonly letTimePass: (request: ChargeRequest, until: "settled" | "expiry") => Promise<void>;
  /** What the payer's browser takes back, having done that on the issuer's page. */
  readonly authenticate: (challenge: ThreeDsChallenge, conduct: PayerConduct) => Promise<AuthenticationResult>;
  /** Where the payer's browser ends up, having done that on the provider's page. */
  readonly visit: (url: string, conduct: "pays" | "cancels") => Promise<string>;
  /** What the charge really brought and took, by the provider's own books. */
  readonly readBooks: (reference: string) => Promise<{ arrived: readonly Minor[]; left: readonly Minor[] }>;
  /** Waits until the provider has sent that many notifications of the charge. */
  readonly waitUntilTold: (reference: string, times: number) => Promise<void>;
  /** What it keeps of a charge for itself; absent: it does not say. */
  readonly feeOf?: (amount: Minor) => Minor;
  /** It says in which currency it charged. */
  readonly tellsCurrency?: true;
  /** Where the provider differs from the usual ones. */
  readonly ways?: Partial<CardWays>;
};

export function cardWaysOf({ ways }: Pick<CardConformanceWorld, "ways">): CardWays {
  return { ...USUAL_CARD_WAYS, ...ways };
}

export type CardWish = "approved" | "answered_late" | "challenge" | "challenge_1" | (typeof REFUSED_CARDS)[number];
export const REFUSED_CARDS = ["card_declined", "insufficient_funds", "card_expired", "processing_error"] as const;
export type ChargeWish = "method_step" | "plain_redirect" | "slow_approval" | "late_approval" | "wrong_amount";
/** `mistaken_once`: one wrong code, then the right one. */
export type PayerConduct = "right" | "mistaken_once" | "wrong" | "cancels";

/** The two protocols, by the cards that ask for them. */
export const VERSIONS = ["challenge", "challenge_1"] as const;
/** How many calls are made at once where once must be enough. */
export const TWINS = 10;

/** As the provider says it of this charge. */
export function approvedOf(
  { feeOf, tellsCurrency }: CardConformanceWorld,
  { amount, currency }: Pick<ChargeRequest, "amount" | "currency">,
): ChargeState {
  const fee = feeOf === undefined ? {} : { fee: feeOf(amount) };
  return { kind: "approved", amount, ...fee, ...(tellsCurrency === undefined ? {} : { currency }) };
}

/** The result of a charge: its answer, or where that only accepts it the answer to a later question. */
export async function charged(
  world: CardConformanceWorld,
  request: ChargeRequest,
): Promise<ChargeOutcome | ChargeState> {
  const answer = await world.cards().charge(request);
  const isAccepted = cardWaysOf(world).answers === "later" && answer.kind === "pending";
  return isAccepted ? chargeStateOf(world, request.reference) : answer;
}

/** What the provider says of it, once it has decided something. */
export function chargeStateOf(world: CardConformanceWorld, reference: string): Promise<ChargeState> {
  return settled(cardWaysOf(world), () => world.cards().askChargeState(reference), isNotPending);
}

export function reverseAt({ reverse }: CardAcquirer, reference: string): Promise<ChargeState> {
  if (reverse === undefined) throw new Error("this acquirer cannot reverse: its world must say so");
  return reverse(reference);
}

export type Challenged = { readonly request: ChargeRequest; readonly challenge: ThreeDsChallenge };

/** A charge whose issuer wants to see the payer. */
export async function challenged(world: CardConformanceWorld, card: CardWish, wish?: ChargeWish): Promise<Challenged> {
  const request = world.request(newReference(), card);
  if (wish !== undefined) await world.wish(request.reference, wish);
  const answer = await charged(world, request);
  if (answer.kind !== "challenge") throw new Error(`${answer.kind}, not a challenge`);
  return { request, challenge: answer.challenge };
}
