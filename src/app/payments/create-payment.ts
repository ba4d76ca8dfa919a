import type { Browser, ChargedCard } from "../../core/card-acquirer.ts";
import { CHARGES_PAUSED, findCardFault } from "../../core/cards/card-rules.ts";
import { cardsTaken } from "../../core/cards/cards-taken.ts";
import type { Connector, PayoutReceiver } from "../../core/connector.ts";
import type { Currency } from "../../core/currency.ts";
import { type Fault, fault } from "../../core/errors.ts";
import type { Direction, Method } from "../../core/merchants/methods.ts";
import { listProviders, type RouteFacts } from "../../core/merchants/routing.ts";
import { type Minor, ZERO } from "../../core/money.ts";
import { type CreateRequest, checkCreate, ratesOf } from "../../core/payments/create-rules.ts";
import { feeOf } from "../../core/payments/fees.ts";
import { findNoProviderFault } from "../../core/payments/provider-rules.ts";
import { CARD_LIFETIME_S, P2P_LIFETIME_S } from "../../core/payments/timers.ts";
import type { ViewedPayment } from "../../core/payments/view.ts";
import type { ProviderCodes } from "../../core/providers.ts";
import { fail, ok, type Result } from "../../core/result.ts";
import type { Clock } from "../../platform/clock.ts";
import { newId } from "../../platform/new-id.ts";
import type { Keyring } from "../../platform/secrets.ts";
import type { CardPayinRow } from "../../store/cards/card-payins.ts";
import type { Database } from "../../store/db.ts";
import type { ProjectMethod } from "../../store/merchants/project-methods.ts";
import type { AskedFirst, DailyLimits, NewCardPayin, NewPayin } from "../../store/payments/create-payments.ts";
import {
  findPayment,
  findPaymentOfId,
  type PaymentProduct,
  type PaymentRequest,
  type StoredPayment,
} from "../../store/payments/payments.ts";
import { cardRowOf, newPageToken } from "../cards/card-secrets.ts";
import type { CardDesk } from "../cards/charge-card.ts";
import { findSentTo, sentPayment } from "../cards/sent-payment.ts";
import type { Directory, DirectoryProject } from "../merchants/directory.ts";
import { routeFacts } from "../providers/route-facts.ts";
import { routeOf } from "./choose-route.ts";
import type { CreateFault, CreatePayments } from "./create-payments.ts";
import { sealReceiver } from "./payment-secrets.ts";

/** What a merchant asks for, in a body that was found right. */
export type PaymentWish = {
  readonly direction: Direction;
  readonly product: PaymentProduct;
  readonly paymentId: string;
  readonly bodyHash: Buffer;
  readonly method: string;
  readonly currency: string;
  readonly amount: Minor;
  readonly customerId: string;
  readonly lifetimeS: number | undefined;
  /** Of the payer, or of the receiver. */
  readonly bank: string | undefined;
  readonly receiver: PayoutReceiver | undefined;
  /** Of a pay-in by card. Its CVV goes to the provider and nowhere else. */
  readonly card: CardWish | undefined;
  readonly request: PaymentRequest;
};

type CardWish = { readonly card: ChargedCard; readonly browser: Browser | undefined };

export type CreateDeps = {
  readonly db: Database;
  readonly keyring: Keyring;
  readonly creates: CreatePayments;
  /** The providers that this installation can speak to. */
  readonly providerCodes: ProviderCodes;
  readonly findConnector: (code: string) => Connector | undefined;
  readonly cardDesk: CardDesk;
  readonly clock: Clock;
};

/** What the rules are asked with. */
export type RuleDeps = Pick<CreateDeps, "clock" | "providerCodes" | "findConnector">;

/** Just created and unchanged; or found under the same id, in its present state. */
export type CreateAnswer =
  | {
      readonly replayed: false;
      readonly payment: ViewedPayment & Partial<Pick<StoredPayment, "product">>;
      /** Of a card: what is stored of it, which need not be read to be shown. */
      readonly card?: CardPayinRow;
    }
  | { readonly replayed: true; readonly payment: StoredPayment };

/**
 * Creates a payment, or answers the one that the same body created before. The rules that time can change are looked at
 * first because they cost nothing, but they never refuse a repeat: before they do, the payment_id is looked up.
 */
export async function createPayment(
  deps: CreateDeps,
  directory: Directory,
  project: DirectoryProject,
  wish: PaymentWish,
): Promise<Result<CreateAnswer, Fault>> {
  const checked = checkRules(deps, directory, project, wish);
  if (!checked.ok) return (await findEarlier(deps, project, wish)) ?? checked;
  const payment = newPayment(project, wish, checked.value);
  if (wish.card !== undefined) return createByCard(deps, directory, wish, payment, wish.card);
  const created = await commit(deps, directory, project, wish, payment);
  if (!created.ok) return fail(CREATE_FAULTS[created.error](wish));
  const { requestId, replayed, createdAt, expiresAt } = created.value;
  if (replayed) return replay(await findPayment(deps.db, project.id, requestId));
  return ok({ replayed: false, payment: viewOf(wish.direction, payment, { createdAt, expiresAt }) });
}

/** The provider and the reference are committed with the payment, so that the card is sent as soon as that is. */
async function createByCard(
  deps: CreateDeps,
  directory: Directory,
  wish: PaymentWish,
  payment: NewPayin,
  { card, browser }: CardWish,
): Promise<Result<CreateAnswer, Fault>> {
  const { projectId, requestId } = payment;
  const pageToken = newPageToken();
  const row = cardRowOf(deps.keyring, { projectId, requestId }, card.pan, pageToken);
  const sentTo = findSentTo(deps, directory, payment, card.pan);
  const payin: NewCardPayin = Object.assign(payment, { card: row, sentTo });
  const created = await deps.creates.cardPayin(payin);
  if (!created.ok) return fail(CREATE_FAULTS[created.error](wish));
  const { replayed, createdAt, expiresAt } = created.value;
  if (replayed) return replay(await findPayment(deps.db, projectId, created.value.requestId));
  const committed = sentTo && sentPayment(payment, sentTo, { createdAt, expiresAt });
  deps.cardDesk.charge({ projectId, requestId, card, browser, pageToken, ...(committed && { committed }) });
  return ok({ replayed: false, payment: viewOf(wish.direction, payment, { createdAt, expiresAt }), card: row });
}

/** Member by member: to add them to a copy of the payment takes 10 µs more. */
export function viewOf(
  direction: Direction,
  payment: NewPayin,
  { createdAt, expiresAt }: Pick<ViewedPayment, "createdAt" | "expiresAt">,
): ViewedPayment {
  return {
    projectId: payment.projectId,
    requestId: payment.requestId,
    paymentId: payment.paymentId,
    direction,
    state: "processing:new",
    statusDescription: null,
    declineCode: null,
    method: payment.method,
    currency: payment.currency,
    amount: payment.amount,
    requestedAmount: payment.amount,
    receivedAmount: ZERO,
    fee: payment.fee,
    createdAt,
    updatedAt: createdAt,
    expiresAt,
    finishedAt: null,
  };
}

/** What is needed beside is added to the payment itself, since nothing else holds it yet. */
function commit(
  deps: CreateDeps,
  directory: Directory,
  project: DirectoryProject,
  wish: PaymentWish,
  payment: NewPayin,
) {
  const { creates, keyring } = deps;
  if (wish.receiver === undefined)
    return creates.payin(Object.assign(payment, { asksFirst: firstProvider(deps, directory, project, wish, payment) }));
  const receiver = sealReceiver(keyring, payment.requestId, wish.receiver);
  return creates.payout(Object.assign(payment, { transferId: newId(), receiver }));
}

function firstProvider(
  deps: CreateDeps,
  directory: Directory,
  project: DirectoryProject,
  wish: PaymentWish,
  { method }: NewPayin,
): AskedFirst | undefined {
  if (method === null) return undefined;
  const route = routeOf(deps, directory, project, factsOf(directory, method, wish), () => false);
  return route.kind === "provider" ? route : undefined;
}

type CheckedWish = CreateRequest & Pick<PaymentWish, "card" | "request"> & { readonly paymentId?: string };

/** What a route is chosen by, before anything is stored. */
function factsOf({ bins }: Directory, method: Method, wish: CheckedWish): RouteFacts {
  const { direction, amount, request, paymentId, card, receiver, bank } = wish;
  const currency = wish.currency as Currency;
  const routed = { direction, method, currency, amount, request, paymentId };
  if (card !== undefined) return routeFacts(bins, routed, { kind: "card", pan: card.card.pan });
  return routeFacts(
    bins,
    routed,
    direction === "payin" ? { kind: "bank", bank } : { kind: "receiver", read: () => receiver },
  );
}

/** The rules that time can change. Those of the balance and of the day are asked by the create itself. */
export function checkRules(
  deps: RuleDeps,
  directory: Directory,
  project: DirectoryProject,
  wish: CheckedWish,
): Result<ProjectMethod, Fault> {
  if (wish.card !== undefined && directory.pauses.restored) return fail(CHARGES_PAUSED);
  const named = wish.request.paymentSystem;
  const cardsOf = (offer: ProjectMethod) => cardsTaken(directory.providers, project, offer, named);
  const checked = checkCreate(wish, {
    project,
    banks: directory.banks,
    pausedMethods: directory.pauses.methods,
    cardsOf,
  });
  if (!checked.ok) return checked;
  const cardFault = wish.card && findCardFault(wish.card.card, cardsOf(checked.value), new Date(deps.clock.nowMs()));
  if (cardFault !== undefined) return fail(cardFault);
  const { method } = checked.value;
  const providers = listProviders(directory.providers, project, factsOf(directory, method, wish));
  if (named !== undefined && providers.length === 0) {
    return fail(
      fault("method_not_enabled", `payment.payment_system: this project does not use ${named} for ${method}`),
    );
  }
  const situation = { ...deps, pausedProviders: directory.pauses.providers, key: wish.paymentId };
  const refused =
    findMissingSandbox(deps, project, providers) ?? findNoProviderFault(providers, checked.value, situation);
  return refused === undefined ? checked : fail(refused);
}

/** Without the sandbox a test payment would never end. A route whose providers are all retired lacks something else. */
export function findMissingSandbox(
  { providerCodes }: Pick<CreateDeps, "providerCodes">,
  project: DirectoryProject,
  providers: readonly string[],
): Fault | undefined {
  if (project.book !== "test" || providers.length === 0) return undefined;
  if (providers.some((provider) => providerCodes.has(provider))) return undefined;
  const description = "this installation has no sandbox, so test projects take no payments";
  return { ...fault("unavailable", description), retryAfterS: 60 };
}

/** What is written, decided in every respect. A payout has no lifetime; its SQL does not read it. */
function newPayment(project: DirectoryProject, wish: PaymentWish, terms: ProjectMethod): NewPayin {
  const rates = ratesOf(terms);
  return {
    projectId: project.id,
    requestId: newId(),
    product: wish.product,
    paymentId: wish.paymentId,
    bodyHash: wish.bodyHash,
    method: terms.method,
    currency: terms.currency,
    amount: wish.amount,
    rates,
    fee: feeOf(wish.amount, rates),
    customerId: wish.customerId,
    request: wish.request,
    limits: limitsOf(project, terms),
    lifetimeS: wish.lifetimeS ?? (wish.card === undefined ? P2P_LIFETIME_S : CARD_LIFETIME_S).standard,
  };
}

export function limitsOf(
  { limits }: DirectoryProject,
  { direction, currency }: Pick<ProjectMethod, "direction" | "currency">,
): DailyLimits | undefined {
  return limits.find((limit) => limit.direction === direction && limit.currency === currency);
}

/** What makes two creates the same, or not. */
export type NamedWish = Pick<PaymentWish, "direction" | "paymentId" | "bodyHash" | "currency">;

export async function findEarlier(
  { db }: Pick<CreateDeps, "db">,
  project: DirectoryProject,
  wish: NamedWish,
): Promise<Result<CreateAnswer, Fault> | undefined> {
  const earlier = await findPaymentOfId(db, project.id, wish.direction, wish.paymentId);
  if (earlier === undefined) return undefined;
  return earlier.bodyHash.equals(wish.bodyHash) ? replay(earlier) : fail(CREATE_FAULTS.payment_id_conflict(wish));
}

export function replay(payment: StoredPayment | undefined): Result<CreateAnswer, Fault> {
  if (payment === undefined) throw new Error("a payment that exists was not found");
  return ok({ replayed: true, payment });
}

export const CREATE_FAULTS: Readonly<Record<CreateFault, (wish: NamedWish) => Fault>> = {
  payment_id_conflict: () =>
    fault(
      "payment_id_conflict",
      "general.payment_id was used before with another body; repeat that body, or use a new id",
    ),
  insufficient_balance: ({ currency }) =>
    fault("insufficient_balance", `the available balance in ${currency} does not cover payment.amount and its fee`),
  over_daily_limit: ({ direction, currency }) =>
    fault(
      "amount_out_of_limits",
      `a limit of this day for ${direction}s in ${currency} is reached, of the project or of the customer`,
    ),
};
