import type { Currency } from "../../core/currency.ts";
import type { Fault } from "../../core/errors.ts";
import { fault } from "../../core/errors.ts";
import type { Method } from "../../core/merchants/methods.ts";
import { listProviders, type RouteFacts } from "../../core/merchants/routing.ts";
import type { Minor } from "../../core/money.ts";
import { listEnabledOffers, listOffers, type WidgetOffer } from "../../core/page/widget-offers.ts";
import { hasProvider, noProvider } from "../../core/payments/provider-rules.ts";
import { CARD_LIFETIME_S } from "../../core/payments/timers.ts";
import { fail, ok, type Result } from "../../core/result.ts";
import { newId } from "../../platform/new-id.ts";
import type { ProjectMethod } from "../../store/merchants/project-methods.ts";
import type { NewWidgetPayin } from "../../store/payments/create-payments.ts";
import { findPayment, type PaymentRequest } from "../../store/payments/payments.ts";
import { newPageToken } from "../cards/card-secrets.ts";
import type { Directory, DirectoryProject } from "../merchants/directory.ts";
import {
  CREATE_FAULTS,
  type CreateAnswer,
  type CreateDeps,
  findEarlier,
  findMissingSandbox,
  limitsOf,
  replay,
  viewOf,
} from "../payments/create-payment.ts";
import { routeFacts } from "../providers/route-facts.ts";
import { sealPage } from "./page-secrets.ts";

/** What a merchant asks for when the payer is to choose on our page. */
export type WidgetWish = {
  readonly direction: "payin";
  readonly paymentId: string;
  readonly bodyHash: Buffer;
  readonly currency: string;
  readonly amount: Minor;
  readonly customerId: string;
  readonly country: string | undefined;
  readonly lifetimeS: number | undefined;
  /** The code of the method that is chosen beforehand; the payer may choose another. */
  readonly preselected: string | undefined;
  readonly request: PaymentRequest;
};

export async function createWidgetPayin(
  deps: CreateDeps,
  directory: Directory,
  project: DirectoryProject,
  wish: WidgetWish,
): Promise<Result<CreateAnswer, Fault>> {
  const refused = findRefusal(deps, directory, project, wish);
  if (refused !== undefined) return (await findEarlier(deps, project, wish)) ?? fail(refused);
  const payin = newPayin(deps, project, wish);
  const created = await deps.creates.widgetPayin(payin);
  if (!created.ok) return fail(CREATE_FAULTS[created.error](wish));
  const { replayed, createdAt, expiresAt } = created.value;
  if (replayed) return replay(await findPayment(deps.db, project.id, created.value.requestId));
  const payment = { ...viewOf("payin", payin, { createdAt, expiresAt }), product: payin.product };
  return ok({ replayed: false, payment });
}

function newPayin({ keyring }: CreateDeps, project: DirectoryProject, wish: WidgetWish): NewWidgetPayin {
  const key = { projectId: project.id, requestId: newId() };
  const currency = wish.currency as Currency;
  return {
    projectId: key.projectId,
    requestId: key.requestId,
    product: "widget",
    paymentId: wish.paymentId,
    bodyHash: wish.bodyHash,
    method: null,
    currency,
    amount: wish.amount,
    rates: null,
    fee: null,
    customerId: wish.customerId,
    request: { ...wish.request, widgetMethod: wish.preselected },
    limits: limitsOf(project, { direction: "payin", currency }),
    lifetimeS: wish.lifetimeS ?? CARD_LIFETIME_S.standard,
    page: sealPage(keyring, key, newPageToken()),
  };
}

function findRefusal(
  deps: CreateDeps,
  directory: Directory,
  project: DirectoryProject,
  wish: WidgetWish,
): Fault | undefined {
  if (project.status === "paused") return fault("project_inactive", "the project is paused: it takes no new payments");
  const situation = { methods: project.methods, pausedMethods: directory.pauses.methods };
  const offers = listOffers(wish, situation);
  if (!offers.ok) return offers.error;
  const enabled = listEnabledOffers(wish, situation).map(({ code }) => code);
  if (wish.preselected !== undefined && !enabled.includes(wish.preselected)) {
    return fault("method_not_enabled", `${wish.preselected} is not enabled for this project in ${wish.currency}`);
  }
  const { paymentSystem } = wish.request;
  const providers = offers.value.flatMap(({ method }) =>
    listProviders(directory.providers, project, factsOf(directory, method, { ...wish, paymentSystem })),
  );
  if (paymentSystem !== undefined && providers.length === 0) {
    return fault("method_not_enabled", "payment.payment_system: this project does not use it for any method offered");
  }
  const missing = findMissingSandbox(deps, project, providers);
  if (missing !== undefined) return missing;
  const able = offersFor(deps, directory, project, { ...wish, paymentSystem });
  return able.ok ? undefined : able.error;
}

export type OfferDeps = Pick<CreateDeps, "findConnector">;

type OfferedWish = Pick<WidgetWish, "currency" | "amount"> & Pick<PaymentRequest, "paymentSystem">;

/** What a route is chosen by, before the payer has named a bank or a card. */
function factsOf({ bins }: Directory, method: Method, { amount, currency, paymentSystem }: OfferedWish): RouteFacts {
  const terms = { method, amount, currency: currency as Currency, request: { paymentSystem } };
  return routeFacts(bins, { direction: "payin", paymentId: undefined, ...terms }, { kind: "not_said" });
}

/** What the payer can choose from, as things are now: of the methods whose limits the amount meets, those that a provider takes. */
export function offersFor(
  { findConnector }: OfferDeps,
  directory: Directory,
  project: DirectoryProject,
  wish: OfferedWish & Pick<WidgetWish, "country">,
): Result<readonly WidgetOffer<ProjectMethod>[], Fault> {
  const offers = listOffers(wish, { methods: project.methods, pausedMethods: directory.pauses.methods });
  if (!offers.ok) return offers;
  const situation = { findConnector, pausedProviders: directory.pauses.providers };
  const able = offers.value.filter(({ method, terms }) =>
    hasProvider(listProviders(directory.providers, project, factsOf(directory, method, wish)), terms, situation),
  );
  return able.length > 0
    ? ok(able)
    : fail(noProvider(`no provider takes a method of the payment page in ${wish.currency} now`));
}
