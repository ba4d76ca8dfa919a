import type { ErrorCode, FieldError } from "./contract-answers.ts";

export type TillgateErrorOptions = { readonly cause?: unknown; readonly outcomeUnknown?: boolean };

/** Everything this package throws; itself thrown for faults of configuration, before anything is sent. */
export class TillgateError extends Error {
  override readonly name: string = "TillgateError";
  /**
   * True when the service may have acted. It also is when an earlier attempt of the same call went unanswered and only
   * the last one was refused. Repeat the same body with the same id, never a new id.
   */
  readonly outcomeUnknown: boolean;

  constructor(message: string, options: TillgateErrorOptions = {}) {
    super(message, "cause" in options ? { cause: options.cause } : undefined);
    this.outcomeUnknown = options.outcomeUnknown ?? false;
  }
}

export type ApiFailure = {
  readonly httpStatus: number;
  /** `unknown` when the answer was not the service's, such as a proxy's error page. */
  readonly code: ErrorCode | "unknown" | (string & {});
  readonly description: string;
  readonly fieldErrors: readonly FieldError[];
  readonly requestId: string | undefined;
  readonly retryAfterS: number | undefined;
};

/** The service answered, and the answer was an error. A 4xx changed nothing; after a 5xx the outcome is unknown. */
export class TillgateApiError extends TillgateError implements ApiFailure {
  override readonly name: string = "TillgateApiError";
  readonly httpStatus: number;
  readonly code: ErrorCode | "unknown" | (string & {});
  readonly description: string;
  readonly fieldErrors: readonly FieldError[];
  readonly requestId: string | undefined;
  readonly retryAfterS: number | undefined;

  constructor(failure: ApiFailure, options: TillgateErrorOptions = {}) {
    const outcomeUnknown = options.outcomeUnknown === true || failure.httpStatus >= 500;
    super(`${failure.httpStatus} ${failure.code}: ${failure.description}`, { ...options, outcomeUnknown });
    this.httpStatus = failure.httpStatus;
    this.code = failure.code;
    this.description = failure.description;
    this.fieldErrors = failure.fieldErrors;
    this.requestId = failure.requestId;
    this.retryAfterS = failure.retryAfterS;
  }
}

/** No answer came: not connected, or the connection broke. The request may have arrived. */
export class TillgateNetworkError extends TillgateError {
  override readonly name: string = "TillgateNetworkError";
  constructor(message: string, options: { readonly cause?: unknown } = {}) {
    super(message, { ...options, outcomeUnknown: true });
  }
}

/** No whole answer came within `timeoutMs`. */
export class TillgateTimeoutError extends TillgateNetworkError {
  override readonly name: string = "TillgateTimeoutError";
}

/** Something answered that does not speak the contract: a redirect, a page, an answer of the wrong shape or size. */
export class TillgateResponseError extends TillgateError {
  override readonly name: string = "TillgateResponseError";
  constructor(message: string, options: { readonly cause?: unknown } = {}) {
    super(message, { ...options, outcomeUnknown: true });
  }
}

export type SignatureFaultReason =
  | "header_missing"
  | "header_doubled"
  | "timestamp_malformed"
  | "timestamp_out_of_tolerance"
  | "algorithm_unexpected"
  | "signature_malformed"
  | "signature_mismatch"
  | "body_malformed"
  | "body_ambiguous"
  | "project_foreign";

/** A callback that must not be believed. Answer it with a 4xx and change nothing. */
export class TillgateSignatureError extends TillgateError {
  override readonly name: string = "TillgateSignatureError";
  readonly reason: SignatureFaultReason;

  constructor(reason: SignatureFaultReason, message: string, options: { readonly cause?: unknown } = {}) {
    super(message, options);
    this.reason = reason;
  }
}
