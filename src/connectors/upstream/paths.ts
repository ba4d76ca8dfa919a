import { METHODS, type Method, type Product } from "../../core/merchants/methods.ts";

/** The calls of the protocol that a gateway is asked with. */
const PAYMENT = "/api/v1/payment";

export const P2P_PAYIN = `${PAYMENT}/p2p/payin`;
export const ECOM_PAYIN = `${PAYMENT}/ecom/payin`;
export const BALANCE = "/api/v1/balance/info";
export const BANKS = "/api/v1/bank/all";

const PAYOUTS = { p2p: `${PAYMENT}/p2p/payout`, ecom: `${PAYMENT}/ecom/payout` } as const satisfies Record<
  Product,
  string
>;

export function payoutPath(method: Method): string {
  return PAYOUTS[METHODS[method].product];
}

/** A path sees only what was made through its own product, and a reference does not tell which one that was. */
export const PAYOUT_PATHS: readonly string[] = Object.values(PAYOUTS);
