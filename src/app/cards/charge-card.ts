import type { AuthenticationOutcome, AuthenticationResult, Browser, ChargedCard } from "../../core/card-acquirer.ts";
import type { Connector } from "../../core/connector.ts";
import { presentChoice } from "../../core/page/second-chance.ts";
import { openAtMost } from "../../platform/at-most.ts";
import type { Log } from "../../platform/log.ts";
import { warnQuietly } from "../../platform/log-lines/quiet-log.ts";
import { within } from "../../platform/within.ts";
import type { Database } from "../../store/db.ts";
import { isUnavailable } from "../../store/faults.ts";
import { findPayment, type StoredPayment } from "../../store/payments/payments.ts";
import { planLookAtCharge } from "../../store/payments/plan-look.ts";
import type { Directory } from "../merchants/directory.ts";
import { nextOf } from "../payments/choose-route.ts";
import { whileAway } from "../processes/while-away.ts";
import { customerOf, lifetimeOf } from "../providers/request-customer.ts";
import { type Acquirer, chooseAcquirer } from "./choose-acquirer.ts";
import { type ChargedPayment, type FollowDeps, followCharge, happenToCard } from "./follow-charge.ts";

/** Sends cards on. It runs in the process that took the card, since the card is stored nowhere but in its memory. */
export type CardDesk = {
  /** Begins, and does not wait: the payment is committed, and the worker asks for the result if this process dies. */
  readonly charge: (charge: CardCharge) => void;
  /** What the payer's browser brought back is only a reason to ask the provider. */
  readonly passResult: (payment: StoredPayment, result: AuthenticationResult) => Promise<PassedResult>;
  /** Asks the provider for the result of a charge, since the payer came back. */
  readonly ask: (payment: StoredPayment) => Promise<StoredPayment>;
  /** Ends a charge that waits for the payer, where the acquirer can, and answers what there is then. */
  readonly cancel: (payment: StoredPayment) => Promise<CancelledCharge>;
  readonly drain: () => Promise<void>;
};

type CardCharge = {
  readonly projectId: StoredPayment["projectId"];
  readonly requestId: StoredPayment["requestId"];
  readonly card: ChargedCard;
  readonly browser: Browser | undefined;
  readonly pageToken: string;
  /** The payer's choice that brought the card: a later one must not be charged with it. */
  readonly ofChoice?: number;
  /** What was created with its provider and reference in one commit; without it the payment is read, and they are committed first. */
  readonly committed?: SentPayment;
};

/** A payment whose reference is committed: the card may be sent under it. */
export type SentPayment = ChargedPayment &
  Pick<StoredPayment, "requestedAmount" | "currency" | "createdAt" | "expiresAt" | "customerId" | "request">;

type PassedResult = { readonly kind: "result_invalid" } | { readonly kind: "payment"; readonly payment: StoredPayment };

/** `undecided`: the acquirer cannot end it, or has not said how it ended. */
type CancelledCharge = { readonly kind: "undecided" } | { readonly kind: "payment"; readonly payment: StoredPayment };

export type CardDeskDeps = FollowDeps & {
  readonly db: Database;
  readonly log: Log;
  readonly findConnector: (code: string) => Connector | undefined;
  readonly currentDirectory: () => Directory | Promise<Directory>;
  /** Where the payer's browser reaches us. */
  readonly publicUrl: () => string;
};

/**
 * Well before the worker asks: a card that could not be sent by then is not sent any more. Measured by this process's own
 * clock from beginning to end, since the database's may differ from it.
 */
const SEND_WITHIN_MS = 20_000;

/** So long the answer to a charge is kept while the database is away. */
const FOLLOW_WITHIN_MS = 15_000;

/**
 * Of one acquirer, so that one that hangs keeps no other's cards back. The others wait in memory. Its connector has to have as many
 * connections: a call that waits for one there uses up its time, and its card is lost where that is over before it was sent.
 */
const CHARGES_MAX = 64;

type AtMost = ReturnType<typeof openAtMost>;

/** Cards whose acquirer is chosen only here, by a payer's choice, have their turn first, and then a place of the acquirer's. */
function openPlaces({ findConnector }: CardDeskDeps): (provider: string | undefined) => AtMost {
  const places = new Map<string, { readonly atMost: AtMost; readonly callsMax: number }>();
  return (provider = "") => {
    const callsMax = findConnector(provider)?.health?.callsMax ?? CHARGES_MAX;
    const known = places.get(provider);
    if (known?.callsMax === callsMax) return known.atMost;
    const atMost = openAtMost(callsMax);
    places.set(provider, { atMost, callsMax });
    return atMost;
  };
}

export function openCardDesk(deps: CardDeskDeps): CardDesk {
  const underWay = new Set<Promise<void>>();
  const placesOf = openPlaces(deps);
  return {
    charge: (charge) => {
      const takenAtMs = deps.nowMs();
      const job = send(deps, placesOf, charge, takenAtMs)
        .catch((error) => reportUnsent(deps.log, charge, error))
        .finally(() => underWay.delete(job));
      underWay.add(job);
    },
    passResult: (payment, result) => passResult(deps, payment, result),
    ask: (payment) => ask(deps, payment),
    cancel: (payment) => cancel(deps, payment),
    drain: async () => {
      await Promise.all(underWay);
    },
  };
}

/** Never the error itself: whatever went wrong, a card was near. */
function reportUnsent(log: Log, { requestId }: CardCharge, error: unknown): void {
  const [fields, message] = [{ request_id: requestId }, "a card could not be sent; the worker will ask"] as const;
  if (isUnavailable(error)) warnQuietly(log, fields, message);
  else log.error(fields, message);
}

async function send(
  deps: CardDeskDeps,
  placesOf: (provider: string | undefined) => AtMost,
  charge: CardCharge,
  takenAtMs: number,
): Promise<void> {
  // Who waited too long for a turn is not sent. The worker finds that.
  const isLate = () => deps.nowMs() - takenAtMs > SEND_WITHIN_MS;
  const commit = async () => (isLate() ? undefined : commitReference(deps, await deps.currentDirectory(), charge));
  const payment = charge.committed ?? (await placesOf(undefined)(commit));
  if (payment === undefined) return;
  await placesOf(payment.provider ?? undefined)(() => sendCommitted(deps, charge, payment, isLate));
}

async function sendCommitted(
  deps: CardDeskDeps,
  charge: CardCharge,
  payment: SentPayment,
  isLate: () => boolean,
): Promise<void> {
  if (isLate()) return;
  const directory = await deps.currentDirectory();
  const acquirer = acquirerOf(deps, payment);
  if (payment.reference === null || acquirer === undefined || isLate()) return;
  const outcome = await acquirer.cards.charge({
    reference: payment.reference,
    projectId: payment.projectId,
    merchantName: directory.projects.get(payment.projectId)?.name,
    amount: payment.requestedAmount,
    currency: payment.currency,
    card: charge.card,
    returnUrl: `${deps.publicUrl()}/3ds/${charge.pageToken}/return`,
    browser: charge.browser,
    expiresAt: payment.expiresAt ?? new Date(deps.nowMs()),
    lifetimeS: lifetimeOf(payment),
    customer: customerOf(payment),
  });
  // The payer waits for it. What was written after all changes nothing the second time, and later the worker asks for it.
  const mayWait = within(FOLLOW_WITHIN_MS);
  await whileAway(() => followCharge(deps, payment, outcome), mayWait);
  if (outcome.kind === "pending") await planLookAtCharge(deps.db, payment);
}

/** Undefined: the payment is over, or another process has sent it, or there is no provider to send it to. */
async function commitReference(
  deps: CardDeskDeps,
  directory: Directory,
  { projectId, requestId, card, ofChoice = 0 }: CardCharge,
): Promise<StoredPayment | undefined> {
  const created = await findPayment(deps.db, projectId, requestId);
  // The payer waited too long for this card, and has chosen again: it is not sent any more.
  if (created === undefined || presentChoice(created) !== ofChoice) return undefined;
  const acquirer = chooseAcquirer(deps, directory, created, card.pan);
  if (acquirer === undefined) {
    const declined = { kind: "declined", reason: "no_provider" } as const;
    await happenToCard(deps, created, declined, { detail: "no provider takes cards now" });
    return undefined;
  }
  const next = nextOf(acquirer);
  const sent = await deps.apply({ projectId, requestId, ofChoice, actor: "api", card: { kind: "sent" }, ...next });
  return sent.ok ? sent.value : undefined;
}

function acquirerOf({ findConnector }: CardDeskDeps, { provider }: ChargedPayment): Acquirer | undefined {
  const connector = provider === null ? undefined : findConnector(provider);
  return connector?.cards === undefined ? undefined : (connector as Acquirer);
}

async function passResult(
  deps: CardDeskDeps,
  payment: StoredPayment,
  result: AuthenticationResult,
): Promise<PassedResult> {
  const acquirer = acquirerOf(deps, payment);
  if (acquirer === undefined || payment.reference === null) return { kind: "payment", payment };
  const outcome: AuthenticationOutcome = await acquirer.cards.passAuthentication(payment.reference, result);
  if (outcome.kind === "result_invalid") return outcome;
  if (outcome.kind === "pending") {
    return { kind: "payment", payment: await happenToCard(deps, payment, { kind: "result_passed" }) };
  }
  return { kind: "payment", payment: await followCharge(deps, payment, outcome) };
}

async function ask(deps: CardDeskDeps, payment: StoredPayment): Promise<StoredPayment> {
  const acquirer = acquirerOf(deps, payment);
  if (acquirer === undefined || payment.reference === null) return payment;
  const state = await acquirer.cards.askChargeState(payment.reference);
  // "Never seen" is for the worker to believe, which asks when no process can still be sending it.
  if (state.kind === "never_seen") return payment;
  if (state.kind === "pending") return happenToCard(deps, payment, { kind: "result_passed" });
  return followCharge(deps, payment, state);
}

/** Only what the acquirer says for certain ends the charge. What it has never seen may still be on its way to it. */
async function cancel(deps: CardDeskDeps, payment: StoredPayment): Promise<CancelledCharge> {
  const acquirer = acquirerOf(deps, payment);
  if (acquirer?.cards.cancel === undefined || payment.reference === null) return { kind: "undecided" };
  const state = await acquirer.cards.cancel(payment.reference);
  if (state.kind !== "declined" && state.kind !== "approved" && state.kind !== "reversed") return { kind: "undecided" };
  return { kind: "payment", payment: await followCharge(deps, payment, state) };
}
