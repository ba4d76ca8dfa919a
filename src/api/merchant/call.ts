import type { TSchema } from "typebox";
import type { ReadBalances } from "../../app/read-balances.ts";
import type { Fault } from "../../core/errors.ts";
import type { Result } from "../../core/result.ts";
import type { AdmitDeps, AdmittedCall } from "./admit.ts";

export type MerchantDeps = AdmitDeps & { readonly readBalances: ReadBalances };

/** One endpoint for merchants: its path, what its body must be, and what it answers. */
export type MerchantCall = {
  readonly path: string;
  readonly body: TSchema;
  /** The answer as JSON text. */
  readonly answer: (deps: MerchantDeps, call: AdmittedCall) => Promise<Result<string, Fault>>;
};
