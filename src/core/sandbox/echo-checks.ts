/** The steps by which a receiver verifies a callback, in their order. */
export const ECHO_STEPS = [
  "headers",
  "timestamp",
  "body",
  "project",
  "message",
  "signature",
  "standard_webhooks",
] as const;
export type EchoStep = (typeof ECHO_STEPS)[number];

export type EchoCheck = { readonly step: EchoStep; readonly ok: boolean; readonly detail: string };
