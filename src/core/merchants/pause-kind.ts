/** What an operator can stop for a while. */
export type PauseKind = "payouts" | "project" | "method" | "provider";
