import type { ProviderBalance } from "./connector.ts";

/** What a provider answers when an operator tries it out. */
export type ProviderProbe = {
  readonly balances: ProbeStep<readonly ProviderBalance[]>;
  /** How many banks it lists; undefined: it was not asked, because the first step failed. */
  readonly banks: ProbeStep<number> | undefined;
};

export type ProbeStep<T> =
  | { readonly kind: "answered"; readonly value: T }
  /** The provider's own refusal, by the protocol's code. */
  | { readonly kind: "refused"; readonly status: number; readonly code: string }
  /** An answer that is not the protocol's: perhaps of another server. */
  | { readonly kind: "not_understood"; readonly status: number }
  /** No answer. The reason is of the closed lists of `platform/http-out`. */
  | { readonly kind: "no_answer"; readonly reason: string };
