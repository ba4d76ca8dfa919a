import { errors } from "undici";
import type { FailedReason } from "./answer.ts";

/** Carries a reason through undici, which hands errors on but makes nothing of them. */
export class EgressFault extends Error {
  readonly reason: FailedReason;

  constructor(reason: FailedReason) {
    super(reason);
    this.reason = reason;
  }
}

/**
 * What an error of undici or of a socket means. For an unsolicited answer, and for a change of protocol,
 * undici has no kind of error but the one of all broken sockets, so the message must tell.
 */
export function reasonOf(error: Error): FailedReason {
  if (error instanceof EgressFault) return error.reason;
  if (error instanceof errors.HeadersOverflowError) return "too_large";
  if (error instanceof errors.HTTPParserError) return "protocol";
  if (error instanceof errors.ResponseContentLengthMismatchError) return "protocol";
  if (error instanceof errors.SocketError && /^bad (response|upgrade)$/.test(error.message)) return "protocol";
  return "reset";
}
