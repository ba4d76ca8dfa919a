import type { Words } from "../../words/en.ts";

/** `HTTP 503`, or why there was no answer, in words. */
export function errorText({ callbackFailures }: Words, error: string): string {
  return /^\d{3}$/.test(error) ? `HTTP ${error}` : (callbackFailures[error] ?? error);
}
