/** Where a transfer of a receiving account went or came from; see the table `bank_transfers`. */
export type TransferOutcome =
  | "exact"
  | "other_amount"
  | "ended"
  | "unclaimed"
  | "payout"
  | "return"
  | "cost"
  | "unexplained";
