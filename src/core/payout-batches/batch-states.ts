/** How a batch of payouts that people make by hand stands: one table of what may follow what. */
export const BATCH_STATES = ["checked", "awaiting_approval", "making", "done", "refused", "withdrawn"] as const;
export type BatchState = (typeof BATCH_STATES)[number];

export const BATCH_EVENTS = ["confirmed", "confirmed_above_limit", "approved", "refused", "withdrawn", "made"] as const;
export type BatchEvent = (typeof BATCH_EVENTS)[number];

const BATCH_TRANSITIONS = {
  checked: { confirmed: "making", confirmed_above_limit: "awaiting_approval", withdrawn: "withdrawn" },
  awaiting_approval: { approved: "making", refused: "refused", withdrawn: "withdrawn" },
  making: { made: "done" },
  done: {},
  refused: {},
  withdrawn: {},
} as const satisfies Record<BatchState, Partial<Record<BatchEvent, BatchState>>>;

/** Undefined where the event may not happen now. */
export function batchAfter(state: BatchState, event: BatchEvent): BatchState | undefined {
  const row: Partial<Record<BatchEvent, BatchState>> = BATCH_TRANSITIONS[state];
  return row[event];
}

/** How a row stands: refused by a rule or for the lack of money, failed where it could not even be tried. */
export const BATCH_ROW_STATES = ["waiting", "made", "refused", "failed"] as const;
export type BatchRowState = (typeof BATCH_ROW_STATES)[number];
