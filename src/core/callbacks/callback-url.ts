import type { PaymentState } from "../payments/states.ts";

export type CallbackUrls = {
  readonly callbackUrl: string | null;
  readonly successCallbackUrl: string | null;
  readonly declineCallbackUrl: string | null;
};

/** The request's address of that kind, else the project's; then the request's general one, else the project's; or none. */
export function chooseCallbackUrl(state: PaymentState, request: CallbackUrls, project: CallbackUrls): string | null {
  const ofKind = KIND_OF_STATE[state];
  const special = ofKind === undefined ? null : (request[ofKind] ?? project[ofKind]);
  return special ?? request.callbackUrl ?? project.callbackUrl;
}

const KIND_OF_STATE: Partial<Record<PaymentState, "successCallbackUrl" | "declineCallbackUrl">> = {
  success: "successCallbackUrl",
  decline: "declineCallbackUrl",
};
