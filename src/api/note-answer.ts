import type { ErrorCode } from "../core/errors.ts";
import type { AccountErrorCode } from "../core/people/account-fault.ts";
import type { LogRequest } from "../platform/log-lines/request-log.ts";
import type { Metrics } from "../platform/metrics.ts";
import { isAnsweredLook } from "./sandbox/desk-looks.ts";

/** Counts and logs a request that was answered. */
export type NoteAnswer = (
  line: Parameters<LogRequest>[0] & { readonly code: ErrorCode | AccountErrorCode | undefined },
) => void;

export function openNoteAnswer(deps: { readonly metrics: Metrics; readonly logRequest: LogRequest }): NoteAnswer {
  return (line) => {
    const { route, status, ms, code } = line;
    deps.metrics.observeRequest({ route, status, seconds: ms / 1000, faultCode: code });
    if (!isAnsweredLook(line)) deps.logRequest(line);
  };
}
