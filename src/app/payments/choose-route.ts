import type { Connector } from "../../core/connector.ts";
import type { Method } from "../../core/merchants/methods.ts";
import { listProviders, type RouteFacts, type RouteReasons, reasonsFor } from "../../core/merchants/routing.ts";
import { listPresentAttempts } from "../../store/payments/attempts.ts";
import type { StoredPayment } from "../../store/payments/payments.ts";
import type { Directory, DirectoryProject } from "../merchants/directory.ts";
import { routeFacts, sourceOf } from "../providers/route-facts.ts";
import type { JobDeps } from "./look.ts";
import type { PaymentEvent } from "./payment-event.ts";
import { unsealReceiver } from "./payment-secrets.ts";

/** The provider to ask next; none now, because the remaining ones are paused or do not answer; or none at all. */
export type RouteChoice =
  | { readonly kind: "provider"; readonly code: string; readonly reasons: RouteReasons | null }
  | { readonly kind: "wait" }
  | { readonly kind: "none" };

type RouteDeps = Pick<JobDeps, "db" | "keyring" | "currentDirectory" | "findConnector">;

/** Each provider is asked once for each choice of the payer; those that are left are asked in the order of the route. */
export async function chooseRoute(deps: RouteDeps, payment: StoredPayment): Promise<RouteChoice> {
  const directory = await deps.currentDirectory();
  const project = directory.projects.get(payment.projectId);
  if (project === undefined) return { kind: "wait" };
  const { method } = payment;
  if (method === null) return { kind: "none" };
  const asked = payment.attemptCount === 0 ? [] : await listPresentAttempts(deps.db, payment);
  return routeOf(deps, directory, project, factsOf(deps, directory, payment, method), (code) =>
    asked.some((attempt) => attempt.provider === code),
  );
}

function factsOf(
  { keyring }: Pick<RouteDeps, "keyring">,
  { bins }: Pick<Directory, "bins">,
  payment: StoredPayment,
  method: Method,
): RouteFacts {
  const { requestId, receiver } = payment;
  const routed = { ...payment, method, amount: payment.requestedAmount };
  const readReceiver = () => (receiver === null ? undefined : unsealReceiver(keyring, requestId, receiver));
  return routeFacts(bins, routed, sourceOf(routed, readReceiver));
}

/** The same, where it is known which providers were asked. */
export function routeOf(
  { findConnector }: Pick<RouteDeps, "findConnector">,
  { pauses, providers }: Pick<Directory, "pauses" | "providers">,
  project: DirectoryProject,
  facts: RouteFacts,
  wasAsked: (code: string) => boolean,
): RouteChoice {
  let waits = false;
  const findObstacle = (code: string, key: string | undefined) => {
    if (wasAsked(code)) return "it was asked before";
    const connector = findConnector(code);
    // A provider that this process does not know may be known to another one: it is waited for, not passed over.
    if (connector === undefined) return WAITED_FOR.notKnown;
    if (!connector.offers(facts.direction, facts.method, facts.currency)) return "it does not serve this";
    return pauses.providers.has(code) ? WAITED_FOR.paused : findTrouble(connector, key);
  };
  for (const code of listProviders(providers, project, facts)) {
    const obstacle = findObstacle(code, facts.key);
    if (obstacle === undefined) {
      // The others are not asked by the payment's name: it tries none of them.
      const findReason = (each: string) => (each === code ? undefined : findObstacle(each, undefined));
      return { kind: "provider", code, reasons: reasonsFor(providers, project, facts, findReason, code) };
    }
    waits ||= IS_WAITED_FOR.has(obstacle);
  }
  return { kind: waits ? "wait" : "none" };
}

const WAITED_FOR = { notKnown: "this process does not know it", paused: "it is paused", broken: "its breaker is open" };
const IS_WAITED_FOR: ReadonlySet<string> = new Set(Object.values(WAITED_FOR));

/** It did not answer of late: a new payment goes there only as the one that tries whether it answers again. */
export function findTrouble({ health }: Connector, key: string | undefined): string | undefined {
  return health === undefined || health.admits(key) ? undefined : WAITED_FOR.broken;
}

/** The provider that will be asked, as far as it is known before; an empty text: none. */
export async function expectProvider(deps: RouteDeps, payment: StoredPayment): Promise<string> {
  if (payment.provider !== null) return payment.provider;
  const route = await chooseRoute(deps, payment);
  return route.kind === "provider" ? route.code : "";
}

/** What an event says of the provider that is asked next, and why that one. */
export function nextOf({
  code,
  reasons,
}: {
  readonly code: string;
  readonly reasons: RouteReasons | null;
}): Pick<PaymentEvent, "nextProvider" | "routeReasons"> {
  return { nextProvider: code, ...(reasons === null ? {} : { routeReasons: reasons }) };
}

/** Payouts wait while an operator holds them back, everywhere or for their project. */
export async function arePayoutsPaused(deps: RouteDeps, payment: StoredPayment): Promise<boolean> {
  const { payouts } = (await deps.currentDirectory()).pauses;
  return payouts.has("") || payouts.has(payment.projectId);
}
