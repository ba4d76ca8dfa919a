import type { Connector } from "../../core/connector.ts";
import { listProviders } from "../../core/merchants/routing.ts";
import { canServe } from "../../core/payments/provider-rules.ts";
import type { StoredPayment } from "../../store/payments/payments.ts";
import type { Directory } from "../merchants/directory.ts";

export type Acquirer = Connector & { readonly cards: NonNullable<Connector["cards"]> };

type RoutedPayment = Pick<StoredPayment, "projectId" | "method" | "currency" | "request">;

export type AcquirerDeps = { readonly findConnector: (code: string) => Connector | undefined };

/**
 * A create refuses cards while every acquirer is paused. One that was accepted a moment before the pause is still sent: it
 * cannot wait for the end of the pause, and declining it would be telling the payer what no provider said.
 */
export function chooseAcquirer(deps: AcquirerDeps, directory: Directory, payment: RoutedPayment): Acquirer | undefined {
  const acquirers = listAcquirers(deps, directory, payment);
  return acquirers.find(({ code }) => !directory.pauses.providers.has(code)) ?? acquirers[0];
}

/** Of any acquirer that may come to charge the card: a pause can begin between the form and the charge. */
export function needsHolder(deps: AcquirerDeps, directory: Directory, payment: RoutedPayment): boolean {
  return listAcquirers(deps, directory, payment).some(({ cards }) => cards.needsHolder);
}

function listAcquirers({ findConnector }: AcquirerDeps, directory: Directory, payment: RoutedPayment): Acquirer[] {
  const project = directory.projects.get(payment.projectId);
  const { method } = payment;
  if (project === undefined || method === null) return [];
  const offer = { direction: "payin", method, currency: payment.currency } as const;
  return listProviders(directory.providers, project, "payin", method, payment.request.paymentSystem)
    .map((code) => findConnector(code))
    .filter((connector): connector is Acquirer => connector?.cards !== undefined && canServe(connector, offer));
}
