import type { Method } from "../../core/merchants/methods.ts";
import { listProviders } from "../../core/merchants/routing.ts";
import { listPresentAttempts } from "../../store/payments/attempts.ts";
import type { StoredPayment } from "../../store/payments/payments.ts";
import type { Directory, DirectoryProject } from "../merchants/directory.ts";
import type { JobDeps } from "./look.ts";

/** The provider to ask next; none now, because the remaining providers are paused; or none at all. */
export type RouteChoice =
  | { readonly kind: "provider"; readonly code: string }
  | { readonly kind: "wait" }
  | { readonly kind: "none" };

type RouteDeps = Pick<JobDeps, "db" | "currentDirectory" | "findConnector">;

/** Each provider is asked once for each choice of the payer; those that are left are asked in the order of the route. */
export async function chooseRoute(deps: RouteDeps, payment: StoredPayment): Promise<RouteChoice> {
  const directory = await deps.currentDirectory();
  const project = directory.projects.get(payment.projectId);
  if (project === undefined) return { kind: "wait" };
  const { method } = payment;
  if (method === null) return { kind: "none" };
  const asked = payment.attemptCount === 0 ? [] : await listPresentAttempts(deps.db, payment);
  return routeOf(deps, directory, project, { ...payment, method }, (code) =>
    asked.some((attempt) => attempt.provider === code),
  );
}

type Routed = Pick<StoredPayment, "direction" | "currency" | "request"> & { readonly method: Method };

/** The same, where it is known which providers were asked. */
export function routeOf(
  { findConnector }: Pick<RouteDeps, "findConnector">,
  { pauses, providers }: Pick<Directory, "pauses" | "providers">,
  project: DirectoryProject,
  { direction, method, currency, request }: Routed,
  wasAsked: (code: string) => boolean,
): RouteChoice {
  const left = listProviders(providers, project, direction, method, request.paymentSystem).filter((code) => {
    const connector = findConnector(code);
    // A provider that this process does not know may be known to another one: it is waited for, not passed over.
    const serves = connector === undefined || connector.offers(direction, method, currency);
    return serves && !wasAsked(code);
  });
  const code = left.find((each) => !pauses.providers.has(each) && findConnector(each) !== undefined);
  if (code !== undefined) return { kind: "provider", code };
  return { kind: left.length > 0 ? "wait" : "none" };
}

/** The provider that will be asked, as far as it is known before; an empty text: none. */
export async function expectProvider(deps: RouteDeps, payment: StoredPayment): Promise<string> {
  if (payment.provider !== null) return payment.provider;
  const route = await chooseRoute(deps, payment);
  return route.kind === "provider" ? route.code : "";
}

/** Payouts wait while an operator holds them back, everywhere or for their project. */
export async function arePayoutsPaused(deps: RouteDeps, payment: StoredPayment): Promise<boolean> {
  const { payouts } = (await deps.currentDirectory()).pauses;
  return payouts.has("") || payouts.has(payment.projectId);
}
