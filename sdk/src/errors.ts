import { adviceOnCode, SIGNATURE_ADVICE, type SignatureFaultReason, UNKNOWN_OUTCOME_ADVICE } from "./advice.ts";
import { brand, isOfKind } from "./brand.ts";
import type { ErrorCode, FieldError } from "./contract-answers.ts";

export type TillgateErrorOptions = {
  readonly cause?: unknown;
  readonly outcomeUnknown?: boolean;
  readonly advice?: string;
};

/** Everything this package throws; itself thrown for faults of configuration, before anything is sent. */
export class TillgateError extends Error {
  override readonly name: string = "TillgateError";
  /**
   * True when the service may have acted. It also is when an earlier attempt of the same call went unanswered and only
   * the last one was refused. Repeat the same body with the same id, never a new id.
   */
  readonly outcomeUnknown: boolean;
  /** What to do next, for people. The wording may change: programs decide by class, `code` and `outcomeUnknown`. */
  readonly advice: string;

  constructor(message: string, options: TillgateErrorOptions = {}) {
    super(message, "cause" in options ? { cause: options.cause } : undefined);
    this.outcomeUnknown = options.outcomeUnknown ?? false;
    this.advice =
      options.advice ??
      (this.outcomeUnknown ? UNKNOWN_OUTCOME_ADVICE : "Correct what the message names, and call again.");
  }

  static {
    brand(TillgateError, "TillgateError");
  }

  static override [Symbol.hasInstance](value: unknown): boolean {
    // biome-ignore lint/complexity/noThisInStatic: each class inherits this, and asks about itself
    return isOfKind(this, value);
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

  constructor(failure: ApiFailure, options: { readonly cause?: unknown; readonly outcomeUnknown?: boolean } = {}) {
    const outcomeUnknown = options.outcomeUnknown === true || failure.httpStatus >= 500;
    const advice = adviceOnCode(failure.code, { outcomeUnknown });
    super(`${failure.httpStatus} ${failure.code}: ${failure.description}`, { ...options, outcomeUnknown, advice });
    this.httpStatus = failure.httpStatus;
    this.code = failure.code;
    this.description = failure.description;
    this.fieldErrors = failure.fieldErrors;
    this.requestId = failure.requestId;
    this.retryAfterS = failure.retryAfterS;
  }

  static {
    brand(TillgateApiError, "TillgateApiError");
  }
}

/** An error of the service with one of these codes. A code that the contract does not have does not compile. */
export function hasCode<Code extends ErrorCode>(
  error: unknown,
  ...codes: readonly [Code, ...Code[]]
): error is TillgateApiError & { readonly code: Code } {
  return error instanceof TillgateApiError && codes.some((code) => code === error.code);
}

/** No answer came: not connected, or the connection broke. The request may have arrived. */
export class TillgateNetworkError extends TillgateError {
  override readonly name: string = "TillgateNetworkError";
  constructor(message: string, options: { readonly cause?: unknown } = {}) {
    super(message, { ...options, outcomeUnknown: true });
  }

  static {
    brand(TillgateNetworkError, "TillgateNetworkError");
  }
}

/** No whole answer came within `timeoutMs`. */
export class TillgateTimeoutError extends TillgateNetworkError {
  override readonly name: string = "TillgateTimeoutError";

  static {
    brand(TillgateTimeoutError, "TillgateTimeoutError");
  }
}

/**
 * Your AbortSignal ended the call. Cancelling a call cancels no payment: `outcomeUnknown` is true unless it is certain that
 * the service did nothing. `cause` is the signal's reason.
 */
export class TillgateAbortError extends TillgateError {
  override readonly name: string = "TillgateAbortError";
  constructor(options: { readonly cause: unknown; readonly outcomeUnknown: boolean }) {
    const outcome = options.outcomeUnknown ? "the service may have acted" : "the service has changed nothing";
    const advice = options.outcomeUnknown ? UNKNOWN_OUTCOME_ADVICE : "Call again when it is wanted again.";
    super(`the caller aborted the call; ${outcome}`, { ...options, advice });
  }

  static {
    brand(TillgateAbortError, "TillgateAbortError");
  }
}

/** Something answered that does not speak the contract: a redirect, a page, an answer of the wrong shape or size. */
export class TillgateResponseError extends TillgateError {
  override readonly name: string = "TillgateResponseError";
  constructor(message: string, options: { readonly cause?: unknown } = {}) {
    const advice = `Check that baseUrl leads to a Tillgate service. ${UNKNOWN_OUTCOME_ADVICE}`;
    super(message, { ...options, outcomeUnknown: true, advice });
  }

  static {
    brand(TillgateResponseError, "TillgateResponseError");
  }
}

/** A callback that must not be believed. Answer it with a 4xx and change nothing. */
export class TillgateSignatureError extends TillgateError {
  override readonly name: string = "TillgateSignatureError";
  readonly reason: SignatureFaultReason;

  constructor(reason: SignatureFaultReason, message: string, options: { readonly cause?: unknown } = {}) {
    super(message, { ...options, advice: SIGNATURE_ADVICE[reason] });
    this.reason = reason;
  }

  static {
    brand(TillgateSignatureError, "TillgateSignatureError");
  }
}
