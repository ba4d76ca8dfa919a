import type { CallbackFilter } from "../../store/callbacks/read-callbacks.ts";
import type { CommandInput, OptionSpec } from "../kit/command.ts";
import { optional, readId, readInstant, readPaymentId, wrongUsage } from "../kit/option-values.ts";

/** What narrows a list of callbacks down, and what a replay takes. */
export const CALLBACK_FILTER_OPTIONS = {
  project: { type: "string", value: "ID", help: "only those of this project" },
  url: { type: "string", value: "URL", help: "only those to exactly this URL" },
  "payment-id": { type: "string", value: "TEXT", help: "only those of this payment, by the merchant's payment_id" },
  "request-id": { type: "string", value: "ID", help: "only those of this payment, by our id" },
  since: { type: "string", value: "TIME", help: "created at or after this time: 2026-01-31, or 2026-01-31T10:00:00Z" },
  until: { type: "string", value: "TIME", help: "created before this time" },
} as const satisfies Record<string, OptionSpec>;

export function readCallbackFilter(input: CommandInput): CallbackFilter {
  const since = optional(input, "since", readInstant);
  const until = optional(input, "until", readInstant);
  if (since !== undefined && until !== undefined && since >= until) {
    throw wrongUsage("--until must be later than --since.");
  }
  return {
    projectId: optional(input, "project", readId),
    url: input.text("url"),
    paymentId: optional(input, "payment-id", readPaymentId),
    requestId: optional(input, "request-id", readId),
    since,
    until,
  };
}
