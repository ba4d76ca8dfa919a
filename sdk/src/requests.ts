import type * as contract from "./contract-requests.ts";

/** What the call is about, and where the service reports to. The client adds `project_id` from the credentials. */
export type General = Omit<contract.General, "project_id">;

/** A request of the contract as the client takes it: without `general.project_id`. */
type Without<Request extends { readonly general: contract.General }> = Request extends unknown
  ? Omit<Request, "general"> & { readonly general: General }
  : never;

export type P2pPayinRequest = Without<contract.P2pPayinRequest>;
/** One form for each method, so that a receiver that does not go with the method does not compile. */
export type P2pPayoutRequest = Without<contract.P2pPayoutRequest>;
/**
 * The card's members are plain text that prints like any other: hand them over, keep no copy, and never log the request.
 */
export type EcomPayinRequest = Without<contract.EcomPayinRequest>;
export type EcomPayoutRequest = Without<contract.EcomPayoutRequest>;
export type WidgetPayinRequest = Without<contract.WidgetPayinRequest>;

export type P2pPayinMethod = P2pPayinRequest["payment"]["method"];
export type P2pPayoutMethod = P2pPayoutRequest["payment"]["method"];
export type EcomMethod = EcomPayinRequest["payment"]["method"];
export type WidgetMethod = NonNullable<WidgetPayinRequest["payment"]["widget_method"]>;

/** What each payout method pays to. */
export type P2pReceivers = {
  readonly [Method in P2pPayoutMethod]: Extract<P2pPayoutRequest, PayoutBy<Method>>["receiver"];
};

type PayoutBy<Method extends P2pPayoutMethod> = { readonly payment: { readonly method: Method } };
