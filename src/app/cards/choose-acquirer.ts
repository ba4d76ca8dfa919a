import type { Connector } from "../../core/connector.ts";
import { listProviders } from "../../core/merchants/routing.ts";
import { canServe } from "../../core/payments/provider-rules.ts";
import type { StoredPayment } from "../../store/payments/payments.ts";
import type { Directory } from "../merchants/directory.ts";

export type Acquirer = Connector & { readonly cards: NonNullable<Connector["cards"]> };

export type AcquirerDeps = { readonly findConnector: (code: string) => Connector | undefined };

/**
 * A create refuses cards while every acquirer is paused. One that was accepted a moment before the pause is still sent: it
 * cannot wait for the end of the pause, and declining it would be telling the payer what no provider said.
 */
export function chooseAcquirer(
  { findConnector }: AcquirerDeps,
  directory: Directory,
  payment: Pick<StoredPayment, "projectId" | "method" | "currency" | "request">,
): Acquirer | undefined {
  const project = directory.projects.get(payment.projectId);
  const { method } = payment;
  if (project === undefined || method === null) return undefined;
  const offer = { direction: "payin", method, currency: payment.currency } as const;
  const acquirers = listProviders(project, "payin", method, payment.request.paymentSystem)
    .map((code) => findConnector(code))
    .filter((connector): connector is Acquirer => connector?.cards !== undefined && canServe(connector, offer));
  return acquirers.find(({ code }) => !directory.pauses.providers.has(code)) ?? acquirers[0];
}
