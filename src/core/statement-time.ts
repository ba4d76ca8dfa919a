/** When a bank booked a transfer, as exactly as it says: `to` is the end of what was written, such as of the day. */
export type BookedTime =
  | { readonly kind: "instant"; readonly from: Date; readonly to: Date }
  /** Without an offset: `YYYY-MM-DD HH:MM:SS.mmm` by the clock of the account's own time zone. */
  | { readonly kind: "local"; readonly from: string; readonly to: string };
