import type {
  PayinRequest,
  PayinState,
  PayoutOutcome,
  PayoutRequest,
  PayoutState,
  RequisitesAnswer,
} from "../../core/connector.ts";

/**
 * The operator's own accounts, as the connector needs them. There is no provider behind it that could be called: all of
 * it is in our own database, in transactions of its own, and what the database does not answer is unknown.
 */
export type PoolDesk = {
  /** `another_order`: the reference was given for something else. */
  readonly lend: (request: PayinRequest) => Promise<RequisitesAnswer | "other_request">;
  /** False: nothing was ever lent under it. */
  readonly noteConfirm: (reference: string) => Promise<boolean>;
  readonly endLending: (reference: string) => Promise<void>;
  readonly findPayin: (reference: string) => Promise<PayinState>;
  readonly takePayout: (request: PayoutRequest) => Promise<PayoutOutcome | "other_request">;
  readonly findPayout: (reference: string) => Promise<PayoutState>;
  /** True for what may be different when it is tried again: the database is away, or busy. */
  readonly isUnavailable: (error: unknown) => boolean;
};
