/** Money of a balance that is spoken for: held, given back, or spent. */
export type HoldState = "open" | "released" | "captured";
