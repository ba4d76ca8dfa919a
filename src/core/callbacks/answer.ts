/** What the answer of a receiver means for a callback. A redirect is not followed, so it is a failure like any other. */
export function isDelivered(status: number): boolean {
  return status >= 200 && status < 300;
}

/** The receiver says that nothing is to be sent to this URL any more. */
export function isGone(status: number): boolean {
  return status === 410;
}

/** What a callback would have come to: delivered, sent again by the schedule, or the URL disabled. */
export type CallbackVerdict = "delivered" | "retried" | "disables_url";

/** `status` is undefined where no whole answer came. */
export function verdictOn(status: number | undefined): CallbackVerdict {
  if (status === undefined) return "retried";
  if (isGone(status)) return "disables_url";
  return isDelivered(status) ? "delivered" : "retried";
}
