/** Where a bank line of a receiving account went or came from; see the table `bank_lines`. */
export type BankLineOutcome =
  | "exact"
  | "other_amount"
  | "ended"
  | "unclaimed"
  | "payout"
  | "return"
  | "cost"
  | "funds"
  | "unexplained";
