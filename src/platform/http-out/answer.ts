/** Why nothing was sent: the request breaks a rule, and will break it again. Only a name may resolve later. */
export type RefusedReason =
  | "bad_url"
  | "scheme"
  | "userinfo"
  | "fragment"
  | "port"
  | "bad_header"
  | "name_not_resolved"
  | "address_not_allowed";

/**
 * Why there is no whole answer. After `busy`, `connect_timeout`, `connect_failed` and `tls` it is certain that nothing
 * was sent; after the others the receiver may have seen the request.
 */
export type FailedReason =
  | "busy"
  | "connect_timeout"
  | "connect_failed"
  | "tls"
  | "timeout"
  | "reset"
  | "too_large"
  | "protocol"
  | "aborted"
  | "closed";

export type EgressRequest = {
  readonly method: "POST";
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | string;
  /** Connections are shared within an owner only: a receiver that does not answer delays no other owner at the same host. */
  readonly owner?: string;
  readonly signal?: AbortSignal;
  /** The answer is to be shown to a person, with its headers. */
  readonly showsHeaders?: boolean;
};

export type Answered = {
  readonly kind: "answered";
  readonly status: number;
  /** Only what callers act upon. The rest of the receiver's headers stays outside. */
  readonly headers: { readonly "retry-after"?: string };
  /** Where the request asks for it: names and values in the receiver's order, bounded, without cookies. */
  readonly shownHeaders?: readonly (readonly [string, string])[];
  readonly bodyStart: Buffer;
  /** The body had more than `bodyStart` holds. */
  readonly truncated: boolean;
};

export type Refused = { readonly kind: "refused"; readonly reason: RefusedReason };
export type Failed = { readonly kind: "failed"; readonly reason: FailedReason };
export type Outcome = Answered | Refused | Failed;

/** Reasons are of closed lists, so that no URL, address or secret can slip into a log through them. */
export type EgressAnswer = Outcome & { readonly latencyMs: number };

export function refused(reason: RefusedReason): Refused {
  return { kind: "refused", reason };
}

export function failed(reason: FailedReason): Failed {
  return { kind: "failed", reason };
}
