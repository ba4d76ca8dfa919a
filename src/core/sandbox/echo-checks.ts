/** The steps by which a receiver verifies a callback, in their order. */
export type EchoStep = "headers" | "timestamp" | "body" | "project" | "message" | "signature" | "standard_webhooks";

export type EchoCheck = { readonly step: EchoStep; readonly ok: boolean; readonly detail: string };
