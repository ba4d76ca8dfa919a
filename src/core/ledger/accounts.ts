/** The accounts that money can stand on. `available` and `locked` are a project's; the others are the house's. */
export type ClearingAccount = `clearing:${string}`;
export type Account = "available" | "locked" | "fees" | "suspense" | "shortfall" | ClearingAccount;

/** Money that people put in or take out by hand stands against this one. */
export const CLEARING_MANUAL: ClearingAccount = "clearing:manual";
