import type { Connector } from "../../core/connector.ts";
import { listProviders, type RouteFacts, type RouteReasons, reasonsFor } from "../../core/merchants/routing.ts";
import { canServe } from "../../core/payments/provider-rules.ts";
import type { StoredPayment } from "../../store/payments/payments.ts";
import type { Directory, DirectoryProject } from "../merchants/directory.ts";
import { findTrouble } from "../payments/choose-route.ts";
import { routeFacts } from "../providers/route-facts.ts";

export type Acquirer = Connector & { readonly cards: NonNullable<Connector["cards"]> };

type RoutedPayment = Pick<StoredPayment, "projectId" | "paymentId" | "method" | "currency" | "amount" | "request">;

export type AcquirerDeps = { readonly findConnector: (code: string) => Connector | undefined };

export type AcquirerChoice = { readonly code: string; readonly reasons: RouteReasons | null };

/**
 * A create refuses cards while every acquirer is paused or does not answer. One that was accepted a moment before is still
 * sent: it cannot wait, and declining it would be telling the payer what no provider said.
 */
export function chooseAcquirer(
  deps: AcquirerDeps,
  directory: Directory,
  payment: RoutedPayment,
  pan: string,
): AcquirerChoice | undefined {
  const routed = routedByCard(directory, payment, pan);
  if (routed === undefined) return undefined;
  const { project, facts } = routed;
  const findObstacle = (code: string, key: string | undefined) => {
    const connector = findAcquirer(deps, facts, code);
    if (connector === undefined) return "it does not serve this";
    return directory.pauses.providers.has(code) ? "it is paused" : findTrouble(connector, key);
  };
  const acquirers = listAcquirers(deps, directory, project, facts);
  const free = acquirers.find((each) => findObstacle(each.code, facts.key) === undefined)?.code;
  const code = free ?? acquirers[0]?.code;
  if (code === undefined) return undefined;
  const findReason = (each: string) => (each === free ? undefined : findObstacle(each, undefined));
  return { code, reasons: reasonsFor(directory.providers, project, facts, findReason, code) };
}

/** Of any acquirer that may come to charge the card: which one that is depends on its number. */
export function needsHolder(deps: AcquirerDeps, directory: Directory, payment: RoutedPayment): boolean {
  const routed = routedByCard(directory, payment, undefined);
  if (routed === undefined) return false;
  return listAcquirers(deps, directory, routed.project, routed.facts).some(({ cards }) => cards.needsHolder);
}

function routedByCard(directory: Directory, payment: RoutedPayment, pan: string | undefined) {
  const project = directory.projects.get(payment.projectId);
  const { method } = payment;
  if (project === undefined || method === null) return undefined;
  const source = pan === undefined ? ({ kind: "not_said" } as const) : ({ kind: "card", pan } as const);
  return { project, facts: routeFacts(directory.bins, { ...payment, direction: "payin", method }, source) };
}

function listAcquirers(
  deps: AcquirerDeps,
  directory: Directory,
  project: DirectoryProject,
  facts: RouteFacts,
): Acquirer[] {
  return listProviders(directory.providers, project, facts)
    .map((code) => findAcquirer(deps, facts, code))
    .filter((acquirer) => acquirer !== undefined);
}

function findAcquirer({ findConnector }: AcquirerDeps, facts: RouteFacts, code: string): Acquirer | undefined {
  const connector = findConnector(code);
  return connector?.cards !== undefined && canServe(connector, facts) ? (connector as Acquirer) : undefined;
}
